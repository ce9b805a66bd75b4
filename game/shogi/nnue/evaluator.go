package nnue

import (
	"encoding/binary"
	"math/bits"

	"trefoil/game/shogi"
	"trefoil/game/shogi/eval"
	"trefoil/nnue"
	"trefoil/nnue/accumulator"
)

// An Evaluator evaluates positions by a net. It is not safe for concurrent use, and allocates only when
// made. It keeps the accumulators of earlier positions (see package accumulator).
type Evaluator struct {
	net            *nnue.Net
	stack          *accumulator.Stack[board]
	added, removed [Active]uint16
}

// NewEvaluator returns an Evaluator with a net of shogi.
func NewEvaluator(net *nnue.Net) *Evaluator {
	return &Evaluator{net: net, stack: accumulator.New[board](net)}
}

// Evaluate is the value of p in centipawns for the side to move, at most eval.Limit.
func (e *Evaluator) Evaluate(p *shogi.Position) int {
	values, us := e.accumulate(p), p.Side()
	return min(max(e.net.Output(values[us&1], values[us&1^1], 0), -eval.Limit), eval.Limit)
}

// accumulate returns the accumulators of p by side.
func (e *Evaluator) accumulate(p *shogi.Position) *[2][]int16 {
	var now board
	now.set(p)
	to, parent := e.stack.Plies(p.Played())
	d := accumulator.Distances{To: now.distance(&to.Board), Parent: now.distance(&parent.Board)}
	for side := shogi.Black; side <= shogi.White; side++ {
		mirrored := Mirrored(side, p.King(side))
		d.Apart = now.distance(e.stack.Apart(int(side), mirrored))
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
func (e *Evaluator) changes(side shogi.Colour, mirrored int, from, to *board) (added, removed []uint16) {
	added, removed = e.added[:0], e.removed[:0]
	for i, before := range from.squares {
		after := to.squares[i]
		for differ := unequal(before, after); differ != 0; differ &= differ - 1 {
			at := bits.TrailingZeros64(differ) &^ 7
			s := shogi.Square(8*i + at/8)
			if code := int(before >> at & 31); code != 0 {
				removed = append(removed, Feature(side, mirrored, code, s))
			}
			if code := int(after >> at & 31); code != 0 {
				added = append(added, Feature(side, mirrored, code, s))
			}
		}
	}
	for c := shogi.Black; c <= shogi.White; c++ {
		if from.hands[c&1] == to.hands[c&1] {
			continue
		}
		for k := shogi.Pawn; k < shogi.King; k++ {
			before, after := from.hands[c&1].Count(k), to.hands[c&1].Count(k)
			added = AppendHeld(added, side, c, k, before, after)
			removed = AppendHeld(removed, side, c, k, after, before)
		}
	}
	return added, removed
}

// A board is what the features depend on: piece codes, one a byte, square 0 in the lowest byte of the
// first word, and both hands.
type board struct {
	squares [11]uint64
	hands   [2]shogi.Hand
}

// set makes b that of a position.
func (b *board) set(p *shogi.Position) {
	codes := p.Codes()
	for i := range b.squares {
		b.squares[i] = binary.LittleEndian.Uint64(codes[8*i:])
	}
	b.hands = [2]shogi.Hand{p.Hand(shogi.Black), p.Hand(shogi.White)}
}

// Bits of all bytes of a word. Piece codes are less than 32, so no sum below carries into the next byte.
const (
	low  = 0x0101010101010101
	high = 0x80 * low
)

// unequal returns the high bits of the bytes in which two words differ.
func unequal(a, b uint64) uint64 { return ((a ^ b) + (high - low)) & high }

// distance returns the number of squares on which two boards differ, and of pieces by which hands do.
func (b *board) distance(o *board) int {
	sum := uint64(0) // by place in a word
	for i := range b.squares {
		sum += unequal(b.squares[i], o.squares[i]) >> 7
	}
	n := int(sum * low >> 56)
	if b.hands != o.hands {
		n += between(b.hands[0], o.hands[0]) + between(b.hands[1], o.hands[1])
	}
	return n
}

// between returns the number of pieces by which two hands differ.
func between(a, b shogi.Hand) (n int) {
	if a == b {
		return 0
	}
	for k := shogi.Pawn; k < shogi.King; k++ {
		d := a.Count(k) - b.Count(k)
		n += max(d, -d)
	}
	return n
}
