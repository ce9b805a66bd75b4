// Package alphabeta plays two-player games by alpha-beta search on a cluster.Table. A search returns
// a legal move within its limits, after at least one report with a score. With one thread and a limit
// of nodes or depth, the same request after NewGame searches the same nodes.
//
//	Searcher ── manager (limits, timer, reports, proofs of mates)     one per search
//	   └─ worker 0 … N-1: position, histories, frames, root moves
//	        iterate → aspirationWindow → searchRoot → searchChild     root
//	        search, in this order:                                    nodes
//	          enterNode (upcoming repetition, mate distance pruning)
//	          tableCutoff
//	          probeTablebase
//	          evaluate (correction history)
//	          mateInOne
//	          pruneNode: hindsightReduction, razoring, reverseFutilityPruning, nullMovePruning, probCut
//	          internalIterativeReduction
//	          searchMoves
//	            lateMoveReduction, pruneMove (late move, history, futility and SEE pruning)
//	            singularExtension (multi-cut, negative extension)
//	            searchChild (principal variation search) → search …
//	          finishNode: histories, store, correction history
//	        quiesce: quiescenceTableCutoff, standPat, mateInOne,      leaves
//	          searchNoisy (deltaPruning, SEE pruning)
//	   cluster.Table, shared by all workers
//
// Workers share the table and their complete iterations, nothing else (lazy SMP). The parameters of
// all techniques are in params.go, their values in values.txt.
package alphabeta

import (
	"context"
	"slices"
	"sync"
	"time"

	"trefoil/cluster"
	"trefoil/game"
	"trefoil/search"
	"trefoil/search/clock"
)

// Settings are the options of a search.
type Settings struct {
	MultiPV int            // lines to report; 0 counts as 1
	Clock   clock.Settings // for time management
	// Resume continues where an earlier search of the position ended, as far as the table still
	// has it. It is for tables that were kept.
	Resume bool
	// Follow, which needs Resume, takes over during the search what another process finds out about the
	// same position. It is for tables that processes share.
	Follow bool
	// Unit is the value that is reported as 100 centipawns; with 0, values are reported as they are.
	Unit int
	// WDL returns the expected result of a value; nil leaves it out of the reports. It is not called for
	// certain wins, losses and draws.
	WDL func(value int) search.WDL
	// DrawValue is the value of a draw by the rules, in centipawns for the side to move at the root. The table has
	// values by it, so it is emptied when a side's value changes.
	DrawValue int
	// LongLines continues reported lines with moves of the table, to their end or a repetition.
	LongLines bool
	// PVInterval is the least time between two reports of lines, but for the last one; NoBounds leaves out
	// bounds.
	PVInterval time.Duration
	NoBounds   bool
	// Observer returns the observer of a worker's use of the table; nil means none.
	Observer func(worker int) Observer
	// Unobserved is a mask of key bits: a position is probed and stored without the observer if its key has
	// any of these bits set.
	Unobserved uint64
	// Params, unless nil, replaces the parameters of the game.
	Params *Params
	// Skill weakens the search; nil is full strength.
	Skill *Skill
	// Prover looks for forced mates beside the search; nil: nothing does.
	Prover Prover
	// News, unless nil, returns lines of text that are reported after an iteration.
	News func() []string
	// Closing, unless nil, returns lines of text that are reported after the workers have ended. If
	// there are any, the best lines are reported again after them.
	Closing func() []string
}

// lines is the number of lines reported.
func (s *Settings) lines() int { return max(1, s.MultiPV) }

// Searcher keeps the workers between searches. Its methods are called one at a
// time.
type Searcher struct {
	table           *cluster.Table
	threads         int
	workers         []*worker
	pieces, squares int
	moves           game.List
	nodeClock       clock.NodeClock // of the game
}

// New returns a searcher of one thread. It needs a table before it searches.
func New() *Searcher { return &Searcher{threads: 1} }

// SetTable makes all later searches use t.
func (s *Searcher) SetTable(t *cluster.Table) { s.table = t }

// SetThreads sets the number of workers, at least 1. Any beyond it are freed.
func (s *Searcher) SetThreads(n int) {
	s.threads = max(1, n)
	s.keepWorkers(s.threads)
}

