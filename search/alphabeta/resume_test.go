package alphabeta

import (
	"context"
	"slices"
	"testing"

	"trefoil/cluster"
	"trefoil/game/gametest"
	"trefoil/search"
)

// overTableOf returns another searcher over the table of s, with nothing else in common.
func overTableOf(s *Searcher, threads int) *Searcher {
	other := New()
	other.SetTable(s.table)
	other.SetThreads(threads)
	return other
}

// A search with Resume begins where the one before it ended, in at least three quarters of the
// positions: values that depend on the path, by repetition, may make it fail.
func TestResume(t *testing.T) {
	tried, failed := 0, 0
	for i, fen := range slices.Repeat(fens, 4) {
		s, pos, depth := New(), parse(t, fen), 11+i/len(fens)
		s.SetTable(newTable(t, 16))
		limits := search.Limits{Depth: depth}
		cold, first := run(t, s, pos, limits, Settings{})
		want := first[len(first)-1]
		if want.Score.Mate || cold.Nodes < 20000 {
			continue // nothing to be saved
		}
		warm, infos := run(t, overTableOf(s, 1), pos, limits, Settings{Resume: true})
		tried++
		if warm.Nodes*3 > cold.Nodes {
			failed++
			t.Logf("%s, depth %d: %d nodes, then %d", fen, depth, cold.Nodes, warm.Nodes)
		}
		last := infos[len(infos)-1]
		if last.Depth != depth || len(last.PV) == 0 || last.PV[0] != warm.Best {
			t.Errorf("%s: %+v, %+v", fen, warm, last)
		}
		// The line is one that can be played.
		parse(t, fen, last.PV...)
		// A deeper search continues from there.
		_, infos = run(t, overTableOf(s, 2), pos, search.Limits{Depth: depth + 1}, Settings{Resume: true})
		if infos[0].Depth < 6 || infos[len(infos)-1].Depth != depth+1 {
			t.Errorf("%s: first %+v, last %+v", fen, infos[0], infos[len(infos)-1])
		}
		// A search of some moves, or of several lines, does not resume.
		for _, c := range []struct {
			limits search.Limits
			set    Settings
		}{
			{search.Limits{Depth: 2, SearchMoves: []string{warm.Best}}, Settings{Resume: true}},
			{search.Limits{Depth: 2}, Settings{Resume: true, MultiPV: 2}},
		} {
			if _, infos := run(t, overTableOf(s, 1), pos, c.limits, c.set); infos[0].Depth != 1 {
				t.Errorf("%s: %+v begins with %+v", fen, c, infos[0])
			}
		}
	}
	if failed*4 > tried {
		t.Errorf("%d of %d searches took more than a third of the nodes", failed, tried)
	}
}

// A search that was stopped within an iteration is resumed as well, whatever bounds that iteration has stored
// for the root and the principal variation.
func TestResumeStopped(t *testing.T) {
	tried, failed := 0, 0
	for i, fen := range fens {
		s, pos := New(), parse(t, fen)
		s.SetTable(newTable(t, 16))
		cold, first := run(t, s, pos, search.Limits{Nodes: uint64(40000 + 7000*i)}, Settings{})
		last := first[len(first)-1]
		if last.Score.Mate || last.Depth < 8 {
			continue
		}
		_, infos := run(t, overTableOf(s, 1), pos, search.Limits{Depth: last.Depth}, Settings{Resume: true})
		tried++
		if infos[0].Depth*2 < last.Depth || infos[0].Nodes*3 > cold.Nodes {
			failed++
			t.Logf("%s: stopped in iteration %d, resumed at %d after %d nodes", fen, last.Depth,
				infos[0].Depth, infos[0].Nodes)
		}
	}
	if failed*4 > tried {
		t.Errorf("%d of %d searches were not resumed within a third of the nodes", failed, tried)
	}
}

// The result of the last complete iteration does not replace a deeper result of the root. The deeper result
// comes from the first of several lines, or from another process.
func TestResultKeepsDeeper(t *testing.T) {
	pos := parse(t, fens[1])
	s := newSearcher(t, 1)
	run(t, s, pos, search.Limits{Depth: 8}, Settings{})
	e, _ := s.table.Probe(pos.Key())
	result := e.Depth // 8, or less if the search failed high
	for _, depth := range []uint8{result, result + 1} {
		e.Value, e.Quality = 333, cluster.Quality{Depth: depth, Bound: cluster.Exact, PV: true}
		s.table.Store(pos.Key(), e.Entry)
		s.workers[0].keepResult()
		if got, _ := s.table.Probe(pos.Key()); (got.Value == 333) != (depth > result) {
			t.Errorf("a value of depth %d, with a result of depth %d: then depth %d, value %d", depth, result,
				got.Depth, got.Value)
		}
	}
}

