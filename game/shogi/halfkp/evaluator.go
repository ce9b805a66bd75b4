package halfkp

import (
	"math"
	"runtime"
	"unsafe"

	"trefoil/game/shogi"
	"trefoil/nnue"
	"trefoil/nnue/accumulator"
)

// An Evaluator evaluates positions by a Net. It is not safe for concurrent use, and allocates only when
// made. It keeps the accumulators of earlier positions (see package accumulator); the orientation of a
// side is the square of its king.
type Evaluator struct {
	net    *Net
	scale  int32
	stack  *accumulator.Stack[state]
	change change
}

// NewEvaluator returns an Evaluator whose values are divided by scale, which is between MinScale and
// MaxScale.
func NewEvaluator(net *Net, scale int) *Evaluator {
	return &Evaluator{net: net, scale: int32(scale), stack: accumulator.NewWith[state](transformer{net})}
}

// Bytes returns how much memory e takes besides the net.
func (e *Evaluator) Bytes() uint64 { return uint64(unsafe.Sizeof(*e)) + e.stack.Bytes() }

// Evaluate is the value of p for the side to move in the unit of YaneuraOu, in which a pawn is 90.
func (e *Evaluator) Evaluate(p *shogi.Position) int {
	values, us := e.accumulate(p), p.Side()&1
	v := propagate(e.net.layers, (*[half]int16)(values[us]), (*[half]int16)(values[us^1])) / e.scale
	runtime.KeepAlive(e.net)
	return int(min(max(v, -MaxValue), MaxValue))
}

// Centipawns converts a value to centipawns.
func Centipawns(value int) int { return value * 100 / 90 }

// near is the distance from which on the accumulators for all squares of the king are looked into: one move
// makes at most three changes.
const near = 3

// accumulate returns the accumulators of p by side.
func (e *Evaluator) accumulate(p *shogi.Position) *[2][]int16 {
	var now state
	now.set(p)
	to, parent := e.stack.Plies(p.Played())
	d := accumulator.Distances{To: now.distance(&to.Board), Parent: now.distance(&parent.Board)}
	e.change.from = nil
	for side := range shogi.Colour(2) {
		king := kingSquare(p, side)
		d.Apart = math.MaxInt
		if !(d.To <= near && to.Has(int(side), king) || d.Parent <= near && parent.Has(int(side), king)) {
			d.Apart = now.distance(e.stack.Apart(int(side), king))
		}
		if from := e.stack.Nearest(int(side), king, to, parent, d); from != nil {
			added, removed := e.change.list(side, from, &now)
			e.stack.Compute(int(side), king, to, parent, from, &now, added, removed)
		}
	}
	to.Board = now
	return &to.Values
}

// transformer is the accumulator.Transformer of a Net.
type transformer struct{ *Net }

func (transformer) Neurons() int        { return half }
func (transformer) Orientations() int   { return 81 }
func (t transformer) Empty(dst []int16) { copy(dst, t.bias[:]) }
func (t transformer) Update(king int, dst, src []int16, added, removed []uint16) {
	nnue.UpdateRows(dst, src, t.king(king), rows, added, removed)
}
