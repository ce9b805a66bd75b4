package exact

import "trefoil/game/connect4"

// node is a position in the search. Its mover cannot win at once.
type node struct {
	mover, other         connect4.Set // stones of the side to move, and of the other
	moverWins, otherWins connect4.Set // empty cells where one more stone makes four
	moves                connect4.Set // cells that do not lose at once; two or more once resolved
	key                  connect4.Set // on a wide board its low word
	cell                 connect4.Set // the parent's move that led here, without forced moves after it
	ply                  int32        // stones on the board
	lower, upper         int32        // of the score, for the mover
	order                int32        // the higher, the earlier it is searched
	sameMover            bool         // the mover is the parent's
	deferred             bool         // another worker was searching it
	high                 uint16       // the rest of the key, 0 unless the board is wide
}

// newNode returns the node of a position where the mover cannot win at once.
func newNode(p connect4.Position) node {
	b, mover, all := setsOf(p.Board()), set(p.Mover), set(p.All)
	other := mover ^ all
	return node{
		mover: mover, other: other,
		moverWins: b.Wins(mover, all), otherWins: b.Wins(other, all),
		ply: int32(p.Ply()), sameMover: true,
	}
}

// child makes c the node after n's move to cell.
func (n *node) child(b *board, cell connect4.Set, c *node) {
	c.mover, c.other = n.other, n.mover|cell
	c.moverWins, c.otherWins = n.otherWins&^cell, b.Wins(c.other, n.mover|n.other|cell)
	c.cell, c.ply, c.sameMover, c.deferred = cell, n.ply+1, false, false
}

// notLosing returns the cells in reach that do not lose at once. wins are the cells in which the other side
// completes four. A move loses if it leaves a win within reach, or opens one above it.
//
// On a wide board the cell before a lowest cell is the highest of another column. It is dropped if the lowest
// cell is a win, which is then in reach: no other cell than this win is left in any case.
func notLosing(reach, wins connect4.Set) connect4.Set {
	moves := reach &^ (wins >> 1)
	if forced := wins & reach; forced != 0 {
		moves &= forced
		if forced&(forced-1) != 0 {
			moves = 0
		}
	}
	return moves
}

// resolve plays moves as long as only one does not lose at once, and reports whether that decides
// the score. A forced move changes only the sign of the score. In any case the bounds are set.
//
// If there is no such move, the other side wins with its next stone. If there is one and at most two
// cells are left, the game is a draw. Otherwise neither side wins before its next stone but one.
func (n *node) resolve(b *board) (decided bool) {
	for {
		all := n.mover | n.other
		moves := notLosing(b.Moves(all), n.otherWins)
		switch {
		case moves == 0:
			n.lower = -((b.cells - n.ply) >> 1)
			n.upper = n.lower
			return true
		case n.ply >= b.late:
			n.lower, n.upper = 0, 0
			return true
		case moves&(moves-1) != 0:
			n.moves = moves
			left := b.late - n.ply
			n.lower, n.upper = -(left >> 1), (left+1)>>1 // shifts: faster than / 2 of signed numbers
			return false
		}
		n.mover, n.other = n.other, n.mover|moves
		n.moverWins, n.otherWins = n.otherWins&^moves, b.Wins(n.other, all|moves)
		n.ply++
		n.sameMover = !n.sameMover
	}
}

// tighten tightens the bounds of a resolved node, if that can decide whether its score is at least
// t. It always decides where t depends on a win as early as the bounds allow.
func (n *node) tighten(b *board, t int32) {
	switch {
	case t > n.upper || t <= n.lower: // decided
	case t == n.upper && n.winsSoon(b):
		n.lower = t
	case t == n.upper:
		n.upper = t - 1
	case t == n.lower+1 && n.losesSoon(b):
		n.upper = n.lower
	case t == n.lower+1:
		n.lower = t
	default:
		n.bound(b, t)
	}
}

// winsSoon reports whether the mover of a resolved node can win with its next stone but one: whether a move
// of the mover leaves the other side only moves that lose at once.
func (n *node) winsSoon(b *board) bool {
	for moves := n.moves; moves != 0; moves &= moves - 1 {
		stones := n.mover | moves&-moves
		all := stones | n.other
		if notLosing(b.Moves(all), b.Wins(stones, all)) == 0 {
			return true
		}
	}
	return false
}

// losesSoon reports whether the other side can win with its next stone but one, whatever the
// mover of a resolved node does. After a forced move of each side it would be a stone later.
func (n *node) losesSoon(b *board) bool {
	var c node
	for moves := n.moves; moves != 0; moves &= moves - 1 {
		n.child(b, moves&-moves, &c)
		switch decided := c.resolve(b); {
		case decided && c.score() > n.lower, !decided && (c.ply > n.ply+1 || !c.winsSoon(b)):
			return false
		}
	}
	return true
}

// score returns the score of a decided node for the parent's mover.
func (n *node) score() int32 {
	if n.sameMover {
		return n.lower
	}
	return -n.lower
}

// bounds returns the node's bounds for the parent's mover.
func (n *node) bounds() (lower, upper int32) {
	if n.sameMover {
		return n.lower, n.upper
	}
	return -n.upper, -n.lower
}

// cutoff returns the bound of the parent's score that n's bounds give, and whether it decides
// whether that score is at least t.
func (n *node) cutoff(t int32) (bound int32, ok bool) {
	lower, upper := n.bounds()
	if lower >= t {
		return lower, true
	}
	return upper, upper < t
}

// question converts the t of the question whether the parent's score is at least t to the node's
// point of view.
func (n *node) question(t int32) int32 {
	if n.sameMover {
		return t
	}
	return 1 - t
}

// canMirror reports whether a search from n can reach two positions that are mirror images of each
// other. Both contain the stones of n and of its mirror image, so no cell may belong to one side
// in n and to the other in the mirror image.
//
// On a wide board it reports true, which is right too, because setKey has only the smaller keys there.
func (n *node) canMirror(b *board) bool {
	return b.Wide || b.Mirror(n.mover)&n.other == 0
}
