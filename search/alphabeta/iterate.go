package alphabeta

import "trefoil/game"

// iterate is iterative deepening, until the search is stopped, depth is reached or the manager says
// that the time is used up. An iteration during which the memory of the table is lost is begun again.
func (w *worker) iterate(depth int) {
	last, first := 0, max(1, w.resumed) // the last complete iteration, and the first one
	for w.table.Guard(func() { w.deepen(&last, first, depth) }) {
		w.restart()
		first = last + 1
	}
}

// restart sets a worker up again whose search was ended somewhere: at the root, with the root moves as they
// are.
func (w *worker) restart() {
	w.control.mu.Lock() // evaluators are given out one at a time
	w.pos = w.start.Clone()
	w.control.mu.Unlock()
	w.optional = optionalOf(w.pos)
	if w.tablebase != nil {
		w.tablebase = w.pos.(TablebaseProber)
	}
	w.resetFrames()
	w.resumed, w.follow = 0, follow{}
}

// deepen is iterate from the iteration first on, after the iteration last.
func (w *worker) deepen(last *int, first, depth int) {
	for d := first; d <= depth; {
		w.rootDepth = min(d+w.skip, depth)
		for i := range w.root {
			w.root[i].prev = w.root[i].score
		}
		w.bestMoveChanges = 0
		for w.line = 0; w.line < w.lines && !w.stopped(); w.line++ {
			w.selDepth = 0
			w.aspirationWindow()
			w.sortRoot(0, w.line+1)
		}
		if w.rootDepth == 0 { // abandoned, see poll
			if !w.completeByProof() {
				d = w.resumeAfter(*last, depth)
				continue
			}
		} else if !w.complete() {
			return
		}
		if w.manager != nil && w.manager.iterationDone(w) {
			return
		}
		*last = w.rootDepth
		d = *last + 1
	}
}

// complete ends an iteration. If another worker has already completed an iteration of this depth or a
// deeper one, it copies that iteration; otherwise it publishes its own. It returns false if the search is
// to end.
func (w *worker) complete() bool {
	c := w.control
	c.mu.Lock()
	defer c.mu.Unlock()
	return w.completeAfter(int(c.completed.Load())) // loaded once, because the search may be stopped at any moment
}

// completeAfter is complete if that was the depth of the deepest complete iteration, or ended. control.mu is held.
func (w *worker) completeAfter(completed int) bool {
	c := w.control
	switch {
	case completed == ended:
		return false
	case completed >= w.rootDepth:
		w.takeOver()
		return true
	}
	if c.root == nil {
		c.root = make([]rootMove, len(w.root))
	}
	copyRootMoves(c.root, w.root)
	c.depth, c.bestMoveChanges = w.rootDepth, w.bestMoveChanges
	return c.completed.CompareAndSwap(int32(completed), int32(w.rootDepth))
}

// settle takes the root moves of the last complete iteration if the iteration that was stopped has the same best
// move, but only a bound of its value.
func (w *worker) settle() (settled bool) {
	c := w.control
	if settled = c.root != nil && w.root[0].bound != 0 && w.root[0].move == c.root[0].move; settled {
		copyRootMoves(w.root, c.root)
		w.rootDepth = c.depth
	}
	return settled
}

// takeOver takes the last complete iteration of all workers. control.mu is held.
func (w *worker) takeOver() {
	c := w.control
	copyRootMoves(w.root, c.root)
	w.rootDepth, w.bestMoveChanges = c.depth, c.bestMoveChanges
}

// tableMoveFirst makes the table's move the best one if no root move has been searched.
func (w *worker) tableMoveFirst() {
	e, hit := w.table.Peek(w.pos.Key())
	if !hit || w.root[0].value() != -infinite {
		return
	}
	for i := range w.root {
		if r := &w.root[i]; r.move.Move16() == e.Move && r.known.Rank >= w.root[0].known.Rank {
			w.root[0], w.root[i] = w.root[i], w.root[0]
			return
		}
	}
}

// extend continues the line of a root move with moves of the table, up to a number of moves.
func (w *worker) extend(r *rootMove, limit int) {
	for _, m := range r.pv {
		w.pos.Make(m)
	}
	for len(r.pv) < limit {
		e, hit := w.table.Peek(w.pos.Key())
		if _, over := w.pos.Adjudicate(len(r.pv)); over || !hit || e.Move == 0 {
			break
		}
		m, ok := w.pos.FromMove16(e.Move)
		if !ok {
			break
		}
		w.pos.Make(m)
		r.pv = append(r.pv, m)
	}
	for range r.pv {
		w.pos.Undo()
	}
}