// stored is an Observer that notes which positions are stored.
type stored map[uint64]bool

func (stored) Probe(t *cluster.Table, p Position, _ Query) (cluster.Found, bool) {
	return t.Probe(p.Key())
}

func (stored) Used(Use) {}

func (s stored) Store(t *cluster.Table, p Position, e cluster.Entry) {
	s[p.Key()] = true
	t.Store(p.Key(), e)
}

// A hit makes an entry one of the present search, but not while an earlier search is resumed.
func TestRefresh(t *testing.T) {
	pos, limits := parse(t, fens[1]), search.Limits{Depth: 10}
	s := New()
	s.SetTable(newTable(t, 16))
	run(t, s, pos, limits, Settings{})
	for _, resume := range []bool{true, false} {
		keys := stored{}
		run(t, overTableOf(s, 1), pos, limits, Settings{Resume: resume, Observer: func(int) Observer { return keys }})
		census, err := s.table.Census(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if refreshed := census.Current > uint64(len(keys)); refreshed == resume {
			t.Errorf("resumed %v: %d positions stored, %d entries of this search", resume, len(keys), census.Current)
		}
	}
}

// Resuming ends soon if the table has nothing but the root.
func TestResumeGivesUp(t *testing.T) {
	pos := parse(t, fens[1])
	limits := search.Limits{Depth: 9}
	cold, _ := run(t, newSearcher(t, 1), pos, limits, Settings{})
	s := newSearcher(t, 1)
	m := gametest.Move(t, pos, "e2a6")
	s.table.Store(pos.Key(), cluster.Entry{Move: m.Move16(), Value: 30, Eval: 20,
		Quality: cluster.Quality{Depth: 60, Bound: cluster.Exact, PV: true}})
	res, infos := run(t, s, pos, search.Limits{Nodes: resumeNodes + 2*pollEvery + 3*cold.Nodes}, Settings{Resume: true})
	if infos[0].Depth != 1 || infos[0].Nodes > resumeNodes+2*pollEvery || infos[1].Depth != 2 {
		t.Errorf("first %+v, then %+v", infos[0], infos[1])
	}
	if last := infos[len(infos)-1]; last.Depth < 6 || res.Best == "" {
		t.Errorf("%+v, last %+v", res, last)
	}
	// A search that is stopped while resuming answers with the line from the table.
	s.table.Store(pos.Key(), cluster.Entry{Move: m.Move16(), Value: 30, Eval: 20,
		Quality: cluster.Quality{Depth: 60, Bound: cluster.Exact, PV: true}})
	res, infos = run(t, overTableOf(s, 1), pos, search.Limits{Nodes: 100}, Settings{Resume: true})
	if res.Best == "" || len(infos) == 0 {
		t.Errorf("%+v, %+v", res, infos)
	}
}

// TestResumeCutoff: an exact entry that is deep enough ends a node; after the first root move one with the value of
// the root does, however deep it is. Shortly before a draw by the fifty-move rule no entry does.
func TestResumeCutoff(t *testing.T) {
	const early, late = "4k3/8/8/8/8/8/8/4K2R w - - 89 80", "4k3/8/8/8/8/8/8/4K2R w - - 90 80"
	for _, c := range []struct {
		fen        string
		depth, ply int
		bound      cluster.Bound
		value      int
		want       bool
	}{
		{early, 5, 2, cluster.Exact, 30, true}, {early, 6, 2, cluster.Exact, 30, true},
		{early, 4, 2, cluster.Exact, 30, false}, {early, 5, 2, cluster.Lower, 30, false},
		{late, 5, 2, cluster.Exact, 30, false}, {early, 4, 1, cluster.Exact, 30, true},
		{early, 4, 1, cluster.Exact, 31, false}, {late, 4, 1, cluster.Exact, 30, false},
		{early, 4, 1, cluster.Upper, 30, false},
	} {
		pos, s := parse(t, c.fen), newSearcher(t, 1)
		s.MakeWorkers(pos.HistoryDimensions())
		w := s.workers[0]
		w.prepare(pos, s.rootMoves(pos, nil), 1)
		w.table, w.root[0].prev = s.table, -30
		w.frame(c.ply - 1).first = true
		n := node{f: w.frame(c.ply), ply: c.ply, depth: 5, tableValue: c.value}
		n.entry.Quality = cluster.Quality{Depth: uint8(c.depth), Bound: c.bound, PV: true}
		if got := w.resumeCutoff(&n); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// rival is an Observer that lets another searcher search the position to a depth after some probes.
type rival struct {
	t       *testing.T
	s       *Searcher
	pos     Position
	depth   int
	probes  int
	perhaps func()
}

func (r *rival) Probe(t *cluster.Table, p Position, _ Query) (cluster.Found, bool) {
	if r.probes++; r.probes == 2000 {
		run(r.t, overTableOf(r.s, 1), r.pos, search.Limits{Depth: r.depth}, Settings{})
		r.perhaps()
	}
	return t.Probe(p.Key())
}

func (*rival) Used(Use) {}

func (*rival) Store(t *cluster.Table, p Position, e cluster.Entry) { t.Store(p.Key(), e) }

// passing is an observer that changes nothing.
type passing struct{ probes, stores int }

func (o *passing) Probe(t *cluster.Table, p Position, _ Query) (cluster.Found, bool) {
	o.probes++
	return t.Probe(p.Key())
}

func (*passing) Used(Use) {}

func (o *passing) Store(t *cluster.Table, p Position, e cluster.Entry) {
	o.stores++
	t.Store(p.Key(), e)
}

// TestObserver: it sees all probes and stores, and a search takes the same nodes with it.
func TestObserver(t *testing.T) {
	pos := parse(t, fens[1])
	want, _ := run(t, newSearcher(t, 1), pos, search.Limits{Depth: 8}, Settings{})
	var o passing
	got, _ := run(t, newSearcher(t, 1), pos, search.Limits{Depth: 8},
		Settings{Observer: func(int) Observer { return &o }})
	if want.Time = got.Time; got != want || o.stores < int(got.Nodes)/4 || o.probes < int(got.Nodes)/2 {
		t.Errorf("%+v with %d probes and %d stores, without an observer %+v", got, o.probes, o.stores, want)
	}
}

// TestOvertaken: an iteration of another process counts if it is exact, is no less deep than the iteration
// of this search, and was not seen before.
func TestOvertaken(t *testing.T) {
	pos := parse(t, fens[0])
	s := newSearcher(t, 1)
	s.MakeWorkers(pos.HistoryDimensions())
	w := s.workers[0]
	w.prepare(pos, nil, 0)
	w.table, w.rootDepth, w.follow = s.table, 7, follow{on: true, root: pos.Key(), seen: 5}
	for _, c := range []struct {
		depth uint8
		bound cluster.Bound
		want  bool
	}{
		{6, cluster.Exact, false}, {8, cluster.Lower, false}, {7, cluster.Exact, true}, {7, cluster.Exact, false},
		{9, cluster.Exact, true}, {9, cluster.Exact, false},
	} {
		if err := s.table.Clear(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.table.Store(pos.Key(),
			cluster.Entry{Value: 30, Eval: 20, Quality: cluster.Quality{Depth: c.depth, Bound: c.bound, PV: true}})
		if got := w.overtaken(); got != c.want {
			t.Errorf("depth %d, bound %d: %v", c.depth, c.bound, got)
		}
		if w.follow.resumes != c.want {
			t.Errorf("depth %d, bound %d: it is resumed: %v", c.depth, c.bound, w.follow.resumes)
		}
		if w.resumeAfter(6, 20); w.follow.resumes {
			t.Error("it is resumed twice")
		}
	}
}

// A search that follows takes over the iteration that another one on the same table has completed.
func TestFollow(t *testing.T) {
	const depth = 12
	var alone, followed uint64 // nodes
	for _, fen := range fens {
		pos := parse(t, fen)
		s := newSearcher(t, 1)
		cold, first := run(t, s, pos, search.Limits{Depth: depth}, Settings{})
		if first[len(first)-1].Score.Mate || cold.Nodes < 50000 {
			continue // it is over before the other one begins
		}
		for _, limit := range []int{depth, depth + 1} {
			for _, gone := range []bool{false, true} {
				s = newSearcher(t, 1)
				r := &rival{t: t, s: s, pos: pos.Clone(), depth: depth, perhaps: func() {
					if gone { // the entries have been overwritten, all but that of the root
						e, _ := s.table.Probe(pos.Key())
						if err := s.table.Clear(context.Background()); err != nil {
							t.Error(err)
						}
						s.table.Store(pos.Key(), e.Entry)
					}
				}}
				res, infos := run(t, s, pos, search.Limits{Depth: limit},
					Settings{Resume: true, Follow: true, Observer: func(int) Observer { return r }})
				last := infos[len(infos)-1]
				if last.Depth != limit || len(last.PV) == 0 || last.PV[0] != res.Best {
					t.Errorf("%s: %+v, last %+v", fen, res, last)
				}
				parse(t, fen, last.PV...)
				if limit == depth && !gone {
					alone += cold.Nodes
					followed += res.Nodes
				}
			}
		}
	}
	if followed*2 > alone {
		t.Errorf("%d nodes alone, %d with the other one", alone, followed)
	}
}
