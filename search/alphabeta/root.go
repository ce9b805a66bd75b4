package alphabeta

import (
	"trefoil/game"
)

// iterate deepens iteration by iteration until the search is stopped, depth is
// reached or the lead has seen enough.
func (w *worker) iterate(depth int) {
	for d := max(1, w.resumed); d <= depth; d = w.rootDepth + 1 {
		w.rootDepth = min(d+w.ahead, depth)
		for i := range w.root {
			w.root[i].prev = w.root[i].score
		}
		w.changes = 0
		for w.line = 0; w.line < w.lines && !w.stopped(); w.line++ {
			w.selDepth = 0
			w.aspirate()
			w.sortRoot(0, w.line+1)
		}
		if w.rootDepth == 0 {
			w.resumed = 0 // the table did not know enough: from the beginning
			continue
		}
		if !w.complete() {
			return
		}
		if w.main != nil && w.main.iterated(w) {
			return
		}
	}
}

// complete ends an iteration: either this worker was the first to complete it, or
// it takes over the iteration that has passed meanwhile. It returns false if the
// search is to end.
func (w *worker) complete() bool {
	c := w.control
	c.first.Lock()
	defer c.first.Unlock()
	if w.stopped() {
		if c.stopped() {
			return false
		}
		w.rootDepth, w.changes = int(c.passed.Load()), c.changes
		takeOver(w.root, c.root)
		return true
	}
	if c.root == nil {
		c.root = make([]rootMove, len(w.root))
	}
	takeOver(c.root, w.root)
	c.changes = w.changes
	passed := c.passed.Load()
	return passed != ended && c.passed.CompareAndSwap(passed, int32(w.rootDepth))
}

// takeOver copies root moves and their lines.
func takeOver(to, from []rootMove) {
	for i := range from {
		pv := append(to[i].pv[:0], from[i].pv...)
		to[i] = from[i]
		to[i].pv = pv
	}
}

// spent is the number of nodes below all root moves.
func (w *worker) spent() (sum uint64) {
	for i := range w.root {
		sum += w.root[i].nodes
	}
	return sum
}

// aspirate searches the moves from line on, first with a narrow window around
// the value expected, wider where the value falls outside.
func (w *worker) aspirate() {
	alpha, beta := -infinite, infinite
	delta := aspirationDelta
	if expected := w.root[w.line].mean; w.rootDepth >= aspirationDepth && expected != -infinite {
		delta += expected * expected / aspirationSlope
		alpha, beta = max(expected-delta, -infinite), min(expected+delta, infinite)
	}
	for highs := 0; ; {
		v := w.searchRoot(alpha, beta, max(1, w.rootDepth-highs*3/4))
		w.sortRoot(w.line, len(w.root))
		if w.stopped() {
			return
		}
		switch {
		case v <= alpha:
			beta = (alpha + beta) / 2
			alpha = max(v-delta, -infinite)
			highs = 0
		case v >= beta:
			beta = min(v+delta, infinite)
			highs++
		default:
			return
		}
		if w.main != nil {
			w.main.failed(w)
		}
		delta += delta / 2
		if delta > 600 {
			alpha, beta = -infinite, infinite
		}
	}
}

// searchRoot searches the root moves from line on within (alpha, beta).
func (w *worker) searchRoot(alpha, beta, depth int) int {
	n := node{
		f: w.frame(0), depth: depth, alpha: alpha, beta: beta, pv: true,
		tableValue: none, raw: none, static: none, best: -infinite,
	}
	f := n.f
	f.inCheck = w.checker.InCheck()
	f.side = w.pos.Side()
	f.corrs = w.corrkeys.CorrectionKeys(&f.keys)
	f.tablePV = true
	w.frame(2).cutoffs = 0
	w.frame(1).killer = game.None
	w.probe(&n)
	if n.hit {
		n.tableValue = fromTable(n.entry.Value, 0, w.rule50.Rule50())
		if w.watch != nil {
			w.watch.Used(Use{Eval: !f.inCheck && n.entry.Eval != none})
		}
	}
	n.table = w.root[w.line].move
	w.evaluate(&n)

	for i := w.line; i < len(w.root); i++ {
		rm := &w.root[i]
		n.count++
		if w.main != nil {
			w.main.trying(rm.move, i+1)
		}
		before := w.nodes
		r := w.reduction(&n, rm.move, w.history(f, rm.move))
		f.first = n.count == 1
		w.make(f, rm.move)
		v := w.descend(&n, rm.move, depth-1, r)
		w.pos.Undo()
		rm.nodes += w.nodes - before
		if w.stopped() {
			return 0
		}
		w.judge(&n, rm, v)
		if v > n.best {
			n.best = v
			if v > n.alpha {
				n.bestMove = rm.move
				if v >= beta {
					break
				}
				n.alpha = v
			}
		}
		n.tried(rm.move)
	}
	if w.line > 0 || w.partial {
		// The best of some moves is not the value of the position: neither the
		// table nor the histories may take it for that.
		return n.best
	}
	return w.leave(&n)
}

// judge records the value v of a root move that has just been searched.
func (w *worker) judge(n *node, rm *rootMove, v int) {
	if n.count > 1 && v <= n.alpha {
		rm.score = -infinite // only known to be no better
		return
	}
	if n.count > 1 && w.line == 0 {
		w.changes++
	}
	if rm.mean == -infinite {
		rm.mean = v
	} else {
		rm.mean = (rm.mean + v) / 2
	}
	rm.score, rm.sel = v, w.selDepth
	rm.bound = 0
	switch {
	case v >= n.beta:
		rm.bound = 1
	case v <= n.alpha:
		rm.bound = -1
	}
	child := w.frame(1)
	rm.pv = append(append(rm.pv[:0], rm.move), child.pv[:child.pvLen]...)
}

// sortRoot sorts the root moves from..to, best first; equals keep their order.
func (w *worker) sortRoot(from, to int) {
	for i := from + 1; i < to; i++ {
		for j := i; j > from && w.root[j].better(&w.root[j-1]); j-- {
			w.root[j], w.root[j-1] = w.root[j-1], w.root[j]
		}
	}
}

// better reports whether r belongs before o.
func (r *rootMove) better(o *rootMove) bool {
	if r.score != o.score {
		return r.score > o.score
	}
	return r.prev > o.prev
}

// prepare gives w a root position and the moves to look at.
func (w *worker) prepare(pos Position, moves []game.Move, lines int) {
	w.pos, w.optional = pos, optionalOf(pos)
	w.nodes, w.nullFrom, w.rootDepth, w.selDepth, w.line = 0, 0, 0, 0, 0
	w.counted.Store(0)
	for i := range w.frames { // or a search would depend on the one before
		f := &w.frames[i]
		f.killer, f.excluded, f.cutoffs, f.reduced = game.None, game.None, 0, 0
	}
	w.lines = min(lines, len(moves))
	for len(w.root) < len(moves) {
		w.root = append(w.root, rootMove{pv: make([]game.Move, 0, maxPly+1)})
	}
	w.root = w.root[:len(moves)]
	for i, m := range moves {
		r := &w.root[i]
		pv := r.pv
		if cap(pv) == 0 {
			pv = make([]game.Move, 0, maxPly+1)
		}
		*r = rootMove{move: m, score: -infinite, prev: -infinite, mean: -infinite, pv: append(pv[:0], m)}
	}
}
