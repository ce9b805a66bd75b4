package shogi

import (
	"trefoil/engine/alphabetagame"
	rules "trefoil/game/shogi"
	"trefoil/game/shogi/eval"
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
