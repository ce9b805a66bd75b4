package certificate

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/shogi"
)

// MostMoves is the largest number of moves of a mate.
const MostMoves = maxLevel

// A MateMover chooses the attacker's move in a position, and says within how many of its moves, of those
// that are left at most, it mates with this move first.
type MateMover[P board] func(ctx context.Context, p P, left int) (m game.Move, moves int, err error)

// ChessMate returns a proof that the side to move mates within some moves, or, if their number is negative,
// that its opponent does. 0 says that the side to move is mated. Moves that were made before do not count.
func ChessMate(p *chess.Position, moves int, choose MateMover[*chess.Position]) Proof {
	return mateProof(chessMates(), p.FEN(), moves, choose)
}

// ShogiMate is ChessMate for mates in shogi by checks only.
func ShogiMate(p *shogi.Position, moves int, choose MateMover[*shogi.Position]) Proof {
	return mateProof(shogiMates(), p.SFEN(), moves, choose)
}

func mateProof[P board](m mates[P], text string, moves int, choose MateMover[P]) Proof {
	proof := newProof(m.rules(), text, mateValue(moves))
	proof.entry = func(ctx context.Context, s strategy, level int, code string) ([]byte, error) {
		p, err := m.parse(code)
		if err != nil {
			return nil, err
		}
		move, within, err := choose(ctx, p, s.(*mate[P]).moves-level)
		return mateEntry(move, within), err
	}
	return proof
}

// mateEntry is the entry of a move that mates within some moves.
func mateEntry(m game.Move, within int) []byte {
	return binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, m.Move16()), uint16(within))
}

// board is a position of chess or shogi.
type board interface {
	InCheck() bool
	Moves(game.Kind, *game.List)
	FromMove16(uint16) (game.Move, bool)
	ParseMove(string) (game.Move, error)
	Make(game.Move)
	Undo()
}

// mates is what the rules of a game say about mates.
type mates[P board] struct {
	name  string
	parse func(text string) (P, error)
	write func(P) string
	// code returns a position with the attacker to move without what a mate within some moves does not
	// depend on. parse reads it.
	code func(p P, left int) string
	// withoutClock is the method of a strategy.
	withoutClock func(code string) (other string, most int)
	// fails says why the attacker does not mate from a position on, whatever follows; attacked says that
	// the attacker has made the last move.
	fails func(p P, attacked bool) string
}

func chessMates() mates[*chess.Position] {
	return mates[*chess.Position]{
		name: "chess", parse: chess.ParseFEN, write: (*chess.Position).FEN,
		code: func(p *chess.Position, left int) string {
			// The mating move, the last of 2·left-1 plies, may be ply 100.
			fields := strings.Fields(p.FEN())[:5]
			if p.Rule50()+2*left-1 <= 100 {
				fields[4] = "0"
			}
			return strings.Join(fields, " ")
		},
		withoutClock: func(code string) (string, int) {
			i := strings.LastIndexByte(code, ' ') + 1
			plies, _ := strconv.Atoi(code[i:])
			return code[:i] + "0", (101 - plies) / 2
		},
		fails: func(p *chess.Position, _ bool) string {
			if p.Rule50() >= 100 {
				return "fifty moves without a capture or pawn move"
			}
			return ""
		},
	}
}

func shogiMates() mates[*shogi.Position] {
	return mates[*shogi.Position]{
		name: "shogi", parse: shogi.ParseCrowded, write: (*shogi.Position).SFEN,
		code: func(p *shogi.Position, _ int) string {
			text := p.SFEN()
			return text[:strings.LastIndexByte(text, ' ')]
		},
		withoutClock: func(code string) (string, int) { return code, 0 },
		fails: func(p *shogi.Position, attacked bool) string {
			if attacked && !p.InCheck() {
				return "no check"
			}
			return ""
		},
	}
}

// mateValue is the value of a position in a header.
func mateValue(moves int) string { return fmt.Sprintf("mate %d", moves) }

// rules returns the game.
func (m mates[P]) rules() *rules {
	return &rules{name: m.name, entry: 4, strategies: func(position, value string) ([]strategy, error) {
		p, err := m.parse(position)
		if err != nil {
			return nil, err
		}
		if text := m.write(p); text != position {
			return nil, fmt.Errorf("position %.200q, expected to be written %q", position, text)
		}
		moves, err := strconv.Atoi(strings.TrimPrefix(value, "mate "))
		if err != nil || value != mateValue(moves) || moves > MostMoves || -moves > MostMoves {
			return nil, fmt.Errorf("value %.20q is not mate N, N from -%d to %d", value, MostMoves, MostMoves)
		}
		if moves > 0 {
			return []strategy{&mate[P]{mates: m, root: p, attacks: true, moves: moves}}, nil
		}
		return []strategy{&mate[P]{mates: m, root: p, moves: -moves}}, nil
	}}
}

// mate is the strategy of an attacker that mates within some moves. The level of a position is the number
// of moves that it has used up.
type mate[P board] struct {
	mates[P]
	root    P
	attacks bool // in the root the attacker is to move
	moves   int
	list    game.List
}

func (m *mate[P]) String() string {
	if m.attacks {
		return mateValue(m.moves)
	}
	return mateValue(-m.moves)
}

func (m *mate[P]) text(code string) string { return code }

func (m *mate[P]) move(code, text string) ([]byte, error) {
	p, err := m.parse(code)
	if err != nil {
		return nil, err
	}
	move, err := p.ParseMove(text)
	return mateEntry(move, m.moves), err
}

func (m *mate[P]) withoutClock(code string) (string, int) { return m.mates.withoutClock(code) }

func (m *mate[P]) group() string { return "" }

func (m *mate[P]) begin(meet func(int, string) error) error {
	if m.attacks {
		return meet(0, m.code(m.root, m.moves))
	}
	return m.replies(m.root, m.moves, meet)
}

func (m *mate[P]) play(level int, code string, entry []byte, meet func(int, string) error) error {
	p, err := m.parse(code)
	if err != nil {
		return err // never: code has been written from a position
	}
	word, within, left := binary.LittleEndian.Uint16(entry), int(binary.LittleEndian.Uint16(entry[2:])), m.moves-level
	move, ok := p.FromMove16(word)
	if !ok {
		return &Error{m.write(p), fmt.Sprintf("%#04x is not a move", word)}
	}
	if within < 1 || within > left {
		return &Error{m.write(p), fmt.Sprintf("a mate in %d moves, where 1 to %d are left", within, left)}
	}
	p.Make(move)
	if problem := m.fails(p, true); problem != "" && !m.mated(p) {
		return &Error{m.write(p), problem}
	}
	return m.replies(p, within-1, meet)
}

// mated reports whether the side to move is mated.
func (m *mate[P]) mated(p P) bool {
	m.list.Reset()
	p.Moves(game.All, &m.list)
	return m.list.Len() == 0 && p.InCheck()
}

// replies meets the positions after all replies in p, where the attacker then may make some moves.
func (m *mate[P]) replies(p P, left int, meet func(int, string) error) error {
	switch mated := m.mated(p); {
	case mated:
		return nil
	case m.list.Len() == 0:
		return &Error{m.write(p), "no legal move, but no check"}
	case left == 0:
		return &Error{m.write(p), "no mate"}
	}
	for _, reply := range m.list.All() {
		p.Make(reply)
		if problem := m.fails(p, false); problem != "" {
			return &Error{m.write(p), problem}
		}
		if err := meet(m.moves-left, m.code(p, left)); err != nil {
			return err
		}
		p.Undo()
	}
	return nil
}
