package exact

import (
	"context"
	"fmt"
	"math"
	"time"

	"trefoil/game/connect4"
	"trefoil/remainder"
)

// question returns what to ask next about a position with ply stones whose score is from
// lower to upper, so that what is left of it is only what the limits do not ask for.
//
// Within Depth plies the mover has at most (Depth+1)/2 stones more and the other side
// Depth/2: only scores from win up, and from loss down, are that near. They are asked
// for first, as one question each; the proofs are short, because below them nothing deeper
// counts. Then, or without Depth, next tells.
func (l Limits) question(ply, lower, upper int, next func(lower, upper int) int) (t int, ok bool) {
	if lower >= upper {
		return 0, false
	}
	const half = connect4.Cells/2 + 1
	depth := min(l.Depth, connect4.Cells)
	win := max(half-ply/2-(depth+1)/2, 1)
	loss := min((ply+1)/2+depth/2-half, -1)
	switch {
	case depth == 0 || lower >= win || upper <= loss:
		return next(lower, upper), true
	case upper >= win:
		return win, true
	case lower <= loss:
		return loss + 1, true
	}
	return 0, false
}

// Hint returns the column that promises most by the rules and by what the table knows of
// the positions after each. It searches nothing. −1 if the game is over.
func (s *Solver) Hint(p connect4.Position) int {
	best, column := [2]int32{-connect4.Cells, -connect4.Cells}, -1
	if _, over := p.Over(); over {
		return -1
	}
	wins := connect4.Wins(p.Mover, p.All) & p.Moves()
	for _, col := range middleFirst {
		cell := p.Moves() & connect4.Column(col)
		switch {
		case cell == 0:
			continue
		case cell&wins != 0:
			return col
		}
		if known := s.after(p, cell); known[0] > best[0] || known[0] == best[0] && known[1] > best[1] {
			best, column = known, col
		}
	}
	return column
}

// after returns bounds of the score of p if its mover, who cannot win at once, plays cell.
func (s *Solver) after(p connect4.Position, cell uint64) [2]int32 {
	n := newNode(p)
	var c node
	n.child(cell, &c)
	if c.moverWins&((p.All|cell)+connect4.Bottom) != 0 {
		loss := -(connect4.Cells - n.ply) / 2
		return [2]int32{loss, loss}
	}
	if p.All|cell == connect4.Board {
		return [2]int32{}
	}
	if !c.resolve() {
		c.bound(0)
		c.bound(1)
		if b, ok := s.prover.(*best); ok {
			c.key = c.keyOf(n.canMirror())
			b.team.workers[0].probe(&c)
		}
	}
	lower, upper := c.bounds()
	return [2]int32{lower, upper}
}

// Move returns a column that keeps a score of at least that much, which must have been
// proved of p; −1 if ctx or the limits ended the search for it.
func (s *Solver) Move(ctx context.Context, p connect4.Position, score int, l Limits) int {
	col, _ := s.best(p, score, newQuota(ctx, l, time.Now()))
	return col
}

// middleFirst are the columns in the order in which they promise most on an empty board.
var middleFirst = [connect4.Width]int{3, 2, 4, 1, 5, 0, 6}

// SetThreads changes the number of workers over the table; the tutorial has always one.
func (s *Solver) SetThreads(n int) {
	b, ok := s.prover.(*best)
	if !ok {
		return
	}
	n = max(1, min(n, MaxThreads))
	b.team.workers = b.team.workers[:min(n, len(b.team.workers))]
	for len(b.team.workers) < n {
		b.team.workers = append(b.team.workers, &worker{table: b.table, team: &b.team})
	}
}

// Prefault touches all memory of the table, so that no search has to wait for the
// system. It may run beside anything but Close, and ends with ctx.
func (s *Solver) Prefault(ctx context.Context) error {
	if b, ok := s.prover.(*best); ok {
		return b.table.Prefault(ctx)
	}
	return nil
}

// maxHash is the most MiB whose bytes are a number.
const maxHash = math.MaxInt64 >> 20

// HugeBytes returns how many bytes of the table lie on huge pages now; false where the
// system does not tell.
func (s *Solver) HugeBytes() (uint64, bool) {
	if b, ok := s.prover.(*best); ok {
		return b.table.HugeBytes()
	}
	return 0, false
}

// Shape returns the shape that the table of New has for that much Hash.
func Shape(hash int) (remainder.Shape, error) {
	if hash < 1 || int64(hash) > maxHash {
		return remainder.Shape{}, fmt.Errorf("exact: %d MiB: want 1 to %d", hash, int64(maxHash))
	}
	shape, err := remainder.Plan(uint64(hash)<<20, 4, connect4.MaxKey)
	shape.KeyBits = keyBits // more than it needs: that many are left for the value
	return shape, err
}

// String describes the table.
func (s *Solver) String() string {
	b, ok := s.prover.(*best)
	if !ok {
		return fmt.Sprintf("%d bytes, the tutorial's", s.Size())
	}
	shape := b.table.Shape()
	return fmt.Sprintf("%d buckets of %d, %d key bits, exact", shape.Buckets, shape.EntriesPerBucket, shape.KeyBits)
}