// copyRootMoves copies root moves with their lines.
func copyRootMoves(to, from []rootMove) {
	for i := range from {
		pv := append(to[i].pv[:0], from[i].pv...)
		to[i] = from[i]
		to[i].pv = pv
	}
}

// rootNodes is the number of nodes below all root moves.
func (w *worker) rootNodes() (sum uint64) {
	for i := range w.root {
		sum += w.root[i].nodes
	}
	return sum
}

// aspirationWindow searches the root moves from line on, first in a narrow window around the expected
// value, then in wider ones until the value is inside.
func (w *worker) aspirationWindow() {
	alpha, beta := -infinite, infinite
	delta := w.aspirationDelta
	if expected := w.root[w.line].mean; w.rootDepth >= w.aspirationDepth && expected != -infinite {
		delta += expected * expected / w.aspirationSquare
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
			if w.manager != nil && w.line == 0 {
				w.manager.failLow(w, v)
			}
		case v >= beta:
			beta = min(v+delta, infinite)
			highs++
		default:
			return
		}
		if w.manager != nil {
			w.manager.reportBound(w)
		}
		delta += delta / 2
		if delta > w.aspirationLimit {
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
	f.corrections = w.corrkeys.CorrectionKeys(&f.keys)
	f.tablePV = true
	w.frame(2).cutoffs = 0
	w.frame(1).killer = game.None
	w.probe(&n)
	if n.hit {
		n.tableValue = fromTable(n.entry.Value, 0, w.rule50.Rule50())
		if n.observed {
			w.observer.Used(Use{Eval: !f.inCheck && n.entry.Eval != none})
		}
	}
	n.table = w.root[w.line].move
	w.evaluate(&n)

	end := w.rankEnd(w.line)
	for i := w.line; i < end; i++ {
		rm := &w.root[i]
		n.count++
		if w.manager != nil {
			w.manager.reportCurrMove(rm.move, i+1)
		}
		before := w.nodes
		r := w.lateMoveReduction(&n, rm.move, w.history(f, rm.move))
		f.first = n.count == 1
		w.make(f, rm.move)
		v := w.searchChild(&n, rm.move, depth-1, r)
		w.pos.Undo()
		rm.nodes += w.nodes - before
		if w.stopped() {
			return 0
		}
		w.recordRootMove(&n, rm, v)
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
		n.addTried(rm.move)
	}
	if w.line > 0 || w.restricted || end < len(w.root) {
		// The best of some moves is not the value of the position: neither the table nor the
		// histories may have it.
		return n.best
	}
	return w.finishNode(&n)
}

// recordRootMove records the value v of a root move that has just been searched.
func (w *worker) recordRootMove(n *node, rm *rootMove, v int) {
	if n.count > 1 && v <= n.alpha {
		rm.score = -infinite // only an upper bound is known
		return
	}
	if n.count > 1 && w.line == 0 {
		w.bestMoveChanges++
	}
	if rm.mean == -infinite {
		rm.mean = v
	} else {
		rm.mean = (rm.mean + v) / 2
	}
	rm.score, rm.sel, rm.depth = v, w.selDepth, n.depth
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

// better reports whether r comes before o.
func (r *rootMove) better(o *rootMove) bool {
	if r.known.Rank != o.known.Rank {
		return r.known.Rank > o.known.Rank
	}
	if r.score != o.score {
		return r.score > o.score
	}
	return r.prev > o.prev
}

// prepare gives w a root position and the moves to search.
func (w *worker) prepare(pos Position, moves []game.Move, lines int) {
	w.pos, w.optional = pos, optionalOf(pos)
	w.setParams(w.params)
	w.nodes, w.rootDepth, w.selDepth, w.line = 0, 0, 0, 0
	w.tablebase, w.tableHits, w.counted, w.countedHits = nil, 0, 0, 0
	w.resetFrames()
	w.lines = min(lines, len(moves))
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

// resetFrames makes the search from the root independent of the one before.
func (w *worker) resetFrames() {
	w.nullFrom = 0
	for i := range w.frames {
		f := &w.frames[i]
		f.killer, f.excluded, f.cutoffs, f.reduced = game.None, game.None, 0, 0
	}
}
