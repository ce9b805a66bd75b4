package shogi

import (
	"encoding/binary"
	"math/bits"
)

// Placement says where the pieces of a position are, on the board and in the hands. Two of them are
// compared in a few instructions, so that what was computed for one position can be updated for another.
// The zero Placement has no pieces.
type Placement struct {
	board [11]uint64 // piece codes, one a byte, square 0 in the lowest byte of the first word
	hands [2]Hand
}

// Placement sets q to the placement of the position.
func (p *Position) Placement(q *Placement) {
	for i := range q.board {
		q.board[i] = binary.LittleEndian.Uint64(p.board[8*i:])
	}
	q.hands = p.hands
}

// At returns the code of the piece on s, 0 if there is none.
func (q *Placement) At(s Square) int { return int(q.board[s>>3] >> (s & 7 << 3) & 31) }

// Hand returns what c has in hand.
func (q *Placement) Hand(c Colour) Hand { return q.hands[c&1] }

// Bits of all bytes of a word. Piece codes are less than 32, so no sum below carries into the next byte.
const (
	low  = 0x0101010101010101
	high = 0x80 * low
)

// unequal returns the high bits of the bytes in which two words differ.
func unequal(a, b uint64) uint64 { return ((a ^ b) + (high - low)) & high }

// Distance returns the number of squares on which q and r differ, and of pieces by which hands do.
func (q *Placement) Distance(r *Placement) int {
	sum := uint64(0) // by place in a word
	for i := range q.board {
		sum += unequal(q.board[i], r.board[i]) >> 7
	}
	n := int(sum * low >> 56)
	if q.hands != r.hands {
		n += q.hands[0].distance(r.hands[0]) + q.hands[1].distance(r.hands[1])
	}
	return n
}

// Differences appends the squares on which q and r differ to list.
func (q *Placement) Differences(list []Square, r *Placement) []Square {
	for i := range q.board {
		for differ := unequal(q.board[i], r.board[i]); differ != 0; differ &= differ - 1 {
			list = append(list, Square(8*i+bits.TrailingZeros64(differ)>>3))
		}
	}
	return list
}
