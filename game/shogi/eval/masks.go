package eval

import "trefoil/game/shogi"

// distances are the steps of a king from square to square; from Nowhere, where a
// king that is missing stands, everything is far.
var distances = func() (d [shogi.Nowhere + 1][shogi.Nowhere + 1]uint8) {
	for a := range shogi.Nowhere + 1 {
		for b := range shogi.Nowhere + 1 {
			d[a][b] = 9
			if a < shogi.Nowhere && b < shogi.Nowhere {
				d[a][b] = uint8(max(abs(a.File()-b.File()), abs(a.Rank()-b.Rank())))
			}
		}
	}
	return d
}()

// beyond are the squares two steps from a king.
var beyond = func() (b [shogi.Nowhere + 1]shogi.Bitboard) {
	for king := range shogi.Nowhere {
		for s := range shogi.Nowhere {
			if distances[king][s] == 2 {
				b[king] = b[king].Or(s.Bit())
			}
		}
	}
	return b
}()

// nearness is by how many steps s is nearer than five to a king.
func nearness(king, s shogi.Square) int { return max(5-int(distances[king][s]), 0) }

// rank is the rank of s as c sees it: 0 is its own last one.
func rank(c shogi.Colour, s shogi.Square) int {
	if c == shogi.Black {
		return 8 - s.Rank()
	}
	return s.Rank()
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
