package chess

import (
	rules "trefoil/game/chess"
	"trefoil/nnue"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis/observe"
)

// position is what alpha-beta searches: the rules and an evaluator.
type position struct {
	*rules.Position
	eval evaluator
	pool *evaluatorPool
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
	observe.SecondKeyer
} = (*position)(nil)

// Eval is the static evaluation for the side to move.
func (p *position) Eval() int { return p.eval.Evaluate(p.Position) }

// Clone is an independent copy for another worker.
func (p *position) Clone() alphabeta.Position { return p.pool.position(p.Copy()) }

// evaluatorPool keeps the evaluators from one search to the next: their caches stay valid, and no
// search has to allocate them. Its methods are called by one goroutine.
type evaluatorPool struct {
	net  *nnue.Net // nil: the hand-written evaluation
	all  []evaluator
	used int
}

// root returns the root of a search; the evaluators of the previous search are free
// again.
func (e *evaluatorPool) root(p *rules.Position) *position {
	e.used = 0
	return e.position(p)
}

func (e *evaluatorPool) position(p *rules.Position) *position {
	if e.used == len(e.all) {
		e.all = append(e.all, newEvaluator(e.net))
	}
	e.used++
	return &position{Position: p, eval: e.all[e.used-1], pool: e}
}
