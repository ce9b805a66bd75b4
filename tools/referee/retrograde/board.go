package retrograde

import "math/bits"

// A Square is a number from a1 = 0, b1 = 1 to h8 = 63.
type Square uint8

const noSquare Square = 64

func (s Square) file() int { return int(s & 7) }
func (s Square) rank() int { return int(s >> 3) }

func (s Square) String() string {
	if s >= noSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// A squareSet has bit s set if it contains square s.
type squareSet uint64

func setOf(s Square) squareSet { return 1 << (s & 63) } // the mask drops a check of the shift

// pop removes the lowest square of a set that is not empty, and returns it.
func (b *squareSet) pop() Square {
	s := Square(bits.TrailingZeros64(uint64(*b)))
	*b &= *b - 1
	return s
}

var (
	kingMoves, knightMoves [64]squareSet
	pawnCaptures           [2][64]squareSet
	// rays holds the squares beyond a square in eight directions. In the first four the squares
	// ascend, so the nearest is the lowest; in the others it is the highest.
	rays [8][64]squareSet
)

// directions are files and ranks per step: four straight ones at even places, four diagonal ones at odd ones.
var directions = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

func init() {
	for s := Square(0); s < 64; s++ {
		for d, step := range directions {
			kingMoves[s] |= offset(s, step[0], step[1])
			for n := 1; n < 8; n++ {
				rays[d][s] |= offset(s, n*step[0], n*step[1])
			}
		}
		for _, x := range []int{-2, -1, 1, 2} {
			knightMoves[s] |= offset(s, x, 3-max(x, -x)) | offset(s, x, max(x, -x)-3)
		}
		for side, up := range []int{1, -1} {
			pawnCaptures[side][s] = offset(s, 1, up) | offset(s, -1, up)
		}
	}
}

// offset returns the square some files and ranks away, or none beyond the edge.
func offset(s Square, files, ranks int) squareSet {
	file, rank := s.file()+files, s.rank()+ranks
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return 0
	}
	return setOf(Square(8*rank + file))
}

// slide returns the squares that a slider on s attacks in the directions first, first+2, first+4, first+6.
func slide(s Square, first int, occupied squareSet) (attacked squareSet) {
	for d := first; d < 8; d += 2 {
		ray := rays[d][s&63]
		attacked |= ray
		if blockers := uint64(ray & occupied); blockers != 0 {
			nearest := bits.TrailingZeros64(blockers)
			if d >= 4 {
				nearest = 63 - bits.LeadingZeros64(blockers)
			}
			attacked &^= rays[d][nearest&63]
		}
	}
	return attacked
}

// attacks returns the squares that a piece on s attacks. For all but pawns these are also the squares
// from which it may have come.
func attacks(p Piece, s Square, occupied squareSet) squareSet {
	s &= 63
	switch p.kind() {
	case king:
		return kingMoves[s]
	case queen:
		return slide(s, 0, occupied) | slide(s, 1, occupied)
	case rook:
		return slide(s, 0, occupied)
	case bishop:
		return slide(s, 1, occupied)
	case knight:
		return knightMoves[s]
	}
	return pawnCaptures[p.side()][s]
}
