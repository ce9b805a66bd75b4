// Package certificate writes and checks proofs of the values of positions of Ultimate Tic-Tac-Toe. It imports the rules
// of the game alone, so that a certificate has not to be believed of the solver that has made it.
//
// A certificate has a position, its value for the side to move, and a strategy of every side that has
// something to show: of the winner that it wins, of both sides of a draw that they do not lose. A strategy
// is a move in each position with that side to move that can arise from the position, the opponent having
// all replies.
//
// # Format
//
// The file is a container of the kind certificate. The blocks have one byte for each position, the move 9 ·
// board + cell; for a draw first the moves of X's strategy, then the moves of O's. The positions are not in
// the file: the rules give them. Positions with more empty cells on open boards come first, positions with
// equally many in the order of their ultimate.Code, which says nothing of the stones on decided boards.
// Each position comes once. A position does not count if the game is over, or if the side needs only a draw
// and the opponent can no longer win.
package certificate

import (
	"context"
	"errors"
	"fmt"
	"io"

	"trefoil/game/ultimate"
	"trefoil/internal/container"
)

// Value is the value of a position for the side to move.
type Value string

// The values.
const (
	Win  Value = "win"
	Draw Value = "draw"
	Loss Value = "loss"
)

// A Strategy is what has to be shown of a side: that it wins, or only that it does not lose.
type Strategy struct {
	Side ultimate.Side
	Wins bool
}

func (s Strategy) String() string {
	if s.Wins {
		return s.Side.String() + " wins"
	}
	return s.Side.String() + " does not lose"
}

// strategies returns the strategies that prove a value.
func strategies(p *ultimate.Position, v Value) ([]Strategy, error) {
	switch v {
	case Win:
		return []Strategy{{p.Side(), true}}, nil
	case Draw:
		return []Strategy{{ultimate.X, false}, {ultimate.O, false}}, nil
	case Loss:
		return []Strategy{{p.Side().Other(), true}}, nil
	}
	return nil, fmt.Errorf("value %.20q is not one of win, draw, loss", v)
}

// header is the header of the container.
type header struct {
	Position string `json:"position"`
	Value    Value  `json:"value"`
}

// summary is written at the end of the container.
type summary struct {
	Positions uint64 `json:"positions"`
}

// Summary says what a certificate proves.
type Summary struct {
	Position  ultimate.Position
	Value     Value
	Positions uint64 // with a move
	FileBytes uint64
}

// A Mover chooses the move of a strategy in a position with its side to move.
type Mover func(ctx context.Context, p ultimate.Position, s Strategy) (ultimate.Move, error)

// Writable returns the error that Write would return now because of the name of the file.
func Writable(out container.Output) error {
	if err := container.Writable(out, container.Certificate); err != nil {
		return fmt.Errorf("writing the certificate: %w", err)
	}
	return nil
}

// Write writes a certificate with the moves of choose, which it checks as Verify does. It returns the number of
// positions. After an error the old file, if there is one, is unchanged.
func Write(ctx context.Context, out container.Output, p ultimate.Position, v Value, choose Mover,
	progress func(positions uint64)) (positions uint64, err error) {
	all, err := strategies(&p, v)
	if err != nil {
		return 0, fmt.Errorf("writing the certificate: %w", err)
	}
	err = container.Write(out, container.Certificate, header{p.String(), v}, func(w *container.Writer) (any, error) {
		block := make([]byte, 0, container.MaxBlock)
		flush := func() error {
			defer func() { block = block[:0] }()
			return w.WriteBlock(block)
		}
		for _, s := range all {
			c := checker{Strategy: s, progress: progress, done: &positions,
				choose: func(p ultimate.Position) (ultimate.Move, error) {
					m, err := choose(ctx, p, s)
					if err == nil && len(block) == cap(block) {
						err = flush()
					}
					block = append(block, byte(m))
					return m, err
				}}
			if err := c.check(ctx, p); err != nil {
				return nil, fmt.Errorf("%v: %w", s, err)
			}
		}
		if len(block) > 0 {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		return summary{positions}, nil
	})
	if err != nil {
		err = fmt.Errorf("writing the certificate: %w", err)
	}
	return positions, err
}

// Verify checks a certificate by the rules. The file is wrong if the error is a *container.Error. A stream
// is copied to a temporary file, because the number of moves that it has bounds the positions.
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
	s = Summary{Value: h.Value, Positions: end.Positions, FileBytes: r.Size()}
	if s.Position, err = ultimate.Parse(h.Position); err != nil {
		return s, r.Errorf("%v", err)
	}
	if r.Bytes() != end.Positions {
		return s, r.Errorf("%d positions, but %d moves", end.Positions, r.Bytes())
	}
	all, err := strategies(&s.Position, h.Value)
	if err != nil {
		return s, r.Errorf("%v", err)
	}
	m := moves{reader: r}
	done := uint64(0)
	for _, one := range all {
		c := checker{Strategy: one, choose: m.next, most: &m, done: &done, progress: func(done uint64) {
			progress(done, end.Positions)
		}}
		err := c.check(ctx, s.Position)
		if wrong := (*Error)(nil); errors.As(err, &wrong) {
			return s, r.Errorf("move %d of %d: %v: %v", done, end.Positions, one, err)
		}
		if err != nil {
			return s, err
		}
	}
	if done != end.Positions {
		return s, r.Errorf("%d moves, but %d positions", end.Positions, done)
	}
	if _, err := r.Next(); err != io.EOF { // a proof without a move has a file to be checked, too
		return s, err
	}
	return s, nil
}

// moves are the moves in the blocks of a certificate.
type moves struct {
	reader *container.Reader
	block  []byte
	read   uint64
}

// left is the number of moves that have not been returned.
func (m *moves) left() uint64 { return m.reader.Bytes() - m.read }

// next returns the move of the next position.
func (m *moves) next(p ultimate.Position) (ultimate.Move, error) {
	if m.left() == 0 {
		return 0, &Error{p, "there is no move for it"}
	}
	if len(m.block) == 0 {
		b, err := m.reader.Next()
		if err != nil {
			return 0, err
		}
		m.block = b
	}
	move := ultimate.Move(m.block[0])
	m.block, m.read = m.block[1:], m.read+1
	return move, nil
}
