package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// pruneNode returns a value if the static evaluation, a null move or a capture decides the node
// before its moves are searched. The side to move is not in check.
func (w *worker) pruneNode(n *node) (int, bool) {
	w.hindsightReduction(n)
	if n.pv {
		return 0, false
	}
	if v, done := w.razoring(n); done {
		return v, true
	}
	if v, done := w.reverseFutilityPruning(n); done {
		return v, true
	}
	if v, done := w.nullMovePruning(n); done {
		return v, true
	}
	return w.probCut(n)
}

// hindsightReduction corrects the late move reduction that led to n. It adds a ply if the reduction
// was large and the last move did not lose evaluation, and takes one off if that move lost much.
func (w *worker) hindsightReduction(n *node) {
	b := n.f.back(1)
	if b.reduced >= w.hindsightExtend && !n.worsening {
		n.depth++
	} else if b.reduced >= 1 && n.depth >= 2 && b.eval != none && n.static+b.eval > w.hindsightReduce {
		n.depth--
	}
}

// razoring returns the value of quiescence if the evaluation is far below alpha and quiescence
// confirms that.
func (w *worker) razoring(n *node) (int, bool) {
	if n.depth > w.razorDepth || n.eval+w.razorBase+w.razorFactor*n.depth*n.depth >= n.alpha {
		return 0, false
	}
	v := w.quiesce(n.alpha, n.alpha+1, n.ply, w.checkDepth, false)
	return v, v <= n.alpha || w.stopped()
}

// reverseFutilityPruning returns a value at or above beta if the evaluation is so far above it that
// a search is unlikely to fall below it.
func (w *worker) reverseFutilityPruning(n *node) (int, bool) {
	if n.depth > w.reverseFutilityDepth || n.f.tablePV || n.eval < n.beta || isDecided(n.beta) ||
		n.table != game.None && n.table.Quiet() {
		return 0, false
	}
	d := n.depth
	if n.improving {
		d--
	}
	margin := w.reverseFutilityFactor * d
	if n.worsening {
		margin -= w.reverseFutilityWorsening
	}
	return n.beta + (n.eval-n.beta)/w.reverseFutilityReturn, n.eval-margin >= n.beta
}

// nullMovePruning returns a value at or above beta if the side to move is that good even after a null
// move: a real move will hardly be worse.
func (w *worker) nullMovePruning(n *node) (int, bool) {
	f := n.f
	if n.depth < w.nullDepth || f.back(1).move == game.None || n.eval < n.beta ||
		n.static+w.nullSlope*n.depth < n.beta+w.nullMargin ||
		isDecided(n.beta) || n.ply < w.nullFrom || !w.null.NullMoveSound() {
		return 0, false
	}
	r := w.nullBase + n.depth*w.nullFactor/unit + min(w.nullEvalMax, (n.eval-n.beta)/w.nullEvalFactor)
	f.move, f.row, f.first, f.reduced = game.None, 0, false, 0
	w.null.MakeNull()
	v := -w.search(-n.beta, -n.beta+1, n.depth-r, n.ply+1, false, !n.cut)
	w.null.UndoNull()
	if w.stopped() || v < n.beta {
		return 0, w.stopped()
	}
	if isDecided(v) {
		v = n.beta
	}
	if w.nullFrom > 0 || n.depth < w.nullVerify {
		return v, true
	}
	return v, w.verifyNullMove(n, r)
}

// verifyNullMove reports whether n reaches beta at the reduced depth without null moves too. At
// large depths it would be costly to miss a zugzwang.
func (w *worker) verifyNullMove(n *node, r int) bool {
	w.nullFrom = n.ply + 3*(n.depth-r)/4
	v := w.search(n.beta-1, n.beta, n.depth-r, n.ply, false, false)
	w.nullFrom = 0
	return v >= n.beta
}

// probCut returns a value if a capture exceeds beta by a margin in a shallower search.
func (w *worker) probCut(n *node) (int, bool) {
	if n.depth < w.probCutDepth || isDecided(n.beta) {
		return 0, false
	}
	f := n.f
	margin := w.probCutBase
	if n.improving {
		margin -= w.probCutImproving
	}
	target := n.beta + margin
	if n.tableValue != none && int(n.entry.Depth) >= n.depth-w.probCutReduction+1 && n.tableValue < target {
		return 0, false
	}
	table := n.table
	if table != game.None && (table.Quiet() || !w.exchange.SEE(table, target-n.static)) {
		table = game.None
	}
	p := picker{w: w, f: f, table: table, noisyOnly: true}
	for {
		m := p.pick()
		if m == game.None {
			return 0, false
		}
		if m != table && !w.exchange.SEE(m, target-n.static) {
			continue
		}
		w.table.Prefetch(w.predict.KeyAfter(m))
		f.first, f.reduced = false, 0
		w.make(f, m)
		v := -w.quiesce(-target, -target+1, n.ply+1, w.checkDepth, false)
		if v >= target && n.depth > w.probCutReduction {
			v = -w.search(-target, -target+1, n.depth-w.probCutReduction, n.ply+1, false, !n.cut)
		}
		w.pos.Undo()
		if w.stopped() {
			return 0, true
		}
		if v < target {
			continue
		}
		w.store(cluster.Entry{
			Move: m.Move16(), Value: toTable(v, n.ply), Eval: int16(n.raw),
			Quality: cluster.Quality{Depth: uint8(n.depth - w.probCutReduction + 1), Bound: cluster.Lower, PV: f.tablePV},
		})
		if !isDecided(v) {
			v -= margin
		}
		return v, true
	}
}

// internalIterativeReduction takes a ply off a node without a table move: its first move is
// likely a poor one, and the next iteration will have one.
func (w *worker) internalIterativeReduction(n *node) {
	if n.table == game.None && n.depth >= w.iirDepth && (n.pv || n.cut) && n.f.excluded == game.None {
		n.depth--
	}
}
