package chess

import (
	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis/observe"
)

// position is what alpha-beta searches: the rules and an evaluator.
type position struct {
	*rules.Position
	eval   evaluator
	pool   *evaluators
	tables *prober // nil: none
}

// alphabeta asserts these at run time: a method that is missing would switch its technique off.
var _ interface {
	alphabeta.Position
	alphabeta.Checker
	alphabeta.NullMover
	alphabeta.Exchanger
	alphabeta.ThreatScorer
	alphabeta.Rule50Counter
	alphabeta.CorrectionKeyer
	alphabeta.KeyPredictor
	alphabeta.TablebaseProber
	observe.SecondKeyer
} = (*position)(nil)

// Eval is the static evaluation for the side to move.
func (p *position) Eval() int { return p.eval.Evaluate(p.Position) }

// CorrectionKeys is alphabeta.CorrectionKeyer.CorrectionKeys.
func (p *position) CorrectionKeys(keys *[4]uint64) int {
	n := p.Position.CorrectionKeys(keys)
	if eval.Settled(p.Position) {
		return alphabeta.NoCorrection
	}
	return n
}

// Clone is an independent copy for another worker.
func (p *position) Clone() alphabeta.Position {
	c := newPosition(p.Copy(), p.pool)
	c.tables = p.tables
	return c
}

// root returns the root of a search; the evaluators of the previous search are free again.
func root(p *rules.Position, pool *evaluators) *position {
	pool.Restart()
	return newPosition(p, pool)
}

func newPosition(p *rules.Position, pool *evaluators) *position {
	return &position{Position: p, eval: pool.Next(), pool: pool}
}
