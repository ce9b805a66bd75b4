package exact

import "trefoil/game/connect4"

// history is the history heuristic: how good a cell has been for each side, 0 for the side that began. It
// starts from prior and never differs from it by more than historyLimit·historyStep, so what was learnt in
// one part of the tree does not dominate in others.
type history [2][lastBit + 1]int32

const (
	historyStep  = 64               // change by one failure or success
	historyLimit = 128              // in steps, the largest difference from prior
	centreStep   = 48 * historyStep // prior value of one step from the rim towards the centre
	winWeight    = 1 << 24          // of a winning cell; more than any history value
)

// prior is the history before a search: central cells are better than the rim, and columns count
// more than rows.
func prior(b *connect4.Board) (h history) {
	for cell := range lastBit + 1 {
		col, row := cell/int(b.Stride), cell%int(b.Stride)
		v := centreStep * int32(2*min(col, b.Width-1-col)+min(row, b.Height-1-row))
		h[0][cell], h[1][cell] = v, v
	}
	return h
}

// moveScore is the move-ordering score of n's move to a cell: first the number of threats, winning cells
// that n's mover has after it, then the history of the cell. A winning cell directly above a winning cell
// of the other side is no threat: the other side wins by filling the lower cell, and blocks the upper one
// if n's mover fills it.
func (h *history) moveScore(n *node, cell, threats connect4.Set) int32 {
	return count(threats)*winWeight + h[n.ply&1][first(cell)]
}

// update updates the history after a cutoff: the last of the tried moves caused it, the others
// failed.
func (h *history) update(prior *history, n *node, tried []node) {
	last := len(tried) - 1
	for i := range tried[:last] {
		h.add(prior, n.ply&1, tried[i].cell, -1)
	}
	h.add(prior, n.ply&1, tried[last].cell, int32(last))
}

// add changes the history of a cell by a number of steps, and by less the nearer it is to its limit.
func (h *history) add(prior *history, side int32, cell connect4.Set, steps int32) {
	i := first(cell)
	away := h[side][i] - prior[side][i]
	h[side][i] += steps*historyStep - away*max(steps, -steps)/historyLimit
}
