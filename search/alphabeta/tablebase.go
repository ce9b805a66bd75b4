package alphabeta

import (
	"slices"

	"trefoil/cluster"
	"trefoil/game"
)

// TablebaseProber is implemented by games with endgame tables. The search looks it up once per search.
type TablebaseProber interface {
	// HasTablebases reports whether there are any tables now.
	HasTablebases() bool
	// ProbeTablebase returns the result for the side to move, if the tables have it and it is worth
	// looking up in a node of this depth: 2 a win, 1 a win that the fifty-move rule turns into a draw,
	// 0 a draw, -1 and -2 the same for losses.
	ProbeTablebase(depth int) (result int, ok bool)
	// RankRoot ranks the moves of a root that the tables have; otherwise it returns no ranks. complete
	// reports that the ranks make progress: if they do not, a search that plays moves of the highest
	// rank may keep a win and never finish it.
	RankRoot(moves []game.Move) (ranks []TablebaseRank, complete bool)
}

// TablebaseRank is what tables know of a root move.
type TablebaseRank struct {
	Rank       int          // higher is better; only moves of the highest rank are played
	Outcome    game.Outcome // Ahead, Draw or Behind for the side to move
	Centipawns int          // the score of a draw, by how close it is to another result
}

// tablebaseDepth is added to the depth of a node whose value comes from a tablebase when it is stored.
const tablebaseDepth = 6

// probeRoot ranks the root moves by tablebases, and decides whether nodes below probe them.
func (s *Searcher) probeRoot() {
	first := s.workers[0]
	t, ok := first.pos.(TablebaseProber)
	if !ok || !t.HasTablebases() {
		return
	}
	moves := make([]game.Move, len(first.root))
	for i := range moves {
		moves[i] = first.root[i].move
	}
	ranks, complete := t.RankRoot(moves)
	first.tableHits = uint64(len(ranks))
	for _, w := range s.workers {
		w.rank(moves, ranks)
		// Below a root in the tables, probes only help to find the way to a win.
		if ranks == nil || !complete && w.root[0].known.Outcome == game.Ahead {
			w.tablebase = w.pos.(TablebaseProber)
		}
	}
}

// rank gives the root moves their ranks, and sorts them.
func (w *worker) rank(moves []game.Move, ranks []TablebaseRank) {
	if ranks == nil {
		return
	}
	for i := range w.root {
		r := &w.root[i]
		r.known, r.ranked = ranks[slices.Index(moves, r.move)], true
	}
	w.sortRoot(0, len(w.root))
}

// rankEnd is the end of the root moves that have the rank of the one at line.
func (w *worker) rankEnd(line int) int {
	end := line + 1
	for end < len(w.root) && w.root[end].known.Rank == w.root[line].known.Rank {
		end++
	}
	return end
}

// value is the value of a root move by the tables, if a draw has the value draw.
func (t *TablebaseRank) value(draw int) int {
	if t.Outcome == game.Draw {
		return draw + t.Centipawns
	}
	return outcomeValue(t.Outcome, 0)
}

// probeTablebase returns the value of n if the tablebases have it and it ends the node. A win or loss is only
// a bound: there may be a mate.
func (w *worker) probeTablebase(n *node) (int, bool) {
	if n.f.excluded != game.None {
		return 0, false
	}
	result, ok := w.tablebase.ProbeTablebase(n.depth)
	if !ok {
		return 0, false
	}
	w.tableHits++
	v, bound := w.drawValue(n.ply)+2*result, cluster.Exact
	switch result {
	case 2:
		v, bound = outcomeValue(game.Ahead, n.ply), cluster.Lower
	case -2:
		v, bound = outcomeValue(game.Behind, n.ply), cluster.Upper
	}
	if bound == cluster.Exact || bound == cluster.Lower && v >= n.beta || bound == cluster.Upper && v <= n.alpha {
		w.store(cluster.Entry{
			Value: toTable(v, n.ply), Eval: none,
			Quality: cluster.Quality{Depth: uint8(min(n.depth+tablebaseDepth, maxDepth)), Bound: bound, PV: n.f.tablePV},
		})
		return v, true
	}
	if n.pv {
		if bound == cluster.Lower {
			n.best, n.alpha = v, max(n.alpha, v)
		} else {
			n.ceiling = v
		}
	}
	return 0, false
}
