package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// quiesce returns the value of a position within (alpha, beta) by a search of captures, promotions and
// evasions only, so that no exchange is cut in half. For checks plies it searches quiet checks as
// well.
//
//go:noinline // the profile would inline it into searchNoisy, and every node would be allocated on the heap
func (w *worker) quiesce(alpha, beta, ply, checks int, pv bool) int {
	n := node{
		f: w.frame(ply), ply: ply, alpha: alpha, beta: beta, pv: pv,
		tableValue: none, raw: none, static: none, best: -infinite,
	}
	f := n.f
	f.pvLen = 0
	if w.stopped() {
		return 0
	}
	if pv {
		w.selDepth = max(w.selDepth, ply+1)
	}
	if o, over := w.pos.Adjudicate(ply); over {
		return w.outcomeValue(o, ply)
	}
	f.inCheck = w.checker.InCheck()
	if ply >= maxPly-1 {
		return w.horizon(f)
	}
	if w.upcomingRepetition(&n) {
		return w.drawValue(ply)
	}
	v, done := w.quiescenceTableCutoff(&n)
	if n.observed {
		w.used(&n, done)
	}
	if done {
		return v
	}
	if v, done := w.standPat(&n); done {
		return v
	}
	if v, done := w.mateInOne(&n); done {
		return v
	}
	w.searchNoisy(&n, checks)
	if w.stopped() {
		return 0
	}
	if f.inCheck && n.count == 0 {
		return w.outcomeValue(w.pos.NoMoves(), ply)
	}
	if n.best >= beta && !isDecided(n.best) {
		n.best = (n.best + beta) / 2
	}
	w.storeQuiescence(&n)
	return n.best
}

// quiescenceTableCutoff probes the table and returns its value if that ends the node; any depth is
// enough for quiescence.
func (w *worker) quiescenceTableCutoff(n *node) (int, bool) {
	w.probe(n)
	if !n.hit {
		return 0, false
	}
	rule50 := w.rule50.Rule50()
	n.tableValue = fromTable(n.entry.Value, n.ply, rule50)
	if !n.pv && n.tableValue != none && bounds(n.entry.Bound, n.tableValue, n.beta) && rule50 < tableCutoffRule50 {
		return n.tableValue, true
	}
	if n.entry.Move != 0 {
		if m, ok := w.pos.FromMove16(n.entry.Move); ok && (n.f.inCheck || !m.Quiet()) {
			n.table = m
		}
	}
	return 0, false
}

// standPat takes the static evaluation as a lower bound of the value, because some quiet move is
// likely to keep it, and ends the node if it reaches beta. There is no stand pat in check.
func (w *worker) standPat(n *node) (int, bool) {
	f := n.f
	f.side = w.pos.Side()
	f.corrections = w.corrkeys.CorrectionKeys(&f.keys)
	if f.inCheck {
		f.eval = none
		return 0, false
	}
	if n.hit {
		n.raw = int(n.entry.Eval)
	}
	n.static = w.correctedEval(n)
	f.eval = n.static
	n.best = n.static
	if n.tableValue != none && !isDecided(n.tableValue) && bounds(n.entry.Bound, n.tableValue, n.best) {
		n.best = n.tableValue
	}
	if n.best >= n.beta {
		n.best = (n.best + n.beta) / 2
		if !n.hit {
			w.storeQuiescence(n)
		}
		return n.best, true
	}
	n.alpha = max(n.alpha, n.best)
	return 0, false
}

// storeQuiescence stores n as a node of depth 0. A mate that the table has keeps its move, which may be quiet.
func (w *worker) storeQuiescence(n *node) {
	if n.tableValue != none && isMate(n.tableValue) {
		return
	}
	bound := cluster.Upper
	if n.best >= n.beta {
		bound = cluster.Lower
	}
	w.store(cluster.Entry{
		Move: n.bestMove.Move16(), Value: toTable(n.best, n.ply), Eval: int16(n.raw),
		Quality: cluster.Quality{Bound: bound, PV: n.hit && n.entry.PV},
	})
}

// searchNoisy searches the moves of a quiescence node, quiet checks among them if checks are left.
func (w *worker) searchNoisy(n *node, checks int) {
	f := n.f
	p := picker{w: w, f: f, table: n.table, noisyOnly: true, checks: checks > 0 && !f.inCheck}
	futile := n.static + w.deltaMargin
	for {
		m := p.pick()
		if m == game.None {
			return
		}
		n.count++
		if n.best > -decided {
			if f.inCheck {
				// One quiet evasion is enough: the position is not mate.
				p.skipQuiet = true
				if m.Quiet() && n.count > 1 {
					continue
				}
			} else if p.stage == stageCheck {
				if !w.exchange.SEE(m, w.quiescenceSEE) {
					continue
				}
			} else if w.deltaPruning(n, m, futile) || !w.exchange.SEE(m, w.quiescenceSEE) {
				continue
			}
		}
		w.table.Prefetch(w.predict.KeyAfter(m))
		f.first, f.reduced = false, 0
		w.make(f, m)
		v := -w.quiesce(-n.beta, -n.alpha, n.ply+1, checks-1, n.pv)
		w.pos.Undo()
		if w.stopped() {
			return
		}
		if v > n.best {
			n.best = v
			if v > n.alpha {
				n.bestMove = m
				if n.pv {
					f.updatePV(m, w.frame(n.ply+1))
				}
				if v >= n.beta {
					return
				}
				n.alpha = v
			}
		}
	}
}

// deltaPruning reports whether the capture m is left out of quiescence: because what it wins does not
// raise the evaluation to alpha (delta pruning), or because it comes late and does not recapture (move
// count pruning). futile is the evaluation plus a margin.
func (w *worker) deltaPruning(n *node, m game.Move, futile int) bool {
	if m.Promotes() {
		return false
	}
	if v := futile + w.exchange.CaptureValue(m); v <= n.alpha && !w.checker.GivesCheck(m) {
		n.best = max(n.best, v)
		return true
	}
	if futile <= n.alpha && !w.exchange.SEE(m, 1) {
		n.best = max(n.best, futile)
		return true
	}
	return n.count > w.quiescenceMoveCount && m.To() != n.f.back(1).move.To() && !w.checker.GivesCheck(m)
}
