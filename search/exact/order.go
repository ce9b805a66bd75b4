package exact

import "math/bits"

// history says how good a cell has been for each side, 0 for the one that began. It begins
// with prior and never leaves it by more than swing·lesson: what a long search has learnt
// of one part of the tree must not outweigh for ever what is true of all.
type history [2][64]int32

const (
	lesson = 64          // what one failure or success counts
	swing  = 128         // lessons, the most that history departs from prior
	middle = 48 * lesson // what prior gives for a step from the rim
	perWin = 1 << 24     // more than history ever comes to
)

// prior is what is known before the search: the middle is better than the rim, and the
// middle column than the middle rows.
var prior = func() (h history) {
	for cell := range 64 {
		col, row := cell/7, cell%7
		v := middle * int32(2*min(col, 6-col)+min(row, 5-row))
		h[0][cell], h[1][cell] = v, v
	}
	return h
}()

// promise returns how good the move of n to its child c looks: first the number of cells
// where it leaves n's mover wins, then its history. A win just above one of the other
// side does not count: nobody will open it. c is not resolved yet.
func (h *history) promise(n, c *node) int32 {
	return count(c.otherWins&^(c.moverWins<<1))*perWin + h[n.ply&1][bits.TrailingZeros64(c.cell)&63]
}

// reward praises the last of the moves, which was good enough, as much as it blames those
// that were searched before it in vain.
func (h *history) reward(n *node, tried []node) {
	last := len(tried) - 1
	for i := range tried[:last] {
		h.learn(n.ply&1, tried[i].cell, -1)
	}
	h.learn(n.ply&1, tried[last].cell, int32(last))
}

// learn moves a cell's history by that many lessons, less the nearer it is to its limits.
func (h *history) learn(side int32, cell uint64, lessons int32) {
	i := bits.TrailingZeros64(cell) & 63
	away := h[side][i] - prior[side][i]
	h[side][i] += lessons*lesson - away*max(lessons, -lessons)/swing
}

// count returns the number of cells.
func count(cells uint64) int32 { return int32(bits.OnesCount64(cells)) }
