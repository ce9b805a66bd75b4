package alphabeta

import (
	"slices"

	"trefoil/game"
	"trefoil/search"
)

// reportLines reports the lines of a worker: the first, and the others that have a value.
func (m *manager) reportLines(w *worker) {
	if m.report == nil {
		return
	}
	for i := range min(w.lines, m.set.lines()) {
		if r := &w.root[i]; i > 0 && r.value() == -infinite && !r.ranked {
			return
		}
		m.reportLine(w, i)
	}
}

// reportLine reports line i of a worker.
func (m *manager) reportLine(w *worker, i int) {
	r := &w.root[i]
	v, depth := r.value(), w.rootDepth
	bound := search.Exact
	switch {
	case r.score == -infinite: // not reached in this iteration
		depth = max(1, depth-1)
	case r.bound > 0:
		bound = search.Lower
	case r.bound < 0:
		bound = search.Upper
	}
	if v == -infinite { // stopped before the first value
		v, depth = m.rootEval(), 1
	}
	if r.ranked && !isMate(v) {
		v, bound = r.known.value(m.set.DrawValue), search.Exact
	}
	nodes := m.nodes()
	info := search.Info{
		Depth: max(1, depth), SelDepth: max(1, r.sel), MultiPV: i + 1,
		Score: m.set.score(v), Bound: bound,
		Nodes: nodes, TableHits: m.tableHits(), Time: m.elapsed(), HashFull: m.hashFull(nodes), PV: m.line(r),
	}
	if m.set.WDL != nil {
		info.WDL = m.expected(v, m.isDraw(r))
	}
	m.reported, m.reportedNodes = true, nodes
	m.report(info)
}

// expected is the expected result of a value, or of a certain draw. The value of a draw counts as 0: it says what a
// draw is worth, not how likely the others are.
func (m *manager) expected(v int, draw bool) *search.WDL {
	var wdl search.WDL
	switch {
	case v >= decided:
		wdl = search.WDL{1000, 0, 0}
	case v <= -decided:
		wdl = search.WDL{0, 0, 1000}
	case draw:
		wdl = search.WDL{0, 1000, 0}
	case v == m.set.DrawValue:
		wdl = m.set.WDL(0)
	default:
		wdl = m.set.WDL(v)
	}
	return &wdl
}

// isDraw reports whether a line is drawn by the rules, or by tablebases with its first move.
func (m *manager) isDraw(r *rootMove) bool {
	return r.ranked && r.known.Outcome == game.Draw || slices.Contains(m.draws, r.move)
}

// drawsByRule returns the legal moves of pos that end the game as a draw; all legal moves if pos is drawn
// already.
func drawsByRule(pos Position, moves []game.Move) (draws []game.Move) {
	if o, over := pos.Adjudicate(0); over && o == game.Draw {
		return moves
	}
	var replies game.List
	for _, move := range moves {
		pos.Make(move)
		o, over := pos.Adjudicate(0)
		if !over {
			replies.Reset()
			pos.Moves(game.All, &replies)
			o, over = pos.NoMoves(), replies.Len() == 0
		}
		if over && o == game.Draw {
			draws = append(draws, move)
		}
		pos.Undo()
	}
	return draws
}

// rootEval is the static evaluation of the root, for a search without any value.
func (m *manager) rootEval() int {
	w := m.workers[0]
	if w.checker.InCheck() {
		return 0
	}
	return clampEval(w.pos.Eval())
}

// line writes the best line of a root move.
func (m *manager) line(r *rootMove) []string {
	if m.set.LongLines && len(r.pv) < maxPly {
		long := rootMove{pv: append(make([]game.Move, 0, maxPly), r.pv...)}
		m.workers[0].extend(&long, maxPly)
		r = &long
	}
	text := make([]string, len(r.pv))
	pos := m.workers[0].pos
	for i, move := range r.pv {
		text[i] = pos.Text(move)
	}
	return text
}

// reportNoMoves reports a root without legal moves.
func (m *manager) reportNoMoves(root Position) {
	if m.report == nil {
		return
	}
	outcome := root.NoMoves()
	v := outcomeValue(outcome, 0)
	info := search.Info{MultiPV: 1, Score: m.set.score(v), Time: m.elapsed(), HashFull: m.table.Full()}
	if m.set.WDL != nil {
		info.WDL = m.expected(v, outcome == game.Draw)
	}
	m.report(info)
}

// reportNews reports the lines of Settings.News, after which the best lines are due again.
func (m *manager) reportNews() {
	if m.report == nil || m.set.News == nil {
		return
	}
	for _, line := range m.set.News() {
		m.report(search.Info{Text: line})
		m.reported = false
	}
}

// choose puts the move that is to be played first, with its last exact value if it has one.
func (m *manager) choose(w *worker) {
	if m.proofs.line != nil && w.mateAtRoot(m.proofs.line) {
		m.reported = false
		return
	}
	if w.settle() {
		m.reported = false
	}
	if s := m.set.Skill; s != nil && s.moveForward(w) {
		m.reported = false
	}
}

// result is the best move of the main thread, after a last report unless nothing has changed since
// the one before.
func (m *manager) result() search.Result {
	for _, w := range m.workers {
		w.count()
	}
	w := m.workers[0]
	res := search.Result{Nodes: m.nodes()}
	m.timer.End(m.used())
	m.reportNews()
	if m.report != nil && m.set.Closing != nil {
		for _, line := range m.set.Closing() {
			m.report(search.Info{Text: line})
			m.reported = false
		}
	}
	if m.report != nil && (!m.reported || m.reportedNodes != res.Nodes) {
		m.reportLines(w)
	}
	best := &w.root[0]
	res.Best = m.root.Text(best.move)
	if len(best.pv) > 1 {
		w.pos.Make(best.move)
		res.Ponder = w.pos.Text(best.pv[1])
		w.pos.Undo()
	}
	res.Time = m.elapsed()
	return res
}
