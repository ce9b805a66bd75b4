package book

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"trefoil/game/connect4"
	"trefoil/internal/container"
)

// Verify checks a book by the rules of the game and returns it. It has all positions of at most its ply of
// stones that are not over, of two mirror images one, and no others. The score of each position with fewer
// stones follows from the scores after its moves. The scores of the last ply follow from nothing in the
// book; last is called with all of them, in the order of the keys. The book is wrong if the error is a
// *container.Error. Verify takes 9 bytes of memory for each position.
func Verify(ctx context.Context, in container.Input, last func(p connect4.Position, score int) error) (*Book, error) {
	b, err := OpenFrom(in)
	if err != nil {
		return nil, err
	}
	v := verifier{Book: b, file: in.Name, plies: make([]uint8, len(b.words))}
	err = v.meet(b.board.Start())
	for ply := 0; ply <= b.ply && err == nil; ply++ {
		for i := 0; i < len(b.words) && err == nil; i++ {
			switch {
			case i%(1<<16) == 0 && ctx.Err() != nil:
				err = context.Cause(ctx)
			case int(v.plies[i]) != ply+1:
			default:
				err = v.position(i, last)
			}
		}
	}
	if i := slices.Index(v.plies, 0); err == nil && i >= 0 {
		err = v.errorf("position %d, key %d, cannot arise within %d plies", i+1, b.words[i]>>8, b.ply)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// verifier is a book of which some positions have been met.
type verifier struct {
	*Book
	file  string
	plies []uint8 // the stones of each position that has been met, + 1; else 0
}

// position checks position i, which has been met.
func (v *verifier) position(i int, last func(p connect4.Position, score int) error) error {
	p, score := v.board.PositionOf(0, v.words[i]>>8), int(v.words[i]&0xff)-zero
	if p.Ply() == v.ply {
		most, least := p.WinScore(), -(v.board.Cells-p.Ply())/2 // the other side wins by its next stone
		if score > most || score < least {
			return v.errorf("position %s: score is %d, expected %d to %d", name(p), score, least, most)
		}
		return last(p, score)
	}
	best := -v.board.Cells
	for _, q := range children(p) {
		won, over := q.Over()
		after := 0
		switch {
		case won:
			after = p.WinScore()
		case !over:
			if err := v.meet(q); err != nil {
				return err
			}
			below, _ := v.Score(q)
			after = -below
		}
		best = max(best, after)
	}
	if score != best {
		return v.errorf("position %s: score is %d, but that of its best move %d", name(p), score, best)
	}
	return nil
}

// meet notes a position, which the book has to have.
func (v *verifier) meet(p connect4.Position) error {
	i, found := slices.BinarySearchFunc(v.words, canonical(p), func(word, key uint64) int {
		return cmp.Compare(word>>8, key)
	})
	if !found {
		return v.errorf("position %s is missing", name(p))
	}
	v.plies[i] = uint8(p.Ply() + 1)
	return nil
}

func (v *verifier) errorf(format string, args ...any) error {
	return &container.Error{Path: v.file, Problem: fmt.Sprintf(format, args...)}
}

// name names a position by its moves.
func name(p connect4.Position) string {
	columns, ok := p.Columns()
	if !ok || columns == "" {
		return "startpos"
	}
	return columns
}
