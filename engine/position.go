package engine

import (
	"trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/search/alphabeta"
)

// position is what the search sees: the rules and an evaluator.
type position struct {
	*chess.Position
	eval   *eval.Evaluator
	roster *roster
}

// The search looks these up: a method that is missing would be left out in silence.
var _ interface {
	alphabeta.Position
	alphabeta.Checker
	alphabeta.NullMover
	alphabeta.Exchanger
	alphabeta.EscapeScorer
	alphabeta.Rule50Counter
	alphabeta.CorrectionKeyer
	alphabeta.KeyPredictor
} = (*position)(nil)

// Eval is the static evaluation for the side to move.
func (p *position) Eval() int { return p.eval.Evaluate(p.Position) }

// Clone is an independent copy for another worker.
func (p *position) Clone() alphabeta.Position { return p.roster.wrap(p.Copy()) }

// roster keeps the evaluators from one search to the next: what they remember of
// pawns stays true, and no search has to make them. Its methods are called from
// one goroutine.
type roster struct {
	all  []*eval.Evaluator
	used int
}

// root wraps the position that a search starts from; the evaluators of the last
// search are free again.
func (r *roster) root(p *chess.Position) *position {
	r.used = 0
	return r.wrap(p)
}

func (r *roster) wrap(p *chess.Position) *position {
	if r.used == len(r.all) {
		r.all = append(r.all, eval.New())
	}
	r.used++
	return &position{Position: p, eval: r.all[r.used-1], roster: r}
}
