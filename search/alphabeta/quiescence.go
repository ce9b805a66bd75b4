package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// quiesce returns the value of a position within (alpha, beta) by looking at
// captures, promotions and replies to checks only, so that no exchange is cut
// in half; for so many plies at quiet checks too, and at a mate that is seen.
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
		return outcomeValue(o, ply)
	}
	f.inCheck = w.checker.InCheck()
	if ply >= maxPly-1 {
		return w.horizon(f)
	}
	v, done := w.probeQuiet(&n)
	if w.watch != nil && n.hit {
		w.used(&n, done)
	}
	if done {
		return v
	}
	if v, done := w.stand(&n); done {
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
		return outcomeValue(w.pos.NoMoves(), ply)
	}
	if n.best >= beta && !isDecided(n.best) {
		n.best = (n.best + beta) / 2
	}
	w.storeQuiet(&n)
	return n.best
}

// probeQuiet probes the table; any depth is enough for quiescence.
func (w *worker) probeQuiet(n *node) (int, bool) {
	w.probe(n)
	if !n.hit {
		return 0, false
	}
	reversible := w.rule50.Rule50()
	n.tableValue = fromTable(n.entry.Value, n.ply, reversible)
	if !n.pv && n.tableValue != none && bounds(n.entry.Bound, n.tableValue, n.beta) && reversible < 90 {
		return n.tableValue, true
	}
	if n.entry.Move != 0 {
		if m, ok := w.pos.FromMove16(n.entry.Move); ok && (n.f.inCheck || !m.Quiet()) {
			n.table = m
		}
	}
	return 0, false
}

// stand takes the static evaluation as a lower bound: some quiet move will keep
// it. There is none to take in check.
func (w *worker) stand(n *node) (int, bool) {
	f := n.f
	f.side = w.pos.Side()
	f.corrs = w.corrkeys.CorrectionKeys(&f.keys)
	if f.inCheck {
		f.eval = none
		return 0, false
	}
	if n.hit {
		n.raw = int(n.entry.Eval)
	}
	n.static = w.corrected(n)
	f.eval = n.static
	n.best = n.static
	if n.tableValue != none && !isDecided(n.tableValue) && bounds(n.entry.Bound, n.tableValue, n.best) {
		n.best = n.tableValue
	}
	if n.best >= n.beta {
		n.best = (n.best + n.beta) / 2
		if !n.hit {
			w.storeQuiet(n)
		}
		return n.best, true
	}
	n.alpha = max(n.alpha, n.best)
	return 0, false
}

// storeQuiet stores n as a node of depth 0.
func (w *worker) storeQuiet(n *node) {
	bound := cluster.Upper
	if n.best >= n.beta {
		bound = cluster.Lower
	}
	w.store(cluster.Entry{
		Move: n.bestMove.Move16(), Value: toTable(n.best, n.ply), Eval: int16(n.raw),
		Quality: cluster.Quality{Bound: bound, PV: n.hit && n.entry.PV},
	})
}

// searchNoisy tries the moves of a quiescence node, quiet checks among them if
// checks are left.
func (w *worker) searchNoisy(n *node, checks int) {
	f := n.f
	p := newNoisyPicker(w, f, n.table)
	p.checks = checks > 0 && !f.inCheck
	futile := n.static + deltaMargin
	for {
		m := p.pick()
		if m == game.None {
			return
		}
		n.count++
		if n.best > -mateLow {
			if f.inCheck {
				// One quiet evasion is enough to show that there is a way out.
				p.skipQuiet = true
				if m.Quiet() && n.count > 1 {
					continue
				}
			} else if p.stage == stageCheck {
				if !w.exchange.SEE(m, seeQuiesce) {
					continue
				}
			} else if w.skipNoisy(n, m, futile) {
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
					f.take(m, w.frame(n.ply+1))
				}
				if v >= n.beta {
					return
				}
				n.alpha = v
			}
		}
	}
}

// skipNoisy reports whether the capture m cannot bring the value up to alpha,
// or loses material.
func (w *worker) skipNoisy(n *node, m game.Move, futile int) bool {
	if !m.Promotes() {
		if v := futile + w.exchange.CaptureValue(m); v <= n.alpha && !w.checker.GivesCheck(m) {
			n.best = max(n.best, v)
			return true
		}
		if futile <= n.alpha && !w.exchange.SEE(m, 1) {
			n.best = max(n.best, futile)
			return true
		}
		if n.count > quietLate && m.To() != n.f.back(1).move.To() && !w.checker.GivesCheck(m) {
			return true
		}
	}
	return !w.exchange.SEE(m, seeQuiesce)
}
