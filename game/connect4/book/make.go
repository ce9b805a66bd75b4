package book

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"trefoil/game/connect4"
	"trefoil/internal/container"
	"trefoil/internal/disk"
)

// A Solver finds the exact scores of positions, in any order, and calls found for each position, from any
// goroutine. An error ends Make. A Solver returns an error of found.
type Solver func(ctx context.Context, positions []connect4.Position, found func(connect4.Position, int) error) error

// Each returns a Solver of functions that return the exact score of a position. Each is called by a
// goroutine of its own.
func Each(solve ...func(context.Context, connect4.Position) (int, error)) Solver {
	return func(ctx context.Context, positions []connect4.Position, found func(connect4.Position, int) error) error {
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		var next atomic.Int64
		var working sync.WaitGroup
		for _, solve := range solve {
			working.Go(func() {
				for i := next.Add(1); i <= int64(len(positions)) && ctx.Err() == nil; i = next.Add(1) {
					p := positions[i-1]
					score, err := solve(ctx, p)
					if err == nil {
						err = found(p, score)
					}
					if err != nil {
						stop(err)
					}
				}
			})
		}
		working.Wait()
		return context.Cause(ctx)
	}
}

// Make writes the book of all positions of a board up to ply to a file that must not exist.
//
// Only the positions of the last ply are solved; the scores of the others follow from theirs. progress,
// unless nil, is called with the number of positions that are solved, first with the number in the journal,
// by one goroutine at a time.
//
// Each solved position is written at once to a journal, path.part, from which a later Make
// continues. It is removed when the book is complete. Of two calls for the same path at the same
// time the second fails.
func Make(ctx context.Context, path string, on *connect4.Board, ply int, solver Solver,
	progress func(done, total int)) error {
	if path == "" {
		return errors.New("the name of the book is empty")
	}
	if err := check(on, ply); err != nil {
		return err
	}
	if _, err := disk.Lstat(path); err == nil {
		return fmt.Errorf("%s exists already", path)
	}
	journal := path + ".part"
	if _, err := write(ctx, container.Replace(path), journal, on, ply, solver, progress); err != nil {
		return err
	}
	return disk.Remove(journal)
}

// MakeTo is Make for a stream, without a journal: what has been solved is lost after an error. It returns the book.
func MakeTo(ctx context.Context, out container.Output, on *connect4.Board, ply int, solver Solver,
	progress func(done, total int)) (*Book, error) {
	if err := check(on, ply); err != nil {
		return nil, err
	}
	return write(ctx, out, "", on, ply, solver, progress)
}

// write makes a book and writes it.
func write(ctx context.Context, out container.Output, journal string, on *connect4.Board, ply int, solver Solver,
	progress func(done, total int)) (b *Book, err error) {
	err = container.Write(out, container.Book, newHeader(on, ply), func(w *container.Writer) (any, error) {
		if b, err = build(ctx, journal, on, ply, solver, progress); err != nil {
			return nil, err
		}
		return summary{uint64(b.Len())}, b.write(w)
	})
	if err != nil {
		return nil, fmt.Errorf("making the book: %w", err)
	}
	return b, nil
}

// check refuses a ply that no book has, and a board whose positions do not fit into a book.
func check(on *connect4.Board, ply int) error {
	if ply < 0 || ply > MaxPly {
		return fmt.Errorf("ply %d is not from 0 to %d", ply, MaxPly)
	}
	return fits(on)
}

// Positions returns the positions that Make solves, of two mirror images one, always in the same order.
func Positions(ctx context.Context, on *connect4.Board, ply int) ([]connect4.Position, error) {
	if err := check(on, ply); err != nil {
		return nil, err
	}
	levels, err := positions(ctx, on, ply)
	if err != nil {
		return nil, err
	}
	return levels[ply], nil
}

// build solves what the journal does not have yet, everything if there is none.
func build(ctx context.Context, journal string, on *connect4.Board, ply int, solver Solver,
	progress func(done, total int)) (*Book, error) {
	levels, err := positions(ctx, on, ply)
	if err != nil {
		return nil, err
	}
	last := levels[ply]
	j, err := openJournal(journal, on, ply, last)
	if err != nil {
		return nil, err
	}
	defer j.close()
	report := func() {
		if progress != nil {
			progress(len(j.scores), len(last))
		}
	}
	report()
	if err := j.solve(ctx, last, solver, report); err != nil {
		return nil, fmt.Errorf("%d of %d positions are solved: %w", len(j.scores), len(last), err)
	}
	b := &Book{board: on, ply: ply}
	for key, score := range backUp(levels, j.scores) {
		b.words = append(b.words, word(key, score))
	}
	slices.Sort(b.words)
	return b, nil
}

// positions returns, for every ply up to the last, the positions that are not over,
// of two mirror images one, in the order of their keys.
func positions(ctx context.Context, b *connect4.Board, last int) ([][]connect4.Position, error) {
	levels := [][]connect4.Position{{b.Start()}}
	for range last {
		next := make(map[uint64]connect4.Position)
		for _, p := range levels[len(levels)-1] {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("no position is solved yet: %w", context.Cause(ctx))
			}
			for _, q := range children(p) {
				if _, over := q.Over(); !over {
					next[canonical(q)] = q
				}
			}
		}
		level := make([]connect4.Position, 0, len(next))
		for _, key := range slices.Sorted(maps.Keys(next)) {
			level = append(level, next[key])
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// children are the positions after one move.
func children(p connect4.Position) (after []connect4.Position) {
	for col := range p.Board().Width {
		if p.CanPlay(col) {
			after = append(after, p.Play(col))
		}
	}
	return after
}

// backUp adds the scores of all earlier levels to the scores of the last level.
func backUp(levels [][]connect4.Position, scores map[uint64]int) map[uint64]int {
	for _, level := range slices.Backward(levels[:len(levels)-1]) {
		for _, p := range level {
			best := -p.Board().Cells
			for _, q := range children(p) {
				score := p.WinScore() // by this move
				if won, _ := q.Over(); !won {
					score = -scores[canonical(q)]
				}
				best = max(best, score)
			}
			scores[canonical(p)] = best
		}
	}
	return scores
}
