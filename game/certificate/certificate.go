// Package certificate writes and checks proofs of the values of positions: of Ultimate Tic-Tac-Toe, and of
// forced mates in chess and shogi. It imports the rules of the games alone, so that a certificate has not
// to be believed of the solver that has made it.
//
// A certificate has a position, its value for the side to move, and a strategy of every side that has
// something to show: of the winner that it wins, of both sides of a draw that they do not lose, of the
// attacker that it mates within a number of its moves. A strategy is a move in each position with that side
// to move that can arise from the position, the opponent having all replies.
//
// # Mates
//
// "mate N" says that the side to move mates within N of its moves, against every defence, if nothing was
// played before; "mate -N" that its opponent does. In shogi each of the attacker's moves is a check, which
// the rules of mate problems demand, and no pawn that is dropped mates. Interpositions are moves as all
// others. In chess a position that is reached by the hundredth ply without a capture or a pawn move is a
// draw unless it is mate.
//
// Moves that are left become fewer with each of the attacker's moves, so no strategy goes in circles.
// Repetition needs no rule. Among all strategies that mate there is one that takes the shortest way from
// every position; with it, each move brings the mate nearer, and no position can come twice. So whoever can
// mate within N moves where repetition is free, can do so where it is a draw.
//
// # Format
//
// The file is a container of the kind certificate. The blocks have an entry for each position, the
// strategies of a draw one after the other, first the strategy of X. The positions are not in the file: the
// rules give them. Positions come by level, and by their codes in each level, byte by byte. Each position
// comes once in its level.
//
//	Ultimate Tic-Tac-Toe
//	entry   1 byte: the move, 9 · board + cell
//	level   the cells that are filled or on decided boards, so positions with more empty cells on open boards
//	        come first
//	code    ultimate.Code, which says nothing of the stones on decided boards
//
//	mates in chess and shogi
//	entry   2 bytes: the move, as its Move16, which the packages chess and shogi draw; the low byte first
//	        2 bytes: within how many of its moves, this one included, the attacker mates, at most the moves left;
//	        the low byte first
//	level   N less the moves left: N in the first position, after the move and a reply one less than the entry says
//	code    the FEN without the number of the move, and with 0 plies since the last capture or pawn move if
//	        they and 2 · the moves left - 1 are 100 at most; the SFEN without the number of the move
//
// A position of Ultimate Tic-Tac-Toe does not count if the game is over, or if the side needs only a draw
// and the opponent can no longer win.
package certificate

import (
	"context"
	"errors"
	"fmt"
	"io"

	"trefoil/internal/container"
)

// header is the header of the container.
type header struct {
	Game     string `json:"game,omitempty"` // missing: Ultimate Tic-Tac-Toe
	Position string `json:"position"`
	Value    string `json:"value"`
}

// summary is written at the end of the container.
type summary struct {
	Positions uint64 `json:"positions"`
}

// rules is what a certificate needs of the rules of a game.
type rules struct {
	name  string // in the header
	entry int    // bytes for a position
	// strategies returns what has to be shown for a value.
	strategies func(position, value string) ([]strategy, error)
}

// games returns the rules of all games.
func games() []*rules { return []*rules{ultimateGame(), chessMates().rules(), shogiMates().rules()} }

// Summary says what a certificate proves.
type Summary struct {
	Position, Value string
	Positions       uint64 // with a move
	FileBytes       uint64
}

// A Proof is a claim and the moves that prove it.
type Proof struct {
	rules      *rules
	claim      header
	strategies []strategy // that prove it
	err        error      // the claim is none
	entry      func(ctx context.Context, s strategy, level int, code string) ([]byte, error)
}

// newProof returns a proof of a claim without its moves.
func newProof(g *rules, position, value string) Proof {
	all, err := g.strategies(position, value)
	return Proof{rules: g, claim: header{g.name, position, value}, strategies: all, err: err}
}

// check plays the strategies with entries that entry returns, at most left of them.
func (p *Proof) check(ctx context.Context, entry func(s strategy, level int, code string) ([]byte, error),
	left func() uint64, progress func(positions uint64)) (positions uint64, err error) {
	err = p.err
	for _, s := range p.strategies {
		if err != nil {
			break
		}
		c := checker{strategy: s, left: left, done: &positions, progress: progress,
			entry: func(level int, code string) ([]byte, error) { return entry(s, level, code) }}
		if err = c.check(ctx); err != nil {
			err = fmt.Errorf("%v: %w", s, err)
		}
	}
	return positions, err
}

