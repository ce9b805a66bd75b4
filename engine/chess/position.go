package chess

import (
	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/search/alphabeta"
)

// Position is what alpha-beta searches: the rules and an evaluator.
type Position struct {
	*rules.Position
	Evaluator *eval.Evaluator
	pool      *EvaluatorPool
}

// alphabeta asserts these at run time: a method that is missing would switch its technique off.
var _ interface {
	alphabeta.Position
	alphabeta.Checker
	alphabeta.NullMover
	alphabeta.Exchanger
	alphabeta.EscapeScorer
	alphabeta.Rule50Counter
	alphabeta.CorrectionKeyer
	alphabeta.KeyPredictor
} = (*Position)(nil)

// Eval is the static evaluation for the side to move.
func (p *Position) Eval() int { return p.Evaluator.Evaluate(p.Position) }

// Clone is an independent copy for another worker.
func (p *Position) Clone() alphabeta.Position { return p.pool.position(p.Copy()) }

// EvaluatorPool keeps the evaluators from one search to the next: their pawn caches stay
// valid, and no search has to allocate them. Its methods are called by one goroutine.
type EvaluatorPool struct {
	all  []*eval.Evaluator
	used int
}

// Root returns the root of a search; the evaluators of the previous search are free
// again.
func (e *EvaluatorPool) Root(p *rules.Position) *Position {
	e.used = 0
	return e.position(p)
}

func (e *EvaluatorPool) position(p *rules.Position) *Position {
	if e.used == len(e.all) {
		e.all = append(e.all, eval.New())
	}
	e.used++
	return &Position{Position: p, Evaluator: e.all[e.used-1], pool: e}
}
