package ultimate

import (
	_ "embed"

	"trefoil/engine/alphabetagame"
	rules "trefoil/game/ultimate"
	"trefoil/game/ultimate/eval"
	ultimatennue "trefoil/game/ultimate/nnue"
	"trefoil/nnue"
	"trefoil/search/alphabeta"
)

type (
	evaluator  = alphabetagame.Evaluator[*rules.Walker]
	evaluation = alphabetagame.Evaluation[*rules.Walker]
	evaluators = alphabetagame.Evaluators[*rules.Walker]
)

// byHand is the hand-written evaluation.
type byHand struct{}

func (byHand) Evaluate(w *rules.Walker) int { return eval.Evaluate(&w.Position) }

// Bytes is 0: there is nothing to keep.
func (byHand) Bytes() uint64 { return 0 }

var handWritten = alphabetagame.HandWritten(func() evaluator { return byHand{} })

//go:embed ultimate.net
var net []byte

var byNet = alphabetagame.ByNet(ultimatennue.Read, func(n *nnue.Net) evaluator { return ultimatennue.NewEvaluator(n) })

// own is the evaluation of the program, by its net.
var own = alphabetagame.Embedded(byNet, net)

// OwnEvaluation returns the evaluation that alpha-beta has without an EvalFile.
func OwnEvaluation() alphabetagame.Evaluation[*rules.Walker] { return own }

// evalFile declares the option Ultimate EvalFile. In UCI, EvalFile is for chess.
var evalFile = alphabetagame.EvalFile[*rules.Walker]{
	Game: name, UCI: "Ultimate EvalFile", Own: own, HandWritten: handWritten, MaxBytes: 2 << 20,
	Read: byNet,
}

// position is what alpha-beta searches: the rules and an evaluator.
type position struct {
	*rules.Walker
	eval evaluator
	pool *evaluators
}

// alphabeta asserts these at run time: a method that is missing would switch its technique off.
var _ interface {
	alphabeta.Position
	alphabeta.MateFinder
	alphabeta.KeyPredictor
	alphabeta.CorrectionKeyer
	alphabeta.Parametrized
} = (*position)(nil)

// root returns the root of a search; the evaluators of the previous search are free again.
func root(p rules.Position, pool *evaluators) *position {
	pool.Restart()
	return newPosition(rules.NewWalker(p), pool)
}

func newPosition(w *rules.Walker, pool *evaluators) *position {
	return &position{Walker: w, eval: pool.Next(), pool: pool}
}

// Eval is the static evaluation for the side to move.
func (p *position) Eval() int { return p.eval.Evaluate(p.Walker) }

// Params are the parameters of the search.
func (p *position) Params() *alphabeta.Params { return alphabeta.Ultimate }

// Clone is an independent copy for another worker.
func (p *position) Clone() alphabeta.Position { return newPosition(p.Copy(), p.pool) }
