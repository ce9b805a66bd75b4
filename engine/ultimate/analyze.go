package ultimate

import (
	"context"
	"fmt"
	"time"

	"trefoil/game"
	rules "trefoil/game/ultimate"
	"trefoil/search/proof"
	"trefoil/search/proof/ultimategoal"
)

// analysisNodes is the first budget of a move; moves still undecided get four times as many, again and
// again.
const analysisNodes = 1 << 14

// analyze decides every move of a position that is not over, until all are decided or ctx ends.
func (s *lineSolver) analyze(ctx context.Context, p rules.Position) (found solved) {
	start := time.Now()
	if s.Time > 0 {
		limited, cancel := context.WithTimeout(ctx, time.Duration(s.Time))
		defer cancel()
		ctx = limited
	}
	defer func() { s.move = "" }()
	moves := newRootMoves(p, p.Moves(nil))
	for budget, open := uint64(analysisNodes), true; open; budget *= 4 {
		open = false
		for i := range moves {
			m := &moves[i]
			if !m.decided && !(m.tried && ctx.Err() != nil) { // before its first search a move has no numbers
				s.move, m.tried = ultimategoal.Text(m.line[:1]), true
				found.Nodes += m.search(ctx, s.solver, proof.Limits{Nodes: budget}, solveLineNodes)
			}
			open = open || !m.decided && ctx.Err() == nil
		}
	}
	found.Seconds = time.Since(start).Seconds()
	sorted := sortMoves(moves)
	lower, upper := game.Loss, game.Loss
	for i := range sorted {
		m := &sorted[i]
		low, high := m.bounds()
		lower, upper = max(lower, low), max(upper, high)
		v := valued{Move: ultimategoal.Text(m.line[:1]), Value: boundsText(low, high)}
		if m.decided {
			v.PV = ultimategoal.Text(m.line)
		} else {
			v.Proof = m.numbers()
		}
		found.Moves = append(found.Moves, v)
	}
	found.Value, found.PV = outcomeText(lower), ultimategoal.Text(sorted[0].line)
	if lower != upper {
		found.Value, found.Lower, found.Upper = unknown, outcomeText(lower), outcomeText(upper)
	}
	return found
}

// bounds returns the least and the greatest value that the move can have for the side that makes it.
func (m *rootMove) bounds() (lower, upper game.Outcome) {
	switch {
	case m.decided:
		return -m.d.Outcome, -m.d.Outcome
	case m.d.Wins.Result == proof.Disproved:
		return game.Draw, game.Win
	}
	return game.Loss, game.Win
}

// boundsText writes a value, or LOWER..UPPER if it is not known.
func boundsText(lower, upper game.Outcome) string {
	if lower == upper {
		return outcomeText(lower)
	}
	return outcomeText(lower) + ".." + outcomeText(upper)
}

// numbers is the state of the unfinished proof.
func (m *rootMove) numbers() string {
	goal, a := "loss", &m.d.Wins
	if a.Result == proof.Disproved {
		goal, a = "win", &m.d.Loses
	}
	return fmt.Sprintf("%s? φ %d δ %d", goal, a.Phi, a.Delta)
}
