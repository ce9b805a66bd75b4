package exact

import (
	"math/bits"

	"trefoil/game/connect4"
)

// What a move promises, in units of history.
const (
	perWin       = 8 << promiseShift
	perNext      = 16 << promiseShift // more if it lies just above a cell in reach,
	perAfter     = 4 << promiseShift  // or one higher
	perParity    = 4 << promiseShift  // or in a row where zugzwang works for its owner
	tableMove    = 1 << 24
	promiseShift = 12
)

// promise returns how good the move to c looks, before forced moves: by the cells where it
// leaves n's mover wins.
func (n *node) promise(c *node) int32 {
	wins := c.otherWins
	above := (c.mover | c.other + connect4.Bottom) << 1
	rows := uint64(oddRows)
	if n.ply%2 != 0 {
		rows = evenRows
	}
	return count(wins)*perWin + count(wins&above)*perNext + count(wins&(above<<1))*perAfter + count(wins&rows)*perParity
}

func count(cells uint64) int32 { return int32(bits.OnesCount64(cells)) }

// history counts how good a cell has been for each side, 0 for the one that began.
type history [2][64]int32

// newHistory gives every cell the lines through it that the middle has more than the rim.
func newHistory() (h history) {
	for cell := range 64 {
		col, row := cell/7, cell%7
		v := int32(min(col, 6-col) + min(row, 5-row))
		h[0][cell], h[1][cell] = v, v
	}
	return h
}

// promise returns how good the move to c has been elsewhere.
func (h *history) promise(n, c *node) int32 { return h[n.ply&1][bits.TrailingZeros64(c.cell)&63] }

// reward praises the last of the moves, which was good enough, and blames those that were
// searched before in vain.
func (h *history) reward(n *node, tried []node) {
	side := &h[n.ply&1]
	last := len(tried) - 1
	for i := range tried[:last] {
		side[bits.TrailingZeros64(tried[i].cell)&63]--
	}
	side[bits.TrailingZeros64(tried[last].cell)&63] += int32(last)
}
