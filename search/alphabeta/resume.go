package alphabeta

import "trefoil/cluster"

// resumeNodes is how many nodes a search spends on resuming an earlier one. Where that succeeds it
// takes some thousands.
const resumeNodes = 1 << 17

// resume orders the root moves as an earlier search of the same position left them, as far as the
// table has it, and returns the iteration to begin with, or 0 if the table does not have it.
//
// Iterations fill the table for the next ones. In a table that is full of a deeper search they do
// harm: their values differ, so that the bounds in the table cut few nodes, and their shallow entries
// replace deep ones. The result of the earlier search is found again by an iteration of the same
// depth in which resumeCutoff ends the nodes of the principal variation: the values are the same, the
// bounds hold, and it takes a hundredth of the nodes. If too much has been overwritten, it is given
// up after resumeNodes, and the search begins at depth 1.
func (w *worker) resume(depth int) int {
	if w.lines > 1 || w.restricted || w.mateSearch {
		return 0
	}
	e, hit := w.table.Probe(w.pos.Key())
	v := fromTable(e.Value, 0, w.rule50.Rule50())
	if !hit || e.Bound != cluster.Exact || e.Move == 0 || v == none {
		return 0
	}
	m, ok := w.pos.FromMove16(e.Move)
	if !ok {
		return 0
	}
	for i, r := range w.root {
		if r.move == m {
			copy(w.root[1:i+1], w.root[:i])
			r.score, r.mean = v, v
			w.root[0] = r
			return min(int(e.Depth), depth)
		}
	}
	return 0
}

// resumeCutoff reports whether the table has the exact value of a node of the principal variation,
// and then gives the node the line that the table has from there.
//
// Depth does not count after the first root move if its value is that of the root: the earlier search
// may have found that move late, and searched it less deeply.
func (w *worker) resumeCutoff(n *node) bool {
	same := n.ply == 1 && n.f.back(1).first && n.tableValue == -w.root[0].prev
	if n.entry.Bound != cluster.Exact || int(n.entry.Depth) < n.depth && !same || w.rule50.Rule50() >= tableCutoffRule50 {
		return false
	}
	f := n.f
	for e, hit := n.entry, true; hit && e.Bound == cluster.Exact && f.pvLen < n.depth; {
		m, ok := w.pos.FromMove16(e.Move)
		if !ok {
			break
		}
		f.pv[f.pvLen] = m
		f.pvLen++
		w.pos.Make(m)
		if _, over := w.pos.Adjudicate(n.ply + f.pvLen); over {
			break
		}
		e, hit = w.table.Probe(w.pos.Key())
	}
	for range f.pvLen {
		w.pos.Undo()
	}
	return true
}
