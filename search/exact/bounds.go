package exact

import (
	"math/bits"

	"trefoil/game/connect4"
)

// Rows are counted from 1: the lowest cells are odd.
const (
	oddRows  = connect4.Bottom * (1<<0 | 1<<2 | 1<<4)
	evenRows = connect4.Bottom * (1<<1 | 1<<3 | 1<<5)
	topRow   = connect4.Bottom << (connect4.Height - 1)
	heads    = connect4.Bottom << connect4.Height // the sentinels
)

// upwards returns, in every column that has one of the cells, the lowest of them and all
// above it: in each column the sentinel less the cells is their two's complement, which
// has the lowest cell and the complement of those above.
func upwards(cells uint64) uint64 { return (cells | (heads - cells)) & connect4.Board }

// bound tightens the bounds of a resolved node by the cells that each side can still get, and by
// the cells that the other side, the follower, gets with a fixed strategy.
//
// A side whose stones and all empty cells together have no four in a line cannot win. The
// follower has a stronger bound.
//
// # The mover began the game
//
// The number of empty cells is even. The follower answers in the same column, just above.
// Where the lowest empty cell is odd, an even number of cells is left: the odd ones go to
// the mover, the even ones to the follower. The columns whose lowest empty cell is even,
// the open ones, are even in number: when the mover takes such a cell the follower takes
// another one, and what is left of both columns goes as before.
//
//	row 6  F F F F    M  empty cells that the mover gets
//	    5  M M M M    F  those that the follower gets
//	    4  F ? F ?    ?  each side gets half of them
//	    3  M x M o    x  a stone of the mover
//	    2  F o x x    o  a stone of the follower
//	    1  M x o o
//
// So the mover gets no other cells than M and ?, and the follower all of F. If x, M and ?
// have no four in a line, the mover cannot win. If then o and F have one, the follower
// wins, at the latest when nothing but 6 − r cells above the four's last one, in row r, is
// left. The follower then has 18 + r/2 stones: at best for the mover the score is r/2 − 4.
//
// Where the follower has a threat, a cell that completes its four, in an even row above the
// lowest empty cell, it wins there, and the mover never gets the cells above. When all other
// columns are full the mover has to play below a threat; zugzwang computes when.
//
// # The follower began the game
//
// The number of empty cells is odd, that of open columns too. Suppose the follower has a
// threat in an odd row of an open column. It follows in this column too, but there the
// mover gets the even cells and the follower the odd ones, up to the threat. The other
// open columns are even in number, so the argument above holds: if the mover cannot get
// four it has to play below a threat in the end.
//
// Only bounds that can decide whether the score is at least t are computed.
func (n *node) bound(t int32) {
	all := n.mover | n.other
	empty := connect4.Board &^ all
	if t > strongest {
		open := (all + connect4.Bottom) & evenRows
		if n.ply%2 == 0 {
			n.boundBeginner(empty, open)
		} else {
			n.boundSecond(empty, open)
			if t > 0 && n.upper > 0 && n.moverWins == 0 && !connect4.Four(n.mover|empty) {
				n.upper = 0
			}
		}
	}
	if t <= 0 && n.lower < 0 && n.otherWins == 0 && !connect4.Four(n.other|empty) {
		n.lower = 0
	}
}

// strongest is the upper bound from a threat in the second row. Several threats seldom give a
// lower one.
const strongest = -3

// boundBeginner is bound if the mover began the game. open are the even cells within reach.
func (n *node) boundBeginner(empty, open uint64) {
	follower := empty & evenRows &^ open
	above := upwards(n.otherWins & evenRows)
	possible := n.mover | empty&^(follower|above)
	if n.moverWins&possible != 0 || connect4.Four(possible) && !noFour(possible, open) {
		return
	}
	n.upper = min(n.upper, 0)
	if above != 0 {
		n.upper = min(n.upper, -zugzwang(above)/2)
		return
	}
	for row := int32(2); row <= connect4.Height; row += 2 {
		if connect4.Four(n.other | follower&(connect4.Bottom*(1<<row-1))) {
			n.upper = min(n.upper, row/2-4)
			return
		}
	}
}

// noFour reports whether there are two open cells, of which the mover gets one, and neither gives it
// four in a line.
func noFour(possible, open uint64) bool {
	one := open & -open
	two := open ^ one
	return two != 0 && two&(two-1) == 0 && !connect4.Four(possible&^one) && !connect4.Four(possible&^two)
}

// zugzwang returns 2 + the cells that are left at most when the follower wins by one of
// its threats. above are, by columns, the cells from the threat upwards: one column is
// filled up to the threat, so one cell less than above is left there; in the others,
// where the cell below is empty too, one more. That is the cells above, plus the number
// of columns, less two.
func zugzwang(above uint64) int32 {
	return count(above) + count(above&topRow)
}

// boundSecond is bound if the follower began the game.
func (n *node) boundSecond(empty, open uint64) {
	for threats := n.otherWins & oddRows & upwards(open); threats != 0; {
		threat := threats & -threats
		column := connect4.Column(bits.TrailingZeros64(threat) / 7)
		threats &^= column
		above := upwards(threat | n.otherWins&evenRows&^column)
		follower := empty & (evenRows&^open&^column | oddRows&column)
		possible := n.mover | empty&^(follower|above)
		if n.moverWins&possible == 0 && !connect4.Four(possible) {
			n.upper = min(n.upper, -(zugzwang(above)-1)/2)
		}
	}
}