// play is check with the moves of the proof, which are passed on to emit.
func (p *Proof) play(ctx context.Context, emit func(entry []byte) error, progress func(positions uint64)) (
	positions uint64, err error) {
	return p.check(ctx, func(s strategy, level int, code string) ([]byte, error) {
		entry, err := p.entry(ctx, s, level, code)
		if err == nil {
			err = emit(entry)
		}
		return entry, err
	}, func() uint64 { return 1 << 62 }, progress)
}

// Errors of subcommands that have not written a certificate.
var (
	ErrNone    = errors.New("no certificate was written")
	ErrSecond  = errors.New("--certificate is for one position")
	ErrDivided = errors.New("--certificate is for one position: it cannot be used with --jobs, --shard or --resume")
)

// Writable returns the error that Write would return now because of the name of the file.
func Writable(out container.Output) error {
	if err := container.Writable(out, container.Certificate); err != nil {
		return fmt.Errorf("writing the certificate: %w", err)
	}
	return nil
}

// blockBytes is the size of a block, a variable for the tests.
var blockBytes = container.MaxBlock

// Write writes a certificate, which it checks as Verify does. It returns the number of positions. After an
// error the old file, if there is one, is unchanged.
func Write(ctx context.Context, out container.Output, p Proof, progress func(positions uint64)) (
	positions uint64, err error) {
	err = container.Write(out, container.Certificate, p.claim, func(w *container.Writer) (any, error) {
		block := make([]byte, 0, blockBytes)
		positions, err = p.play(ctx, func(entry []byte) (err error) {
			if len(block)+len(entry) > cap(block) {
				err = w.WriteBlock(block)
				block = block[:0]
			}
			block = append(block, entry...)
			return err
		}, progress)
		if err == nil && len(block) > 0 {
			err = w.WriteBlock(block)
		}
		return summary{positions}, err
	})
	if err != nil {
		err = fmt.Errorf("writing the certificate: %w", err)
	}
	return positions, err
}

// Verify checks a certificate by the rules. The file is wrong if the error is a *container.Error. A stream is
// copied to a temporary file, because the number of moves that it has bounds the positions. Memory has a bound
// that no file can exceed: 16 MiB of positions, a block, and small buffers. Temporary files have at most twice
// as many positions as the file has moves, and 128 MiB.
func Verify(ctx context.Context, in container.Input, progress func(done, total uint64)) (s Summary, err error) {
	var h header
	var end summary
	r, err := container.Open(in, container.Certificate, &h, &end)
	if err != nil {
		return s, err
	}
	defer r.Close()
	if err := r.ReadAhead(ctx); err != nil {
		return s, err
	}
	s = Summary{Position: h.Position, Value: h.Value, Positions: end.Positions, FileBytes: r.Size()}
	p, m, err := claimed(r, &h, &end)
	if err != nil {
		return s, r.Errorf("%v", err)
	}
	done, err := p.check(ctx, m.next, m.left, func(done uint64) { progress(done, end.Positions) })
	if wrong := (*Error)(nil); errors.As(err, &wrong) {
		return s, r.Errorf("move %d of %d: %v", done, end.Positions, err)
	}
	if err != nil {
		return s, err
	}
	if done != end.Positions {
		return s, r.Errorf("%d moves, but %d positions", end.Positions, done)
	}
	if _, err := r.Next(); err != io.EOF { // a proof without a move has a file to be checked, too
		return s, err
	}
	return s, nil
}

// claimed returns what the file has to show, and the moves with which it does.
func claimed(r *container.Reader, h *header, end *summary) (p Proof, m *moves, err error) {
	for _, g := range games() {
		if g.name != h.Game {
			continue
		}
		m = &moves{reader: r, size: uint64(g.entry)}
		if r.Bytes()%m.size != 0 || r.Bytes()/m.size != end.Positions {
			return p, m, fmt.Errorf("%d positions, but %d bytes of moves, %d for each", end.Positions, r.Bytes(), m.size)
		}
		p = newProof(g, h.Position, h.Value)
		return p, m, p.err
	}
	return p, m, fmt.Errorf("unknown game %.20q", h.Game)
}

// moves are the entries in the blocks of a certificate.
type moves struct {
	reader *container.Reader
	size   uint64 // of an entry
	block  []byte
	read   uint64 // bytes
}

// left is the number of entries that have not been returned.
func (m *moves) left() uint64 { return (m.reader.Bytes() - m.read) / m.size }

// next returns the entry of the next position.
func (m *moves) next(strategy, int, string) ([]byte, error) {
	if len(m.block) == 0 {
		b, err := m.reader.Next()
		if err != nil {
			return nil, err
		}
		m.block = b
	}
	if uint64(len(m.block)) < m.size {
		return nil, &Error{Problem: "a block that ends within a move"}
	}
	entry := m.block[:m.size]
	m.block, m.read = m.block[m.size:], m.read+m.size
	return entry, nil
}
