package alphabeta

import "trefoil/cluster"

// resumeNodes is how long a search tries to go on where an earlier one ended. One that can
// needs some thousands.
const resumeNodes = 1 << 17

// resume puts the root moves where an earlier search of the same position left them, as far
// as the table knows, and returns the iteration to begin with, 0 if the table does not know.
//
// Iterations are there to fill the table for the next ones. In a table that is full of a
// deeper search they do harm: their values are others, so that the bounds it has end few
// nodes, and their shallow entries take the places of deep ones. What an earlier search ended
// with is found again by an iteration of the same depth, in which recall ends the nodes
// of the principal variation: the values are the same, the bounds hold, and it takes a
// hundredth of the nodes. If it does not, because too much has been overwritten, it is given
// up after resumeNodes, and the search begins as any other.
func (w *worker) resume(depth int) int {
	if w.lines > 1 || w.partial || w.careful {
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

// recall reports whether the table has the value of a node of the principal variation, and
// not just a bound. It gives the node the line that the table has from there.
//
// Depth does not count after the first root move if its value is that of the root: the
// earlier search may have found that move late, and looked at it less deeply.
func (w *worker) recall(n *node) bool {
	same := n.ply == 1 && n.f.back(1).first && n.tableValue == -w.root[0].prev
	if n.entry.Bound != cluster.Exact || int(n.entry.Depth) < n.depth && !same || w.rule50.Rule50() >= 90 {
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
