package shogi

import (
	"trefoil/game"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/search/alphabeta"
	"trefoil/ttanalysis/observe"
)

// position is what alpha-beta searches: the rules and an evaluator.
type position struct {
	*rules.Position
	eval *eval.Evaluator
}

// alphabeta asserts these at run time: a method that is missing would switch its technique off.
var _ interface {
	alphabeta.Position
	alphabeta.Checker
	alphabeta.QuietChecker
	alphabeta.MateFinder
	alphabeta.NullMover
	alphabeta.Exchanger
	alphabeta.CorrectionKeyer
	alphabeta.KeyPredictor
	observe.SecondKeyer
} = (*position)(nil)

// Eval is the static evaluation for the side to move.
func (p *position) Eval() int { return p.eval.Evaluate(p.Position) }

// MateInOne is a move that mates beside the enemy king, if this position was evaluated last.
func (p *position) MateInOne() game.Move { return p.eval.MateInOne(p.Position) }

// Clone is an independent copy for another worker.
func (p *position) Clone() alphabeta.Position {
	return &position{Position: p.Copy(), eval: eval.New()}
}
