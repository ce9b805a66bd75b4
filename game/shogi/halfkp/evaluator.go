package halfkp

import (
	"runtime"
	"unsafe"

	"trefoil/game/shogi"
	"trefoil/nnue"
	"trefoil/nnue/accumulator"
)

// An Evaluator evaluates positions by a Net. It is not safe for concurrent use, and allocates only when
// made. It keeps the accumulators of earlier positions (see package accumulator).
type Evaluator struct {
	net   *Net
	scale int32
	stack *accumulator.Stack[state]
	activations
}

// NewEvaluator returns an Evaluator whose values are divided by scale, which is between MinScale and
// MaxScale.
func NewEvaluator(net *Net, scale int) *Evaluator {
	return &Evaluator{net: net, scale: int32(scale),
		stack: accumulator.NewWith(transformer{net}, &changes{set: net.features})}
}

// Bytes returns how much memory e takes besides the net.
func (e *Evaluator) Bytes() uint64 {
	return uint64(unsafe.Sizeof(*e)+unsafe.Sizeof(changes{})) + e.stack.Bytes()
}

// Evaluate is the value of p for the side to move in the unit of YaneuraOu, in which a pawn is 90.
func (e *Evaluator) Evaluate(p *shogi.Position) int {
	values, us := e.accumulate(p), p.Side()&1
	v := propagate(e.net.stack(p), &e.activations, values[us], values[us^1]) / e.scale
	runtime.KeepAlive(e.net)
	return int(min(max(v, -MaxValue), MaxValue))
}

// accumulate returns the accumulators of p by side.
func (e *Evaluator) accumulate(p *shogi.Position) *[2][]int16 {
	e.stack.Now.set(p)
	f := e.net.features
	return e.stack.Values(p.Played(), [2]int{f.orientation(p, shogi.Black), f.orientation(p, shogi.White)})
}

// Centipawns converts a value to centipawns.
func Centipawns(value int) int { return value * 100 / 90 }

// transformer is the accumulator.Transformer of a Net.
type transformer struct{ *Net }

func (t transformer) Neurons() int      { return t.half }
func (t transformer) Orientations() int { return t.features.orientations() }
func (t transformer) Empty(dst []int16) { copy(dst, t.bias) }
func (t transformer) Update(orientation int, dst, src []int16, added, removed []uint16) {
	nnue.UpdateRows(dst, src, t.rowsFor(orientation), t.features.rows, added, removed)
}
