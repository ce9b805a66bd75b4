package alphabeta

import (
	"trefoil/game"
	"trefoil/search"
)

// tell reports all lines of a worker.
func (l *lead) tell(w *worker) {
	if l.send == nil {
		return
	}
	for i := range w.lines {
		l.tellLine(w, i)
	}
}

// tellLine reports line i of a worker.
func (l *lead) tellLine(w *worker, i int) {
	r := &w.root[i]
	v, depth := r.score, w.rootDepth
	bound := search.Exact
	switch {
	case v == -infinite: // not reached in this iteration
		v, depth = r.prev, max(1, depth-1)
	case r.bound > 0:
		bound = search.Lower
	case r.bound < 0:
		bound = search.Upper
	}
	if v == -infinite { // stopped before anything was known
		v, depth = l.guess(), 1
	}
	now := l.elapsed()
	info := search.Info{
		Depth: max(1, depth), SelDepth: max(1, r.sel), MultiPV: i + 1,
		Score: publicScore(v), Bound: bound,
		Nodes: l.nodes(), Time: now, HashFull: l.hashFull(now), PV: l.line(r),
	}
	if l.set.WDL != nil {
		wdl := l.set.WDL(info.Score)
		info.WDL = &wdl
	}
	l.told, l.toldAt = true, info.Nodes
	l.send(info)
}

// guess is the value of the root when not even one move was searched.
func (l *lead) guess() int {
	w := l.workers[0]
	if w.checker.InCheck() {
		return 0
	}
	return clampEval(w.pos.Eval())
}

// line writes the best line of a root move.
func (l *lead) line(r *rootMove) []string {
	text := make([]string, len(r.pv))
	pos := l.workers[0].pos
	for i, m := range r.pv {
		text[i] = pos.Text(m)
	}
	return text
}

// hopeless reports a root without legal moves.
func (l *lead) hopeless(root Position) {
	if l.send == nil {
		return
	}
	info := search.Info{
		MultiPV: 1, Score: publicScore(outcomeValue(root.NoMoves(), 0)),
		Time: l.elapsed(), HashFull: l.table.Full(),
	}
	if l.set.WDL != nil {
		wdl := l.set.WDL(info.Score)
		info.WDL = &wdl
	}
	l.send(info)
}

// result answers with the best move of the main worker, after a last report if
// anything has changed since.
func (l *lead) result() search.Result {
	w := l.workers[0]
	for _, h := range l.workers[1:] {
		h.counted.Store(h.nodes)
	}
	res := search.Result{Nodes: l.nodes()}
	if l.send != nil && l.set.Closing != nil {
		for _, line := range l.set.Closing() {
			l.send(search.Info{Text: line})
		}
		l.told = false
	}
	if l.send != nil && (!l.told || l.toldAt != res.Nodes) {
		l.tell(w)
	}
	best := &w.root[0]
	res.Best = l.root.Text(best.move)
	if reply, ok := l.reply(w, best); ok {
		res.Ponder = reply
	}
	res.Time = l.elapsed()
	return res
}

// reply is the answer that the search expects to its best move.
func (l *lead) reply(w *worker, best *rootMove) (string, bool) {
	pos := w.pos
	pos.Make(best.move)
	defer pos.Undo()
	m := game.None
	if len(best.pv) > 1 {
		m = best.pv[1]
	} else if e, ok := w.table.Probe(pos.Key()); ok && e.Move != 0 {
		m, _ = pos.FromMove16(e.Move)
	}
	if m == game.None {
		return "", false
	}
	return pos.Text(m), true
}
