package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// resumeNodes is the most nodes that a search spends on resuming an earlier one. Success takes some
// thousands.
const resumeNodes = 1 << 17

// resume puts the best root move of an earlier search of the same position first, if the table has
// it, and returns the iteration to begin with; 0 if the table does not have it.
//
// Iterations fill the table for the next ones. In a table that holds a deeper search the first ones
// do harm: their values differ, so the bounds in the table cut few nodes, and their shallow entries
// replace deep ones. The result of the earlier search is found again by an iteration of the same
// depth in which resumeCutoff ends the nodes of the principal variation: the values are the same, the
// bounds hold, and it takes a hundredth of the nodes. If too much has been overwritten, the iteration
// is given up after resumeNodes, and the search begins at depth 1.
func (w *worker) resume(depth int) int {
	if !w.resumable() {
		return 0
	}
	e, hit := w.table.Peek(w.pos.Key())
	v := fromTable(e.Value, 0, w.rule50.Rule50())
	if !hit || e.Bound != cluster.Exact || w.isProved(&e) || e.Move == 0 || v == none {
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

// keepResult stores the value of the last complete iteration for the root and the position after its best
// move, for a later search to resume. The iteration that was stopped may have replaced it by bounds.
func (w *worker) keepResult() {
	if w.control.root == nil || w.restricted || w.rankEnd(0) < len(w.root) {
		return // there is none, or it is not that of the position, as in searchRoot
	}
	best := &w.control.root[0]
	if e, hit := w.table.Probe(w.pos.Key()); hit && e.Bound == cluster.Exact && int(e.Depth) > best.depth {
		return // the first of several lines was complete in the iteration that was stopped, or another process is ahead
	}
	w.keepExact(best.score, 0, best.depth, best.move)
	if len(best.pv) > 1 {
		w.pos.Make(best.move)
		w.keepExact(-best.score, 1, best.depth-1, best.pv[1])
		w.pos.Undo()
	}
}

// keepExact stores an exact value of the position, unless the table has it.
func (w *worker) keepExact(v, ply, depth int, m game.Move) {
	e, hit := w.table.Probe(w.pos.Key())
	value := toTable(v, ply)
	if hit && e.Bound == cluster.Exact && e.Value == value {
		return
	}
	if !hit {
		e.Eval = none
	}
	e.Move, e.Value = m.Move16(), value
	e.Quality = cluster.Quality{Depth: uint8(depth), Bound: cluster.Exact, PV: true}
	w.store(e.Entry)
}

// resumable reports whether the value of the root is the value of the position in an ordinary search.
func (w *worker) resumable() bool { return w.lines == 1 && !w.restricted && !w.mateSearch }

// follow is how a worker takes part in the search of the same position by another process on the same
// table. When the other process completes an iteration, the table has the exact value of the root at
// that depth. An iteration that is not deeper is then abandoned and the other one resumed, as threads
// of one search take over each other's iterations.
type follow struct {
	on      bool
	root    uint64 // key
	seen    int    // the deepest iteration that was resumed, or could not be
	resumes bool   // an iteration has been abandoned for one of another process
}

// overtaken reports whether another process has completed this iteration or a deeper one.
func (w *worker) overtaken() bool {
	f := &w.follow
	if !f.on {
		return false
	}
	e, hit := w.table.Probe(f.root)
	if !hit || e.Bound != cluster.Exact || w.isProved(&e) || int(e.Depth) < w.rootDepth || int(e.Depth) <= f.seen {
		return false
	}
	f.seen, f.resumes = int(e.Depth), true
	return true
}

// resumeAfter returns the iteration to continue with when one was abandoned; last is the last complete
// one. It is an iteration of another process that is to be resumed, else the one after last: iteration 1
// if the resumption of an earlier search was given up.
func (w *worker) resumeAfter(last, depth int) int {
	w.resumed = 0
	if w.follow.resumes {
		w.follow.resumes = false
		if d := w.resume(depth); d > last {
			w.resumed, w.resumeEnd = d, w.nodes+resumeNodes
			return d
		}
	}
	return last + 1
}

// resumeCutoff reports whether the table has the exact value of a node of the principal variation,
// and if so gives the node the line that the table has from there.
//
// After the first root move the depth of the entry does not count if its value equals the value of the
// root: the earlier search may have found that move late, and searched it less deeply.
func (w *worker) resumeCutoff(n *node) bool {
	same := n.ply == 1 && n.f.back(1).first && n.tableValue == -w.root[0].prev
	if n.entry.Bound != cluster.Exact || int(n.entry.Depth) < n.depth && !same || w.rule50.Rule50() >= tableCutoffRule50 {
		return false
	}
	w.tableLine(n, n.depth)
	return true
}

// tableLine gives the node the line that the table has from there, of at most that many moves: through exact values,
// and through bounds that equal the value of the node, if it is a mate.
func (w *worker) tableLine(n *node, most int) {
	f := n.f
	v := n.tableValue // of the node that e belongs to
	for e, hit := n.entry, true; hit && f.pvLen < most; v = -v {
		mate := isMate(v) && fromTable(e.Value, n.ply+f.pvLen, w.rule50.Rule50()) == v
		m, ok := w.pos.FromMove16(e.Move)
		if e.Bound != cluster.Exact && !mate || !ok {
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
}
