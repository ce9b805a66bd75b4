package chess

import (
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

// own is the evaluation of the program, which has no net yet.
var own = handWritten

func ownEvaluation() evaluation { return own }

// evalFile is the option of that name.
var evalFile = alphabetagame.EvalFile[*rules.Position]{
	Game: name, UCI: "EvalFile", Own: own, HandWritten: handWritten, MaxBytes: 2 << 20,
	Read: alphabetagame.ByNet(chessnnue.Read, func(n *nnue.Net) evaluator { return chessnnue.NewEvaluator(n) }),
}
