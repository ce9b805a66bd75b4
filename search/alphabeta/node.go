package alphabeta

import (
	"trefoil/cluster"
	"trefoil/game"
)

// node is the state of one call of search. It lives on the stack; what other plies read is
// in the frame.
type node struct {
	f           *frame
	ply, depth  int
	alpha, beta int
	pv, cut     bool
	improving   bool
	worsening   bool // for the opponent: its evaluation has fallen

	entry      cluster.Found // valid if hit
	hit        bool
	observed   bool      // hit, and its use is reported to the observer
	table      game.Move // the table's move
	tableValue int       // none if not hit

	raw, static int // evaluation before and after correction; none in check
	eval        int // the best guess: static, or the table's value
	best        int
	ceiling     int // upper bound by a tablebase; 0: none
	bestMove    game.Move
	count       int // moves searched or pruned
	quiets      int // in f.quiets
	noisies     int // in f.noisies
}

// search returns the value of the position at ply, searched to depth within (alpha, beta),
// fail-soft. pv: a PV node, with a full window and a line. cut: an expected cut node, whose value
// is likely to be at least beta.
func (w *worker) search(alpha, beta, depth, ply int, pv, cut bool) int {
	if depth <= 0 {
		return w.quiesce(alpha, beta, ply, w.checkDepth, pv)
	}
	n := node{
		f: w.frame(ply), ply: ply, depth: min(depth, maxDepth), alpha: alpha, beta: beta, pv: pv, cut: cut,
		tableValue: none, raw: none, static: none, eval: none, best: -infinite,
	}
	if v, done := w.enterNode(&n); done {
		return v
	}
	v, done := w.tableCutoff(&n)
	if n.observed {
		w.used(&n, done)
	}
	if done {
		return v
	}
	if w.tablebase != nil {
		if v, done := w.probeTablebase(&n); done {
			return v
		}
	}
	w.evaluate(&n)
	if v, done := w.mateInOne(&n); done {
		return v
	}
	if !n.f.inCheck && n.f.excluded == game.None && !w.mateSearch {
		if v, done := w.pruneNode(&n); done {
			return v
		}
	}
	w.internalIterativeReduction(&n)
	if v, done := w.searchMoves(&n); done {
		return v
	}
	return w.finishNode(&n)
}

// enterNode is the prologue of a node: it prepares the frame, and ends nodes whose value is known
// without a look at their moves.
func (w *worker) enterNode(n *node) (int, bool) {
	f := n.f
	f.pvLen = 0
	if w.stopped() {
		return 0, true
	}
	if n.pv {
		w.selDepth = max(w.selDepth, n.ply+1)
	}
	if f.excluded != game.None {
		return 0, false // the frame is shared with the search that excludes nothing
	}
	if o, over := w.pos.Adjudicate(n.ply); over {
		return w.outcomeValue(o, n.ply), true
	}
	f.inCheck = w.checker.InCheck()
	if n.ply >= maxPly-1 {
		return w.horizon(f), true
	}
	if w.upcomingRepetition(n) {
		return w.drawValue(n.ply), true
	}
	if v, done := mateDistancePruning(n); done {
		return v, true
	}
	f.side = w.pos.Side()
	f.corrections = w.corrkeys.CorrectionKeys(&f.keys)
	w.frame(n.ply + 2).cutoffs = 0
	w.frame(n.ply + 1).killer = game.None
	return 0, false
}

// upcomingRepetition raises alpha to the value of a draw if a move repeats a position, and reports
// whether that ends the node.
func (w *worker) upcomingRepetition(n *node) bool {
	draw := w.drawValue(n.ply)
	if n.ply == 0 || n.alpha >= draw || !w.repeats.UpcomingRepetition(n.ply) {
		return false
	}
	n.alpha = draw
	return n.alpha >= n.beta
}

// horizon is the value of a node at the greatest ply.
func (w *worker) horizon(f *frame) int {
	if f.inCheck {
		return 0
	}
	return clampEval(w.pos.Eval())
}

// mateDistancePruning ends a node that cannot improve on a mate found nearer to the root.
func mateDistancePruning(n *node) (int, bool) {
	n.alpha = max(n.alpha, n.ply-mate)
	n.beta = min(n.beta, mate-n.ply-1)
	return n.alpha, n.alpha >= n.beta
}

// probe looks the position of n up in the table. A hit refreshes the entry, so that entries
// without hits are replaced first; but not while an earlier search is resumed, when entries of
// that search that are outside the window have to give way.
func (w *worker) probe(n *node) {
	key := w.pos.Key()
	if w.observer == nil || key&w.unobserved != 0 {
		n.entry, n.hit = w.table.Probe(key)
	} else {
		n.entry, n.hit = w.observer.Probe(w.table, w.pos, Query{n.depth, n.alpha, n.beta, n.pv})
		n.observed = n.hit
	}
	if n.hit && !n.entry.Refreshed && w.rootDepth != w.resumed {
		w.table.Refresh(key)
	}
}

