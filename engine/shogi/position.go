package shogi

import (
	"trefoil/game"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/search/alphabeta"
)

// Position is what alpha-beta searches: the rules and an evaluator.
type Position struct {
	*rules.Position
	Evaluator *eval.Evaluator
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
} = (*Position)(nil)

// Eval is the static evaluation for the side to move.
func (p *Position) Eval() int { return p.Evaluator.Evaluate(p.Position) }

// MateInOne is a move that mates beside the enemy king, if this position was evaluated last.
func (p *Position) MateInOne() game.Move { return p.Evaluator.MateInOne(p.Position) }

// Clone is an independent copy for another worker.
func (p *Position) Clone() alphabeta.Position {
	return &Position{Position: p.Copy(), Evaluator: eval.New()}
}
