package exact

import "trefoil/game/connect4"

// upwards returns, in every column with any of the cells, the lowest one and all cells above it. In
// each column the sentinel less the cells is their two's complement, which has the lowest cell and the
// complement of the cells above it.
//
// On a wide board the lowest cell of the next column takes the place of the sentinel, so no cell may be a lowest
// one. What a column without cells leaves there, alone or added to the complement of the next column, is dropped.
func (b *board) upwards(cells connect4.Set) connect4.Set {
	return (cells | (b.heads - cells)) & b.above
}

// bound tightens the bounds of a resolved node by the cells that each side can still get, and by
// the cells that the side not to move, the follower, gets by a fixed strategy.
//
// A side whose stones and all empty cells together have no line cannot win. The
// follower has a stronger bound.
//
// # The number of empty cells is even
//
// On the standard board: the mover began the game. The follower answers in the same column,
// just above. Where the lowest empty cell is a lower one, an even number of cells is left: the lower
// ones go to the mover, the upper ones to the follower. The columns whose lowest empty cell is an
// upper one, the open ones, are even in number: when the mover takes such a cell the follower takes
// another one, and the rest of both columns goes as before.
//
//	row 6  F F F F    M  empty cells that the mover gets
//	    5  M M M M    F  those that the follower gets
//	    4  F ? F ?    ?  each side gets half of them
//	    3  M x M o    x  a stone of the mover
//	    2  F o x x    o  a stone of the follower
//	    1  M x o o
//
// So the mover gets no cells but M and ?, and the follower gets every F. If x, M and ? have no line, the
// mover cannot win. If o and F then have one, the follower wins, at the latest when nothing is left but the
// h − r cells above the line's last one, in row r of h. The follower then has (h − r)/2 stones left: at
// best for the mover the score is (r − h)/2 − 1.
//
// Where the follower has a threat, a cell that completes its line, in an upper cell above the
// lowest empty one, it wins there, and the mover never gets the cells above. When all other
// columns are full the mover has to play below a threat; zugzwang computes when.
//
// # The number of empty cells is odd
//
// On the standard board: the follower began the game. The number of open columns is odd too.
// Suppose the follower has a threat in a lower cell of an open column. It follows in this column
// too, but there the mover gets the upper cells and the follower the lower ones, up to the threat.
// The other open columns are even in number, so the argument above holds: if the mover cannot get
// a line it has to play below a threat in the end.
//
// bound computes only what can decide whether the score is at least t.
func (n *node) bound(b *board, t int32) {
	all := n.mover | n.other
	empty := b.All &^ all
	if t > b.strongest {
		open := b.Moves(all) & b.uppers
		if (b.cells-n.ply)&1 == 0 {
			n.boundEven(b, empty, open)
		} else {
			n.boundOdd(b, empty, open)
			if t > 0 && n.upper > 0 && n.moverWins == 0 && !b.Line(n.mover|empty) {
				n.upper = 0
			}
		}
	}
	if t <= 0 && n.lower < 0 && n.otherWins == 0 && !b.Line(n.other|empty) {
		n.lower = 0
	}
}

// boundEven is bound if the number of empty cells is even. open are the upper cells within reach.
func (n *node) boundEven(b *board, empty, open connect4.Set) {
	follower := empty & b.uppers &^ open
	above := b.upwards(n.otherWins & b.uppers)
	possible := n.mover | empty&^(follower|above)
	if n.moverWins&possible != 0 || b.Line(possible) && !b.noLine(possible, open) {
		return
	}
	n.upper = min(n.upper, 0)
	if above != 0 {
		n.upper = min(n.upper, -b.zugzwang(above)/2)
		return
	}
	for i, rows := range b.lowest {
		if b.Line(n.other | follower&rows) {
			n.upper = min(n.upper, int32(i-len(b.lowest)))
			return
		}
	}
}

// noLine reports whether there are exactly two open cells and neither gives the mover a line. The mover
// gets one open cell.
func (b *board) noLine(possible, open connect4.Set) bool {
	one := open & -open
	two := open ^ one
	return two != 0 && two&(two-1) == 0 && !b.Line(possible&^one) && !b.Line(possible&^two)
}

// zugzwang returns 2 plus the most cells that can be left when the follower wins by a threat. above has, in
// each column with a threat, the cells from the threat upwards. The column of the winning threat is filled
// up to the threat, so one cell less than above is left there. In the others the cell below the threat is
// empty too, so one cell more is left. Altogether the cells of above are left, plus the number of these
// columns, less two.
func (b *board) zugzwang(above connect4.Set) int32 {
	return count(above) + count(above&b.top)
}

// columnOf returns the column of a cell above the bottom row: the column of the highest bottom cell below
// it.
func (b *board) columnOf(cell connect4.Set) connect4.Set {
	return b.first << last(b.Bottom&(cell-1))
}

// boundOdd is bound if the number of empty cells is odd.
func (n *node) boundOdd(b *board, empty, open connect4.Set) {
	threats := n.otherWins & b.lowers
	if threats == 0 {
		return
	}
	for threats &= b.upwards(open << 1 & b.above); threats != 0; {
		threat := threats & -threats
		column := b.columnOf(threat)
		threats &^= column
		above := b.upwards(threat | n.otherWins&b.uppers&^column)
		follower := empty & (b.uppers&^open&^column | b.lowers&column)
		possible := n.mover | empty&^(follower|above)
		if n.moverWins&possible == 0 && !b.Line(possible) {
			n.upper = min(n.upper, -(b.zugzwang(above)-1)/2)
		}
	}
}
