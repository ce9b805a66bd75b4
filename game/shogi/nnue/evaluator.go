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
	net   *nnue.Net
	stack *accumulator.Stack[shogi.Placement]
}

// NewEvaluator returns an Evaluator with a net of shogi.
func NewEvaluator(net *nnue.Net) *Evaluator {
	return &Evaluator{net: net, stack: accumulator.New(net, new(changes))}
}

// Bytes returns how much memory e takes besides the net.
func (e *Evaluator) Bytes() uint64 {
	return uint64(unsafe.Sizeof(*e)+unsafe.Sizeof(changes{})) + e.stack.Bytes()
}

// Evaluate is the value of p in centipawns for the side to move, at most eval.Limit.
func (e *Evaluator) Evaluate(p *shogi.Position) int {
	p.Placement(&e.stack.Now)
	values := e.stack.Values(p.Played(), [2]int{
		Mirrored(shogi.Black, p.King(shogi.Black)), Mirrored(shogi.White, p.King(shogi.White)),
	})
	us := p.Side()
	return min(max(e.net.Output(values[us&1], values[us&1^1], 0), -eval.Limit), eval.Limit)
}

// changes is the accumulator.Game of shogi, with memory for its lists.
type changes struct {
	added, removed [Active]uint16
	squares        [81]shogi.Square
}

// Distance returns the number of squares on which two placements differ, and of pieces by which hands do.
func (*changes) Distance(a, b *shogi.Placement) int { return a.Distance(b) }

// Changes lists the features of Black, not mirrored, in the placement to and not in from, and the other way
// round.
func (c *changes) Changes(from, to *shogi.Placement) (added, removed []uint16) {
	added, removed = c.added[:0], c.removed[:0]
	for _, s := range from.Differences(c.squares[:0], to) {
		if code := from.At(s); code != 0 {
			removed = append(removed, Feature(shogi.Black, 0, code, s))
		}
		if code := to.At(s); code != 0 {
			added = append(added, Feature(shogi.Black, 0, code, s))
		}
	}
	for owner := shogi.Black; owner <= shogi.White; owner++ {
		had, has := from.Hand(owner), to.Hand(owner)
		if had == has {
			continue
		}
		for k := range had.Differing(has) {
			before, after := had.Count(k), has.Count(k)
			added = AppendHeld(added, shogi.Black, owner, k, before, after)
			removed = AppendHeld(removed, shogi.Black, owner, k, after, before)
		}
	}
	return added, removed
}

// View returns what a side sees instead of each feature that Black sees on the board as it is.
func (*changes) View(side, mirrored int) []uint16 { return views[side][mirrored][:] }
