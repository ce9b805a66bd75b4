package eval

import "trefoil/game/shogi"

// rings are the squares one, two and three steps from a king.
var rings = func() (r [3][shogi.Nowhere + 1]shogi.Bitboard) {
	for king := range shogi.Nowhere {
		for s := range shogi.Nowhere {
			d := max(abs(king.File()-s.File()), abs(king.Rank()-s.Rank()))
			if d >= 1 && d <= len(r) {
				r[d-1][king] = r[d-1][king].Or(s.Bit())
			}
		}
	}
	return r
}()

// Cells of a board around a king, from the side of the owner of the piece that stands there: by
// files to either side, 0 to 5 and more, and ranks in front of the king, −5 and less to 5 and more.
const (
	reach = 5
	files = reach + 1
	cells = files * (2*reach + 1)
)

// cell is where a square lies around a king, by colour of the piece, king and
// square; nothing lies around a king that is missing.
var cell = func() (t [2][shogi.Nowhere + 1][shogi.Nowhere]uint8) {
	for c := shogi.Black; c <= shogi.White; c++ {
		for s := range shogi.Nowhere {
			t[c&1][shogi.Nowhere][s] = cells
			for king := range shogi.Nowhere {
				ahead := min(max(rank(c, s)-rank(c, king), -reach), reach)
				t[c&1][king][s] = uint8((ahead+reach)*files + min(abs(s.File()-king.File()), reach))
			}
		}
	}
	return t
}()

// rank is the rank of s from the side of c: 0 is its own last one.
func rank(c shogi.Colour, s shogi.Square) int {
	if c == shogi.Black {
		return 8 - s.Rank()
	}
	return s.Rank()
}

func abs(n int) int { return max(n, -n) }
