// Package alphabeta plays two-player games by alpha-beta search: it promises a
// legal move within the limits, at least one report with a score before it, and
// the same nodes for the same request after NewGame when one thread searches a
// number of nodes or a depth.
//
//	Searcher ── lead (limits, clock, reports)        one per search
//	   └─ worker 0 … N-1: position, histories, frames, root moves
//	         iterate → aspirate → searchRoot ─┐      root
//	         search: enter, lookUp, evaluate, │
//	                 prune, searchMoves, leave┴→ descend → search …
//	         quiesce                                 leaves
//	   cluster.Table, shared by all of them
//
// The methods are those of the field: principal variation search with
// aspiration, null moves, probcut, reductions and extensions by the table,
// histories of moves and of evaluation errors. Workers share the table and their
// complete iterations, nothing else (lazy SMP).
package alphabeta

import (
	"context"
	"sync"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/clock"
)

// Settings are the options that a search looks at.
type Settings struct {
	MultiPV int            // lines to report; 0 counts as 1
	Clock   clock.Settings // for time management
	// Resume goes on where an earlier search of the position ended, if the table has it
	// still. It is for tables that were kept.
	Resume bool
	// WDL tells the expected result of a score; nil if nobody wants to know.
	WDL func(score search.Score) search.WDL
	// Watch returns what follows a worker's use of the table; nil if nobody does.
	Watch func(worker int) Watch
	// Closing returns lines for people that are reported when the workers have ended, before
	// the last line with a score; nil if there is nothing to say.
	Closing func() []string
}

// Searcher keeps the workers between searches. Its methods are called one at a
// time.
type Searcher struct {
	table           *cluster.Table
	threads         int
	workers         []*worker
	pieces, squares int
	moves           game.List
}

// New returns a searcher of one thread. It needs a table before it searches.
func New() *Searcher { return &Searcher{threads: 1} }

// SetTable makes all workers use t from now on.
func (s *Searcher) SetTable(t *cluster.Table) { s.table = t }

// SetThreads sets the number of workers, at least 1.
func (s *Searcher) SetThreads(n int) { s.threads = max(1, n) }

// NewGame forgets what was learnt in earlier games. The table is not touched.
func (s *Searcher) NewGame() {
	for _, w := range s.workers {
		w.hist.clear()
	}
}

// staff provides as many workers as there are threads, fit for the game of pos.
func (s *Searcher) staff(pos Position) {
	if p, q := pos.HistoryDimensions(); p != s.pieces || q != s.squares {
		s.pieces, s.squares, s.workers = p, q, nil
	}
	if len(s.workers) > s.threads {
		clear(s.workers[s.threads:])
		s.workers = s.workers[:s.threads]
	}
	for len(s.workers) < s.threads {
		s.workers = append(s.workers, newWorker(s.pieces, s.squares))
	}
}

// rootMoves returns the legal moves of pos that are among names, or all if
// none is.
func (s *Searcher) rootMoves(pos Position, names []string) []game.Move {
	s.moves.Reset()
	pos.Moves(game.All, &s.moves)
	if len(names) == 0 {
		return s.moves.All()
	}
	var chosen []game.Move
	for _, m := range s.moves.All() {
		text := pos.Text(m)
		for _, name := range names {
			if name == text {
				chosen = append(chosen, m)
				break
			}
		}
	}
	if len(chosen) == 0 {
		return s.moves.All()
	}
	return chosen
}

// Search looks for the best move of root within the limits, or until ctx ends.
// The root is not changed. report, which may be nil, is called from this
// goroutine only.
func (s *Searcher) Search(ctx context.Context, root Position, lim search.Limits, set Settings, report func(search.Info)) search.Result {
	s.staff(root)
	moves := s.rootMoves(root, lim.SearchMoves)
	l := newLead(ctx, s, root, lim, set, report)
	defer l.disarm()
	if len(moves) == 0 {
		l.hopeless(root)
		l.wait(ctx)
		return search.Result{Time: l.elapsed()}
	}
	s.table.NewSearch()
	for i, w := range s.workers {
		w.table, w.control, w.main = s.table, &l.control, nil
		w.watch = nil
		if set.Watch != nil {
			w.watch = set.Watch(i)
		}
		w.prepare(root.Clone(), moves, max(1, set.MultiPV))
		w.ahead = 2 * i % 3
		w.pollAt = pollEvery
		w.careful = lim.Mate > 0
		w.partial = len(moves) < s.moves.Len()
		w.resumed = 0
		if set.Resume && i == 0 {
			w.resumed = w.resume(l.depth())
		}
	}
	release := context.AfterFunc(ctx, func() { l.control.stop() })
	defer release()

	var helpers sync.WaitGroup
	for _, w := range s.workers[1:] {
		helpers.Go(func() { w.iterate(l.depth()) })
	}
	w := s.workers[0]
	w.main = l
	l.poll(w)
	w.iterate(l.depth())
	l.wait(ctx)
	l.control.stop()
	helpers.Wait()
	return l.result()
}

// Quiesce returns the value of pos, for the side to move, when only captures,
// promotions, replies to checks and mates that are seen are played. pos is not changed for good.
func (s *Searcher) Quiesce(pos Position) int {
	s.staff(pos)
	w := s.workers[0]
	var l lead
	w.table, w.watch, w.control, w.main = s.table, nil, &l.control, nil
	w.prepare(pos, nil, 0)
	w.pollAt, w.rootDepth = ^uint64(0), 1
	return w.quiesce(-infinite, infinite, 0, 0, true)
}
