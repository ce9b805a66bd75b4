package shogi

import (
	_ "embed"

	"trefoil/engine/alphabetagame"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/nnue"
)

type (
	evaluator  = alphabetagame.Evaluator[*rules.Position]
	evaluation = alphabetagame.Evaluation[*rules.Position]
	evaluators = alphabetagame.Evaluators[*rules.Position]
)

var handWritten = alphabetagame.HandWritten(func() evaluator { return eval.New() })

//go:embed shogi.net
var net []byte

var byNet = alphabetagame.ByNet(shoginnue.Read, func(n *nnue.Net) evaluator { return shoginnue.NewEvaluator(n) })

// unit is the value that is reported as 100 centipawns, except by EvalDir. In games of the net at 20,000 nodes a move
// it wins as often as 100 centipawns should, by ShogiHome's curve.
const unit = 74

// own is the evaluation of the program, by its net.
var own = alphabetagame.Embedded(byNet, net)

// OwnEvaluation returns the evaluation that the program has without an EvalFile.
func OwnEvaluation() alphabetagame.Evaluation[*rules.Position] { return own }

// evalFile declares the option EvalFile of USI. In UCI, where EvalFile is for chess, it is Shogi EvalFile.
var evalFile = alphabetagame.EvalFile[*rules.Position]{
	Game: name, UCI: "Shogi EvalFile", USI: "EvalFile", Own: own, HandWritten: handWritten, MaxBytes: 8 << 20, Read: byNet,
}
