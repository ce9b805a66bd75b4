package shogi

import "math/bits"

// Hand counts the pieces in a hand. Above every count a bit is free, so that two
// hands are compared by one subtraction:
//
//	26..25  23..22  20..18  16..14  12..10   8..6    4..0
//	 rook   bishop   gold   silver  knight  lance    pawn
type Hand uint32

var (
	handShift = [8]uint8{Pawn: 0, Lance: 6, Knight: 10, Silver: 14, Gold: 18, Bishop: 22, Rook: 25}
	handMask  = [8]Hand{Pawn: 31, Lance: 7, Knight: 7, Silver: 7, Gold: 7, Bishop: 3, Rook: 3}
)

// kindOfBit are the kinds that the bits of a Hand count.
var kindOfBit = func() (kinds [32]Kind) {
	for k := Pawn; k < King; k++ {
		for bit := range Hand(32) {
			if handMask[k]<<handShift[k]>>bit&1 != 0 {
				kinds[bit] = k
			}
		}
	}
	return kinds
}()

// free are the bits above the counts.
const free Hand = 1<<5 | 1<<9 | 1<<13 | 1<<17 | 1<<21 | 1<<24 | 1<<27

// One returns a hand with one piece of a kind that can be in hand.
func One(k Kind) Hand { return 1 << (handShift[k&7] & 31) }

// Count returns how many pieces of a kind that can be in hand are in h.
func (h Hand) Count(k Kind) int { return int(h >> (handShift[k&7] & 31) & handMask[k&7]) }

// Has reports whether h has a piece of a kind that can be in hand.
func (h Hand) Has(k Kind) bool { return h>>(handShift[k&7]&31)&handMask[k&7] != 0 }

// Len returns how many pieces are in h.
func (h Hand) Len() int {
	return int(h&31 + h>>6&7 + h>>10&7 + h>>14&7 + h>>18&7 + h>>22&3 + h>>25&3)
}

// distance returns the number of pieces by which two hands differ.
func (h Hand) distance(g Hand) (n int) {
	for k := range h.Differing(g) {
		d := h.Count(k) - g.Count(k)
		n += max(d, -d)
	}
	return n
}

// Differing yields the kinds whose numbers differ between h and g, in ascending order.
func (h Hand) Differing(g Hand) func(yield func(Kind) bool) {
	return func(yield func(Kind) bool) {
		for differ := h ^ g; differ != 0; {
			k := kindOfBit[bits.TrailingZeros32(uint32(differ))&31]
			differ &^= handMask[k&7] << (handShift[k&7] & 31)
			if !yield(k) {
				return
			}
		}
	}
}

// Dominates reports whether h has at least as many pieces of every kind as g.
func (h Hand) Dominates(g Hand) bool { return (h|free-g)&free == free }
