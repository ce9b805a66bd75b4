package chess

import (
	_ "embed"

	"trefoil/engine/alphabetagame"
	rules "trefoil/game/chess"
	"trefoil/game/chess/eval"
	chessnnue "trefoil/game/chess/nnue"
	"trefoil/nnue"
)

type (
	evaluator  = alphabetagame.Evaluator[*rules.Position]
	evaluation = alphabetagame.Evaluation[*rules.Position]
	evaluators = alphabetagame.Evaluators[*rules.Position]
)

var handWritten = alphabetagame.HandWritten(func() evaluator { return eval.New() })

//go:embed chess.net
var net []byte

var byNet = alphabetagame.ByNet(chessnnue.Read, func(n *nnue.Net) evaluator { return chessnnue.NewEvaluator(n) })

// own is the evaluation of the program, by its net.
var own = alphabetagame.Embedded(byNet, net)

// OwnEvaluation returns the evaluation that the program has without an EvalFile.
func OwnEvaluation() alphabetagame.Evaluation[*rules.Position] { return own }

// evalFile is the option of that name.
var evalFile = alphabetagame.EvalFile[*rules.Position]{
	Game: name, UCI: "EvalFile", Own: own, HandWritten: handWritten, MaxBytes: 2 << 20, Read: byNet,
}
