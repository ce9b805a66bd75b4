package exact

import "math/bits"

// history counts how good a cell has been for each side, 0 for the one that began.
type history [2][64]int32

const (
	middleWeight = 48      // what history begins with, for each step from the rim
	winWeight    = 1 << 20 // more than history ever comes to
	lastLesson   = 27      // stones on the board: later moves are decided by what is near
)

// prior is what is known before the search: the middle is better than the rim, and the
// middle column than the middle rows.
var prior = func() (h history) {
	for cell := range 64 {
		col, row := cell/7, cell%7
		v := middleWeight * int32(2*min(col, 6-col)+min(row, 5-row))
		h[0][cell], h[1][cell] = v, v
	}
	return h
}()

// promise returns how good the move of n to its child c looks: first the number of cells
// where it leaves n's mover wins, then its history. A win just above one of the other
// side does not count: nobody will open it. c is not resolved yet.
func (h *history) promise(n, c *node) int32 {
	return count(c.otherWins&^(c.moverWins<<1))*winWeight + h[n.ply&1][bits.TrailingZeros64(c.cell)&63]
}

// reward praises the last of the moves, which was good enough, and blames those that were
// searched before it in vain.
func (h *history) reward(n *node, tried []node) {
	if n.ply > lastLesson {
		return
	}
	side := &h[n.ply&1]
	last := len(tried) - 1
	for i := range tried[:last] {
		side[bits.TrailingZeros64(tried[i].cell)&63]--
	}
	side[bits.TrailingZeros64(tried[last].cell)&63] += int32(last)
}

// count returns the number of cells.
func count(cells uint64) int32 { return int32(bits.OnesCount64(cells)) }
