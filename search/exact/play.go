package exact

import (
	"context"
	"time"

	"trefoil/game/connect4"
)

// Hint returns the column with the best bounds by the rules and the table, without a search; −1 if
// the game is over.
func (s *Solver) Hint(p connect4.Position) int {
	b := p.Board()
	best, column := [2]int32{-64, -64}, -1 // below every score
	if _, over := p.Over(); over {
		return -1
	}
	wins := b.Wins(p.Mover, p.All) & p.Moves()
	for _, col := range b.MiddleFirst {
		cell := p.Moves() & b.Column(col)
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

// after returns bounds of the score of p if its mover, which cannot win at once, plays cell.
func (s *Solver) after(p connect4.Position, cell uint64) [2]int32 {
	n := newNode(p)
	var c node
	best, ok := s.prover.(*best)
	if !ok {
		return [2]int32{-64, 64}
	}
	b := best.board
	n.child(b, cell, &c)
	if c.moverWins&b.Moves(p.All|cell) != 0 {
		loss := -(b.cells - n.ply) / 2
		return [2]int32{loss, loss}
	}
	if p.All|cell == b.All {
		return [2]int32{}
	}
	if !c.resolve(b) {
		c.bound(b, 0)
		c.bound(b, 1)
		c.setKey(b, n.canMirror(b))
		best.pool.workers[0].probe(&c)
	}
	lower, upper := c.bounds()
	return [2]int32{lower, upper}
}

// Move returns a column that keeps a score of at least score, which must be a proved lower bound
// of p; −1 if ctx or the limits ended the search for it.
func (s *Solver) Move(ctx context.Context, p connect4.Position, score int, l Limits) int {
	col, _ := s.best(p, score, newQuota(ctx, l, time.Now()))
	return col
}
