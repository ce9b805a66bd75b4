package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// prune returns a value where the static evaluation, a pass or a capture
// already decides the node, and adjusts its depth. Not in check.
func (w *worker) prune(n *node) (int, bool) {
	f, b := n.f, n.f.back(1)
	// The reduction that led here was not worth it, or could have been larger.
	if b.reduced >= hindsightUp && !n.worsening {
		n.depth++
	} else if b.reduced >= 1 && n.depth >= 2 && b.eval != none && n.static+b.eval > hindsightDown {
		n.depth--
	}
	if n.pv {
		return 0, false
	}
	if n.depth <= razorDepth && n.eval+razorBase+razorFactor*n.depth*n.depth < n.alpha {
		if v := w.quiesce(n.alpha, n.alpha+1, n.ply, w.checkDepth, false); v <= n.alpha || w.stopped() {
			return v, true
		}
	}
	if n.depth <= reverseDepth && !f.tablePV && n.eval >= n.beta && !isMate(n.beta) && n.eval < mateLow &&
		n.eval-reverseMargin(n) >= n.beta && (n.table == game.None || !n.table.Quiet()) {
		return n.beta + (n.eval-n.beta)/3, true
	}
	if v, done := w.pass(n); done {
		return v, true
	}
	if n.depth >= probcutDepth && !isMate(n.beta) {
		return w.probcut(n)
	}
	return 0, false
}

// reverseMargin is how far the evaluation must be above beta to end a node.
func reverseMargin(n *node) int {
	d := n.depth
	if n.improving {
		d--
	}
	margin := reverseFactor * d
	if n.worsening {
		margin -= reverseWorse
	}
	return margin
}

// pass tries a null move: if the opponent may move twice and still loses, a
// real move will do as well.
func (w *worker) pass(n *node) (int, bool) {
	f := n.f
	if n.depth < nullDepth || f.back(1).move == game.None || n.eval < n.beta || n.static+nullSlope*n.depth < n.beta+nullMargin ||
		isMate(n.beta) || n.ply < w.nullFrom || !w.null.NullMoveSound() {
		return 0, false
	}
	r := nullBase + n.depth*nullFactor/unit + min(3, (n.eval-n.beta)/nullGain)
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
	if w.nullFrom > 0 || n.depth < nullVerify {
		return v, true
	}
	// Deep in the tree a zugzwang would be costly: search without passing.
	w.nullFrom = n.ply + 3*(n.depth-r)/4
	check := w.search(n.beta-1, n.beta, n.depth-r, n.ply, false, false)
	w.nullFrom = 0
	return v, check >= n.beta
}

// probcut returns a value if a capture beats beta by a margin at a lower depth.
func (w *worker) probcut(n *node) (int, bool) {
	f := n.f
	margin := probcutBase
	if n.improving {
		margin -= probcutDrop
	}
	target := n.beta + margin
	if n.tableValue != none && int(n.entry.Depth) >= n.depth-3 && n.tableValue < target {
		return 0, false
	}
	table := n.table
	if table != game.None && (table.Quiet() || !w.exchange.SEE(table, target-n.static)) {
		table = game.None
	}
	p := newNoisyPicker(w, f, table)
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
		if v >= target && n.depth > 4 {
			v = -w.search(-target, -target+1, n.depth-4, n.ply+1, false, !n.cut)
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
			Quality: cluster.Quality{Depth: uint8(n.depth - 3), Bound: cluster.Lower, PV: f.tablePV},
		})
		if !isMate(v) {
			v -= margin
		}
		return v, true
	}
}
