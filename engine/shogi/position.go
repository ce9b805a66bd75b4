package shogi

import (
	"trefoil/game"
	rules "trefoil/game/shogi"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis/observe"
)

// position is what alpha-beta searches: the rules and an evaluator.
type position struct {
	*rules.Position
	eval  evaluator
	mates mateFinder // nil if the evaluator is none
	pool  *evaluators
}

// mateFinder is an evaluator that finds mates in one with what it has computed for the position
// evaluated last.
type mateFinder interface {
	MateInOne(*rules.Position) game.Move
}

// alphabeta asserts these at run time: a method that is missing would switch its technique off.
var _ interface {
	alphabeta.Position
	alphabeta.Checker
	alphabeta.QuietChecker
	alphabeta.MateFinder
	alphabeta.NullMover
	alphabeta.Exchanger
	alphabeta.ThreatScorer
	alphabeta.CorrectionKeyer
	alphabeta.KeyPredictor
	alphabeta.Parametrized
	observe.SecondKeyer
} = (*position)(nil)

// root returns the root of a search; the evaluators of the previous search are free again.
func root(p *rules.Position, pool *evaluators) *position {
	pool.Restart()
	return newPosition(p, pool)
}

func newPosition(p *rules.Position, pool *evaluators) *position {
	e := pool.Next()
	mates, _ := e.(mateFinder)
	return &position{Position: p, eval: e, mates: mates, pool: pool}
}

// Eval is the static evaluation for the side to move.
func (p *position) Eval() int { return p.eval.Evaluate(p.Position) }

// Params are the parameters of the search.
func (p *position) Params() *alphabeta.Params { return alphabeta.Shogi }

// MateInOne is a move that mates beside the enemy king, if this position was evaluated last.
func (p *position) MateInOne() game.Move {
	if p.mates != nil {
		return p.mates.MateInOne(p.Position)
	}
	return p.MateBeside()
}

// Clone is an independent copy for another worker.
func (p *position) Clone() alphabeta.Position { return newPosition(p.Copy(), p.pool) }