// Workers is the number of workers made so far.
func (s *Searcher) Workers() int { return len(s.workers) }

// Free frees all workers and what they have learnt.
func (s *Searcher) Free() { s.keepWorkers(0) }

// keepWorkers frees all workers but the first n.
func (s *Searcher) keepWorkers(n int) {
	if len(s.workers) > n {
		clear(s.workers[n:])
		s.workers = s.workers[:n]
	}
}

// NewGame clears what searches of earlier games have learnt, except the table.
func (s *Searcher) NewGame() {
	s.nodeClock = clock.NodeClock{}
	s.ClearHistories()
}

// ClearHistories makes the next search independent of earlier ones, except for the table and the clock of
// the game.
func (s *Searcher) ClearHistories() {
	for _, w := range s.workers {
		w.hist.clear()
	}
}

// MakeWorkers makes one worker for each thread, for a game of the given HistoryDimensions. A search does that
// too, but on its clock.
func (s *Searcher) MakeWorkers(pieces, squares int) {
	if pieces != s.pieces || squares != s.squares {
		s.pieces, s.squares, s.workers = pieces, squares, nil
	}
	for len(s.workers) < s.threads {
		s.workers = append(s.workers, newWorker(pieces, squares))
	}
}

// rootMoves returns the legal moves of pos that are among names, or all if none is.
func (s *Searcher) rootMoves(pos Position, names []string) []game.Move {
	s.moves.Reset()
	pos.Moves(game.All, &s.moves)
	if len(names) == 0 {
		return s.moves.All()
	}
	var chosen []game.Move
	for _, m := range s.moves.All() {
		if slices.Contains(names, pos.Text(m)) {
			chosen = append(chosen, m)
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
func (s *Searcher) Search(ctx context.Context, root Position, lim search.Limits, set Settings,
	report func(search.Info)) search.Result {
	s.MakeWorkers(root.HistoryDimensions())
	moves := s.rootMoves(root, lim.SearchMoves)
	ctx, end := context.WithCancel(ctx)
	defer end()
	m := newManager(ctx, s, root, lim, set, report)
	defer m.disarm()
	if len(moves) == 0 {
		m.reportNoMoves(root)
		m.wait(ctx)
		return search.Result{Time: m.elapsed()}
	}
	s.table.NewSearch()
	lines := set.lines()
	if set.Skill != nil {
		lines = max(lines, set.Skill.Moves)
	}
	for i, w := range s.workers {
		w.table, w.control, w.manager, w.start = s.table, &m.control, nil, root
		w.observer, w.unobserved = nil, set.Unobserved
		if set.Observer != nil {
			w.observer = set.Observer(i)
		}
		w.prepare(root.Clone(), moves, lines)
		if set.Params != nil {
			w.setParams(set.Params)
		}
		w.skip = 2 * i % 3
		w.pollAt = pollEvery
		w.pollNodes()
		w.draw = set.DrawValue
		w.mateSearch, w.proofs, w.proved = lim.Mate > 0, set.Prover != nil, false
		w.restricted = len(moves) < s.moves.Len()
		w.resumed, w.resumeEnd, w.follow = 0, resumeNodes, follow{}
		if set.Resume && i == 0 {
			w.resumed = w.resume(m.depth())
			w.follow = follow{on: set.Follow && w.resumable(), root: root.Key(), seen: w.resumed}
		}
	}
	s.probeRoot()
	if set.WDL != nil {
		m.draws = drawsByRule(s.workers[0].pos, moves)
	}
	release := context.AfterFunc(ctx, m.control.stop)
	defer release()

	var helpers sync.WaitGroup
	if m.worthHelpers() {
		for _, w := range s.workers[1:] {
			helpers.Go(func() { w.iterate(m.depth()) })
		}
	}
	w := s.workers[0]
	w.manager = m
	m.poll(w)
	w.iterate(m.depth())
	m.wait(ctx)
	m.rest(ctx)
	m.control.stop()
	helpers.Wait()
	m.choose(w)
	for s.table.Guard(func() { w.tableMoveFirst(); w.keepResult(); w.extend(&w.root[0], w.rootDepth) }) {
		w.restart()
	}
	return m.result()
}
