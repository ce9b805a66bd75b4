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
	least, most, column := int32(-b.Cells), int32(-b.Cells), -1 // below every score
	if _, over := p.Over(); over {
		return -1
	}
	t, tabled := s.prover.(tabled)
	for _, col := range b.MiddleFirst {
		switch {
		case !p.CanPlay(col):
			continue
		case !p.Wins().And(b.Column(col)).IsZero():
			return col
		}
		lower, upper := -least, most // of Tutorial nothing is known
		if tabled {
			lower, upper = t.after(p, col)
		}
		if lower > least || lower == least && upper > most {
			least, most, column = lower, upper, col
		}
	}
	return column
}

// Move returns a column that keeps a score of at least score, which must be a proved lower bound
// of p; −1 if ctx or the limits ended the search for it.
func (s *Solver) Move(ctx context.Context, p connect4.Position, score int, l Limits) int {
	col, _ := s.best(p, score, newQuota(ctx, l, time.Now()))
	return col
}
