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
	net            *nnue.Net
	stack          *accumulator.Stack[Board]
	added, removed [Active]uint16
}

// NewEvaluator returns an Evaluator with a net of Ultimate Tic-Tac-Toe.
func NewEvaluator(net *nnue.Net) *Evaluator {
	return &Evaluator{net: net, stack: accumulator.New[Board](net)}
}

// Bytes returns how much memory e takes besides the net.
func (e *Evaluator) Bytes() uint64 { return uint64(unsafe.Sizeof(*e)) + e.stack.Bytes() }

// Evaluate is the value of w in centipawns for the side to move, at most Limit.
func (e *Evaluator) Evaluate(w *ultimate.Walker) int {
	now := BoardOf(&w.Position)
	values, us := e.accumulate(w.Played(), &now), w.Side()
	return min(max(e.net.Output(values[us&1], values[us&1^1], now.Bucket()), -Limit), Limit)
}

// near is up to which distance to the position at the same ply, or to the one before, no other is looked at.
const near = 3

// accumulate returns the accumulators of a board by side, after that many moves.
func (e *Evaluator) accumulate(played int, now *Board) *[2][]int16 {
	to, parent := e.stack.Plies(played)
	d := accumulator.Distances{To: now.distance(&to.Board), Parent: now.distance(&parent.Board), Apart: boards + 2}
	for side := range ultimate.Side(2) {
		if min(d.To, d.Parent) > near {
			d.Apart = now.distance(e.stack.Apart(int(side), 0))
		}
		if from := e.stack.Nearest(int(side), 0, to, parent, d); from != nil {
			added, removed := e.changes(side, from, now)
			e.stack.Compute(int(side), 0, to, parent, from, now, added, removed)
		}
	}
	to.Board = *now
	return &to.Values
}

// changes returns the features of a side on the board to that it has not on the board from, and the other
// way round.
func (e *Evaluator) changes(side ultimate.Side, from, to *Board) (added, removed []uint16) {
	added, removed = e.added[:0], e.removed[:0]
	for i, after := range to.Small {
		if before := from.Small[i]; before != after {
			added = (after &^ before).Append(added, side, i)
			removed = (before &^ after).Append(removed, side, i)
		}
	}
	if from.Target != to.Target {
		added, removed = AppendTarget(added, to.Target), AppendTarget(removed, from.Target)
	}
	return added, removed
}

// distance returns the number of small boards that differ, and 1 more if the boards to play on do.
func (b *Board) distance(o *Board) (n int) {
	for i, s := range b.Small {
		if s != o.Small[i] {
			n++
		}
	}
	if b.Target != o.Target {
		n++
	}
	return n
}
