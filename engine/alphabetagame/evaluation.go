package alphabetagame

import (
	"fmt"

	"trefoil/nnue"
)

// Evaluator evaluates positions of the type P for one worker.
type Evaluator[P any] interface {
	// Evaluate is the value of a position in centipawns for the side to move, which is not in check.
	Evaluate(P) int
	// Bytes is how much memory it takes.
	Bytes() uint64
}

// Evaluation is a way to evaluate the positions of a game.
type Evaluation[P any] struct {
	// Name says in words what evaluates. Evaluations of the same name evaluate alike.
	Name string
	// New returns an evaluator for one worker.
	New func() Evaluator[P]
	// Unit is the value that is reported as 100 centipawns; with 0 the game decides.
	Unit int
}

// HandWrittenName is the name of the evaluation without a net.
const HandWrittenName = "hand-written"

// HandWritten returns the evaluation without a net.
func HandWritten[P any](newEvaluator func() Evaluator[P]) Evaluation[P] {
	return Evaluation[P]{Name: HandWrittenName, New: newEvaluator}
}

// ByNet returns a function that makes the evaluation by the net of a file. read makes the net of its
// contents.
func ByNet[P any](read func(data []byte) (*nnue.Net, error),
	newEvaluator func(*nnue.Net) Evaluator[P]) func(data []byte) (Evaluation[P], error) {
	return func(data []byte) (e Evaluation[P], err error) {
		net, err := read(data)
		if err != nil {
			return e, err
		}
		e.Name = fmt.Sprintf("net %08x, %d neurons", net.Checksum(), net.Hidden)
		e.New = func() Evaluator[P] { return newEvaluator(net) }
		return e, nil
	}
}

// Embedded returns the evaluation by a net that is part of the program.
func Embedded[P any](byNet func(data []byte) (Evaluation[P], error), net []byte) Evaluation[P] {
	e, err := byNet(net)
	if err != nil {
		panic(err) // a mistake of the program
	}
	return e
}

// Evaluators are the evaluators of one Evaluation. They are kept from one search to the next: their caches
// stay valid, and no search has to allocate them. Methods are called by one goroutine.
type Evaluators[P any] struct {
	Evaluation[P]
	all  []Evaluator[P]
	used int
}

// NewEvaluators returns the evaluators of an evaluation.
func NewEvaluators[P any](e Evaluation[P]) *Evaluators[P] { return &Evaluators[P]{Evaluation: e} }

func (e *Evaluators[P]) name() string { return e.Name }

// Restart is called when a search begins: the evaluators of the previous one are free again.
func (e *Evaluators[P]) Restart() { e.used = 0 }

// Next returns an evaluator that no other worker of the search has.
func (e *Evaluators[P]) Next() Evaluator[P] {
	if e.used == len(e.all) {
		e.all = append(e.all, e.New())
	}
	e.used++
	return e.all[e.used-1]
}

// Bytes returns how much memory each evaluator takes.
func (e *Evaluators[P]) Bytes() uint64 {
	if len(e.all) == 0 {
		e.all = append(e.all, e.New())
	}
	return e.all[0].Bytes()
}

// release frees the memory of the evaluators. No search is running.
func (e *Evaluators[P]) release() { e.all, e.used = nil, 0 }

// SetEvaluation changes the evaluation of a player with these evaluators, and reports which it is. The
// table is emptied only if it is another one than before. After an error all is as before.
func SetEvaluation[P any](p *Player, evaluators *Evaluators[P], to Evaluation[P]) error {
	old := *evaluators
	*evaluators = Evaluators[P]{Evaluation: to} // a net of the same name too: the old one is to be freed
	if to.Name != old.Name {
		if err := p.Reevaluate(); err != nil {
			*evaluators = old
			return err
		}
	}
	p.Notices.Add("evaluation: " + to.Name)
	return nil
}

// PrintValue prints a value by an evaluation below the terms of the hand-written one. first is the
// name of the first player, side 0 if it is to move.
func PrintValue(by string, value, side int, first string, print func(string)) {
	print(fmt.Sprintf("value %+.2f for %s by the net in use (%s)", float64(value*(1-2*side))/100, first, by))
}