// tableCutoff probes the table and returns its value if that ends the node: if the entry is deep
// enough and bounds the value on the right side of beta.
func (w *worker) tableCutoff(n *node) (int, bool) {
	f := n.f
	if f.excluded != game.None {
		return 0, false
	}
	w.probe(n)
	f.tablePV = n.pv || n.hit && n.entry.PV
	if !n.hit {
		return 0, false
	}
	rule50 := w.rule50.Rule50()
	n.tableValue = fromTable(n.entry.Value, n.ply, rule50)
	if n.entry.Move != 0 {
		if m, ok := w.pos.FromMove16(n.entry.Move); ok {
			n.table = m
		}
	}
	if n.tableValue == none {
		return 0, false
	}
	if w.isProved(&n.entry) {
		w.tableLine(n, maxPly-n.ply)
		return n.tableValue, true
	}
	if n.pv {
		return n.tableValue, w.rootDepth == w.resumed && w.resumeCutoff(n)
	}
	need := n.depth
	if n.tableValue <= n.beta {
		need--
	}
	if int(n.entry.Depth) <= need || !bounds(n.entry.Bound, n.tableValue, n.beta) ||
		n.cut != (n.tableValue >= n.beta) && n.depth <= w.tableCutoffExpectedDepth {
		return 0, false
	}
	if n.tableValue >= n.beta {
		if n.table != game.None && n.table.Quiet() {
			w.updateQuietHistories(f, n.table, w.historyBonus(n.depth)*w.tableCutoffBonus/unit)
		}
		w.refuteLastMove(f, w.historyMalus(n.depth)*w.tableCutoffBonus/unit)
	}
	return n.tableValue, rule50 < tableCutoffRule50
}

// evaluate finds the static evaluation of n, and whether it is improving.
func (w *worker) evaluate(n *node) {
	f := n.f
	if f.inCheck {
		f.eval = f.back(2).eval
		return
	}
	if f.excluded != game.None {
		n.static, n.eval = f.eval, f.eval
	} else {
		if n.hit {
			n.raw = int(n.entry.Eval)
		}
		n.static = w.correctedEval(n)
		n.eval = n.static
		if n.tableValue != none && bounds(n.entry.Bound, n.tableValue, n.static) && !isDecided(n.tableValue) {
			n.eval = n.tableValue
		}
		f.eval = n.static
		w.updateEvalHistory(n)
	}
	n.improving = f.back(2).eval != none && n.static > f.back(2).eval
	n.worsening = f.back(1).eval != none && n.static > -f.back(1).eval
}

// correctedEval is the static evaluation of n, from the table if it is there, plus what the
// correction histories add.
func (w *worker) correctedEval(n *node) int {
	correction := w.correction(n.f) // first: its misses overlap with the evaluation
	if n.raw == none {
		n.raw = w.pos.Eval()
	}
	return clampEval(n.raw + correction)
}

// mateInOne ends a node at which the side to move mates at once, and stores it. After a table
// hit it has usually been tried before, and at or above beta it is not needed.
func (w *worker) mateInOne(n *node) (int, bool) {
	f := n.f
	if n.hit || f.inCheck || f.excluded != game.None || n.static >= n.beta {
		return 0, false
	}
	m := w.mates.MateInOne()
	if m == game.None {
		return 0, false
	}
	v := mate - n.ply - 1
	if n.pv {
		f.pv[0], f.pvLen = m, 1
	}
	w.store(cluster.Entry{
		Move: m.Move16(), Value: toTable(v, n.ply), Eval: int16(n.raw),
		Quality: cluster.Quality{Depth: uint8(n.depth), Bound: cluster.Exact, PV: n.pv},
	})
	return v, true
}

// finishNode returns the value of a node after the search of its moves. It updates the histories,
// stores the value in the table, and updates the correction histories.
func (w *worker) finishNode(n *node) int {
	f := n.f
	if n.count == 0 {
		if f.excluded != game.None {
			return n.alpha
		}
		return w.outcomeValue(w.pos.NoMoves(), n.ply)
	}
	b := f.back(1)
	if n.bestMove != game.None {
		w.updateHistories(n)
	} else if b.move != game.None && b.move.Quiet() && f.excluded == game.None {
		// Every reply failed low: the quiet move that led here is good.
		bonus := w.historyBonus(n.depth) * w.bonusFailLow
		w.updateContinuation(b, b.move, bonus/unit)
		applyBonus(&w.hist.butterfly[b.side][b.move.FromTo()], bonus/(2*unit), histMax)
	}
	if n.bestMove == game.None && n.depth > w.tablePVDepth {
		f.tablePV = f.tablePV || b.tablePV
	}
	if f.excluded != game.None {
		return n.best
	}
	if n.ceiling != 0 {
		n.best = min(n.best, n.ceiling)
	}
	bound := cluster.Upper
	if n.best >= n.beta {
		bound = cluster.Lower
	} else if n.pv && n.bestMove != game.None {
		bound = cluster.Exact
	}
	w.store(cluster.Entry{
		Move: n.bestMove.Move16(), Value: toTable(n.best, n.ply), Eval: int16(n.raw),
		Quality: cluster.Quality{Depth: uint8(n.depth), Bound: bound, PV: f.tablePV},
	})
	if !f.inCheck && (n.bestMove == game.None || n.bestMove.Quiet()) && !isDecided(n.best) &&
		(bound == cluster.Exact || (bound == cluster.Lower) == (n.best > n.static)) {
		w.updateCorrection(f, n.best-n.static, n.depth)
	}
	return n.best
}
