package nnue

import (
	"unsafe"

	"trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/nnue"
	"trefoil/nnue/accumulator"
)

// An Evaluator evaluates positions by a net. It is not safe for concurrent use, and allocates only when
// made. It keeps the accumulators of earlier positions (see package accumulator).
type Evaluator struct {
	net            *nnue.Net
	stack          *accumulator.Stack[shogi.Placement]
	added, removed [Active]uint16
	squares        [81]shogi.Square
}

// NewEvaluator returns an Evaluator with a net of shogi.
func NewEvaluator(net *nnue.Net) *Evaluator {
	return &Evaluator{net: net, stack: accumulator.New[shogi.Placement](net)}
}

// Bytes returns how much memory e takes besides the net.
func (e *Evaluator) Bytes() uint64 { return uint64(unsafe.Sizeof(*e)) + e.stack.Bytes() }

// Evaluate is the value of p in centipawns for the side to move, at most eval.Limit.
func (e *Evaluator) Evaluate(p *shogi.Position) int {
	values, us := e.accumulate(p), p.Side()
	return min(max(e.net.Output(values[us&1], values[us&1^1], 0), -eval.Limit), eval.Limit)
}

// accumulate returns the accumulators of p by side.
func (e *Evaluator) accumulate(p *shogi.Position) *[2][]int16 {
	var now shogi.Placement
	p.Placement(&now)
	to, parent := e.stack.Plies(p.Played())
	d := accumulator.Distances{To: now.Distance(&to.Board), Parent: now.Distance(&parent.Board)}
	for side := shogi.Black; side <= shogi.White; side++ {
		mirrored := Mirrored(side, p.King(side))
		d.Apart = now.Distance(e.stack.Apart(int(side), mirrored))
		if from := e.stack.Nearest(int(side), mirrored, to, parent, d); from != nil {
			added, removed := e.changes(side, mirrored, from, &now)
			e.stack.Compute(int(side), mirrored, to, parent, from, &now, added, removed)
		}
	}
	to.Board = now
	return &to.Values
}

// changes returns the features of a side on the board to that it has not on the board from, and the
// other way round.
func (e *Evaluator) changes(side shogi.Colour, mirrored int, from, to *shogi.Placement) (added, removed []uint16) {
	added, removed = e.added[:0], e.removed[:0]
	for _, s := range from.Differences(e.squares[:0], to) {
		if code := from.At(s); code != 0 {
			removed = append(removed, Feature(side, mirrored, code, s))
		}
		if code := to.At(s); code != 0 {
			added = append(added, Feature(side, mirrored, code, s))
		}
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		had, has := from.Hand(c), to.Hand(c)
		for k := range had.Differing(has) {
			before, after := had.Count(k), has.Count(k)
			added = AppendHeld(added, side, c, k, before, after)
			removed = AppendHeld(removed, side, c, k, after, before)
		}
	}
	return added, removed
}
