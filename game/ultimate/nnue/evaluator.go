package nnue

import (
	"unsafe"

	"trefoil/game/ultimate"
	"trefoil/nnue"
	"trefoil/nnue/accumulator"
)

// Limit bounds the evaluation: it stays far below the value of a win.
const Limit = 10_000

// An Evaluator evaluates positions by a net. It is not safe for concurrent use, and allocates only when
// made. It keeps the accumulators of earlier positions (see package accumulator).
type Evaluator struct {
	net   *nnue.Net
	stack *accumulator.Stack[Board]
}

// NewEvaluator returns an Evaluator with a net of Ultimate Tic-Tac-Toe.
func NewEvaluator(net *nnue.Net) *Evaluator {
	return &Evaluator{net: net, stack: accumulator.New(net, new(changes))}
}

// Bytes returns how much memory e takes besides the net.
func (e *Evaluator) Bytes() uint64 {
	return uint64(unsafe.Sizeof(*e)+unsafe.Sizeof(changes{})) + e.stack.Bytes()
}

// Evaluate is the value of w in centipawns for the side to move, at most Limit.
func (e *Evaluator) Evaluate(w *ultimate.Walker) int {
	e.stack.Now = BoardOf(&w.Position)
	values, us := e.stack.Values(w.Played(), [2]int{}), w.Side()
	return min(max(e.net.Output(values[us&1], values[us&1^1], e.stack.Now.Bucket()), -Limit), Limit)
}

// changes is the accumulator.Game of Ultimate Tic-Tac-Toe, with memory for its lists.
type changes struct{ added, removed [Active]uint16 }

// Distance returns the number of small boards that differ, and 1 more if the boards to play on do.
func (*changes) Distance(a, b *Board) (n int) {
	for i, s := range a.Small {
		if s != b.Small[i] {
			n++
		}
	}
	if a.Target != b.Target {
		n++
	}
	return n
}

// Changes lists the features of X on the board to and not on from, and the other way round.
func (c *changes) Changes(from, to *Board) (added, removed []uint16) {
	added, removed = c.added[:0], c.removed[:0]
	for i, after := range to.Small {
		if before := from.Small[i]; before != after {
			added = (after &^ before).Append(added, ultimate.X, i)
			removed = (before &^ after).Append(removed, ultimate.X, i)
		}
	}
	if from.Target != to.Target {
		added, removed = AppendTarget(added, to.Target), AppendTarget(removed, from.Target)
	}
	return added, removed
}

// View returns what a side sees instead of each feature that X sees.
func (*changes) View(side, _ int) []uint16 { return views[side][:] }

var views = func() (views [2][Inputs]uint16) {
	const all Small = 1<<places - 1
	for side := range views {
		view := &views[side]
		for i := range boards {
			seen := all.Append(nil, ultimate.Side(side), i)
			for k, f := range all.Append(nil, ultimate.X, i) {
				view[f] = seen[k]
			}
		}
		for f := targets; f < Inputs; f++ {
			view[f] = uint16(f)
		}
	}
	return views
}()
