package proof

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"trefoil/game"
	"trefoil/internal/newtable"
	"trefoil/internal/tabletest"
	"trefoil/window"
)

// TestNew: the options that are left out.
func TestNew(t *testing.T) {
	for _, c := range []struct{ given, want Options }{
		{Options{}, Options{Threads: runtime.GOMAXPROCS(0), Interval: time.Second}},
		{Options{Threads: -1, Interval: -1}, Options{Threads: runtime.GOMAXPROCS(0), Interval: time.Second}},
		{Options{Threads: 1, Interval: 1}, Options{Threads: 1, Interval: 1}},
	} {
		if got := New(nil, c.given).options; got.Threads != c.want.Threads || got.Interval != c.want.Interval {
			t.Errorf("%+v: %+v, want %+v", c.given, got, c.want)
		}
	}
}

// newSolver returns a solver on an empty table of 1 MiB.
func newSolver(t *testing.T, o Options) *Solver {
	t.Helper()
	return New(newtable.Window(t, 1), o)
}

// TestContextIsLeft: a search leaves nothing behind in a context that outlives it.
func TestContextIsLeft(t *testing.T) {
	for _, limits := range []Limits{{}, {Time: time.Hour}} {
		ctx := &tabletest.Waiting{Context: t.Context()}
		a, err := newSolver(t, Options{Threads: 1}).Prove(ctx, func() Goal { return newChain(0, 3) }, limits)
		if err != nil || a.Result != Proved || ctx.Functions != 0 {
			t.Errorf("%+v: %+v, %v, %d functions wait for the end of the context", limits, a, err, ctx.Functions)
		}
	}
}

// TestStopWhenDone: a search stops when its context ends and when its time ends, and nothing else stops it.
func TestStopWhenDone(t *testing.T) {
	stopped := func(s *shared) bool {
		for range 10_000 {
			if s.stop.Load() {
				return true
			}
			time.Sleep(time.Millisecond)
		}
		return false
	}
	for _, limit := range []time.Duration{0, time.Hour} {
		ctx, cancel := context.WithCancel(t.Context())
		s := new(shared)
		end := s.stopWhenDone(ctx, limit)
		if s.stop.Load() {
			t.Errorf("limit %v: stopped before the end", limit)
		}
		if cancel(); !stopped(s) {
			t.Errorf("limit %v: the end of the context does not stop", limit)
		}
		end()
	}
	s := new(shared)
	end := s.stopWhenDone(t.Context(), 1)
	defer end()
	if !stopped(s) {
		t.Error("the end of the time does not stop")
	}
}

// TestIdle: the time that workers wait for the last one.
func TestIdle(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		ends []time.Duration
		want time.Duration
	}{{[]time.Duration{5}, 0}, {[]time.Duration{5, 9, 2}, 4 + 7}, {[]time.Duration{9, 9, 2}, 7},
		{[]time.Duration{1, 2, 3}, 2 + 1}} {
		var ends []time.Time
		for _, e := range c.ends {
			ends = append(ends, now.Add(e))
		}
		if got := idle(ends); got != c.want {
			t.Errorf("%v: %v, want %v", c.ends, got, c.want)
		}
	}
}

// TestAnswer: the numbers are the numbers of the goal, whichever side is to move. The counts are sums over
// all workers.
func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		root      Child
		attacking bool
		want      Answer
	}{
		{open(5, 7), true, Answer{Phi: 5, Delta: 7}},
		{open(5, 7), false, Answer{Phi: 7, Delta: 5}},
		{lost(), true, Answer{Phi: Infinity, Delta: 0, Result: Disproved}},
		{lost(), false, Answer{Phi: 0, Delta: Infinity, Result: Proved}},
		{won(), true, Answer{Phi: 0, Delta: Infinity, Result: Proved}},
		{won(), false, Answer{Phi: Infinity, Delta: 0, Result: Disproved}},
	} {
		s := newSolver(t, Options{Threads: 2})
		s.prepare(func() Goal {
			g := newChain(0, 3)
			if !c.attacking {
				g.Make(1)
			}
			return g
		}, new(shared))
		for _, w := range s.workers {
			w.nodes, w.table.Stores = 21, 4
		}
		c.root.Hint, c.want.Move, c.want.Nodes = 9, 9, 42
		got := s.answer(&c.root, time.Now().Add(-time.Hour))
		if got.Table.Stores != 8 || got.Time < time.Hour {
			t.Errorf("%+v: %+v", c, got)
		}
		got.Table, got.Time = window.Counters{}, 0
		if got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.root, got, c.want)
		}
	}
}

// TestPrepare: as many workers as threads, however many there were before.
func TestPrepare(t *testing.T) {
	s := newSolver(t, Options{Threads: 3})
	for range 2 {
		s.prepare(func() Goal { return newTree(nil) }, new(shared))
		if len(s.workers) != 3 || s.workers[0].goal == s.workers[2].goal {
			t.Errorf("%d workers", len(s.workers))
		}
	}
}

// TestUpdate: the root becomes the root of the worker that has solved it. If no worker has, it becomes the
// root of a worker that has reached a threshold, here a φ of 100, and else the root of the worker with the
// most work.
func TestUpdate(t *testing.T) {
	worked := func(work uint64) Child { return Child{Phi: 2, Delta: 2, Work: work} }
	proved, reached := Child{Delta: Infinity, Work: 3}, Child{Phi: 100, Delta: 2, Work: 5}
	for _, c := range []struct {
		name    string
		root    Child
		workers []Child
		want    Child
	}{
		{"none knows more", worked(10), []Child{worked(10), worked(9)}, worked(10)},
		{"as much", worked(10), []Child{{Phi: 9, Delta: 9, Work: 10}}, worked(10)},
		{"the second knows more", worked(10), []Child{worked(9), worked(11)}, worked(11)},
		{"the first knows most", worked(10), []Child{worked(12), worked(11)}, worked(12)},
		{"the first has solved it", worked(10), []Child{proved, worked(11)}, proved},
		{"the second has solved it", worked(10), []Child{worked(11), proved}, proved},
		{"the first has reached the threshold", worked(4), []Child{reached, worked(11)}, reached},
		{"the second has reached the threshold", worked(10), []Child{worked(11), reached}, reached},
		{"one has reached it, one has solved it", worked(4), []Child{reached, proved, worked(11)}, proved},
	} {
		s := new(Solver)
		for _, child := range c.workers {
			s.workers = append(s.workers, &worker{children: []Child{child}})
		}
		root := c.root
		if s.update(&root, &shared{phi: 100}); root != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, root, c.want)
		}
	}
}

// endless is a game that never ends, with two moves in each position.
type endless struct{ path []uint64 }

func (g *endless) Key() uint64                   { return g.path[len(g.path)-1] }
func (g *endless) Attacking() bool               { return len(g.path)%2 == 1 }
func (g *endless) Evaluate(c *Child)             { c.Key, c.Phi, c.Delta = g.Key(), 1, 1 }
func (g *endless) Make(m game.Move)              { g.path = append(g.path, key(int(g.Key()+uint64(m)))) }
func (g *endless) Undo()                         { g.path = g.path[:len(g.path)-1] }
func (g *endless) Move16(m game.Move) uint16     { return uint16(m) }
func (g *endless) FromMove16(m uint16) game.Move { return game.Move(m) }

func (g *endless) Expand(to []Child, _ Prefetcher) []Child {
	for m := game.Move(1); m <= 2; m++ {
		g.Make(m)
		n := uint32(len(g.path)) // so the search does not go deep
		to = append(to, Child{Key: g.Key(), Move: m, Phi: n * n, Delta: n * n})
		g.Undo()
	}
	return to
}

// TestSearchEnds: a search that has reached a limit, or whose context or goal is done, expands nothing,
// whether its table grows or not. Else it goes on to its limit of nodes.
func TestSearchEnds(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, growing := range []bool{false, true} {
		for _, c := range []struct {
			name   string
			ctx    context.Context
			root   Child
			limits Limits
			nodes  uint64 // before
			ends   bool
		}{
			{"nothing is reached", t.Context(), open(1, 1), Limits{Nodes: 101, Time: 2 * time.Hour}, 100, false},
			{"nodes", t.Context(), open(1, 1), Limits{Nodes: 100}, 100, true},
			{"time", t.Context(), open(1, 1), Limits{Nodes: 101, Time: time.Hour}, 100, true},
			{"context", ended, open(1, 1), Limits{Nodes: 101}, 100, true},
			{"root", t.Context(), lost(), Limits{Nodes: 101}, 100, true},
		} {
			var o []window.Option
			if growing {
				o = append(o, window.Growing())
			}
			table := newtable.Window(t, 4, o...)
			s := New(table, Options{Threads: 1})
			sh := &shared{inFlight: &s.inFlight}
			s.prepare(func() Goal { return &endless{path: []uint64{1}} }, sh)
			sh.nodes.Store(c.nodes)
			c.root.Key = 1
			idle := s.search(c.ctx, &c.root, sh, c.limits, time.Now().Add(-time.Hour))
			if n := sh.nodes.Load(); (n == c.nodes) != c.ends || n > c.nodes+reportNodes || idle != 0 {
				t.Errorf("growing %v, %s: %d nodes, %v idle", growing, c.name, n, idle)
			}
		}
	}
}

// TestGrows: a table grows between runs of an eighth as many nodes as it has room for, if it is a quarter full then.
func TestGrows(t *testing.T) {
	for _, c := range []struct{ nodes, room uint64 }{
		{256, 512}, {257, 4096}, {2816, 4096}, {2817, 32768}, {15104, 32768}, {15105, 0},
	} {
		table := newtable.Window(t, 4, window.Growing())
		s := New(table, Options{Threads: 1})
		a, err := s.Prove(t.Context(), func() Goal { return &endless{path: []uint64{1}} }, Limits{Nodes: c.nodes})
		if err != nil || a.Result != Unknown || a.Nodes != (c.nodes+reportNodes-1)/reportNodes*reportNodes ||
			table.Room() != c.room {
			t.Errorf("limit of %d nodes: %+v, %v, room for %d, want %d", c.nodes, a, err, table.Room(), c.room)
		}
	}
}

// TestIdleOfRuns: the time that workers wait is counted for all runs between which the table grows.
func TestIdleOfRuns(t *testing.T) {
	table := newtable.Window(t, 4, window.Growing())
	s := New(table, Options{Threads: 2})
	var ended atomic.Int64
	s.now = func() time.Time { return time.Unix(ended.Add(1), 0) } // a worker ends every second
	a, err := s.Prove(t.Context(), func() Goal { return &endless{path: []uint64{1}} }, Limits{Nodes: 2000})
	if runs := ended.Load() / 2; err != nil || runs < 3 || a.Idle != time.Duration(runs)*time.Second {
		t.Errorf("%+v, %v: idle %v in %d runs", a, err, a.Idle, runs)
	}
}

// TestReportsDuring: a report tells the numbers of the goal, the nodes, and which search of Decide it is.
func TestReportsDuring(t *testing.T) {
	for _, attacking := range []bool{true, false} {
		reports := make(chan Progress)
		s := newSolver(t, Options{Threads: 1, Interval: time.Millisecond, Report: func(p Progress) { reports <- p }})
		s.first = &Answer{Nodes: 1000, Time: time.Hour}
		sh := new(shared)
		s.prepare(func() Goal {
			g := newChain(0, 3)
			if !attacking {
				g.Make(1)
			}
			return g
		}, sh)
		sh.nodes.Store(20)
		sh.numbers.Store(3<<32 | 5)
		end := s.report(sh, time.Now().Add(-time.Minute))
		want := Progress{Phi: 3, Delta: 5, Second: true, Nodes: 1020}
		swap := func() {
			if !attacking {
				want.Phi, want.Delta = want.Delta, want.Phi
			}
		}
		check := func(p Progress) {
			t.Helper()
			if p.Time < time.Hour+time.Minute {
				t.Errorf("time %v, want that of both searches", p.Time)
			}
			if p.Time = 0; p != want {
				t.Errorf("%+v, want %+v", p, want)
			}
		}
		swap()
		check(<-reports)
		over := make(chan struct{})
		go func() {
			defer close(over)
			end(&Child{Phi: 6, Delta: 7})
		}()
		want = Progress{Phi: 6, Delta: 7, Second: true, Nodes: 1020, Last: true}
		swap()
		for p := range reports {
			if p.Last {
				check(p)
				break
			}
		}
		<-over
	}
}

// TestNoReports: nothing is reported before the root has numbers, nor by a solver without Report, nor while
// it is quiet.
func TestNoReports(t *testing.T) {
	var got []Progress
	s := newSolver(t,
		Options{Threads: 1, Interval: time.Millisecond, Report: func(p Progress) { got = append(got, p) }})
	s.prepare(func() Goal { return newChain(0, 3) }, new(shared))
	end := s.report(new(shared), time.Now())
	time.Sleep(20 * time.Millisecond)
	end(&Child{Phi: 1, Delta: 2})
	if len(got) != 1 || !got[0].Last || got[0].Second {
		t.Errorf("%+v, want the last report alone", got)
	}
	got = nil
	if a, err := s.Recall(t.Context(), func() Goal { return newChain(0, 3) }, Limits{}); err != nil ||
		a.Result != Proved || got != nil || s.quiet {
		t.Errorf("Recall: %+v, %v, reports %+v, quiet %v", a, err, got, s.quiet)
	}
	if _, err := s.Prove(t.Context(), func() Goal { return newChain(10, 5) }, Limits{}); err != nil || len(got) == 0 {
		t.Errorf("after Recall: %v, reports %+v", err, got)
	}
	silent := newSolver(t, Options{Threads: 1})
	if a, err := silent.Prove(t.Context(), func() Goal { return newChain(0, 3) }, Limits{}); err != nil ||
		a.Result != Proved {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestRun: a run begins with what the table knows, tells the numbers of the root, and ends when it is
// solved; a solved root stops the other workers.
func TestRun(t *testing.T) {
	moves := map[uint64][]Child{1: {{Key: key(1), Phi: 1, Delta: 1}, {Key: key(2), Phi: 1, Delta: 1}}} // both win
	for _, c := range []struct {
		name  string
		entry window.Entry // of the root, if any; the root has work 9 and no move
		move  uint16
		nodes uint64
	}{
		{"an empty table", window.Entry{}, 1, 2},
		{"an entry with a proof", window.Entry{Phi: 0, Delta: Infinity, Work: 5, Move: 2}, 2, 0},
		{"an entry of more work", window.Entry{Phi: 2, Delta: 7, Work: 10, Move: 2}, 2, 2},
		{"an entry of as much work", window.Entry{Phi: 2, Delta: 7, Work: 9, Move: 2}, 1, 2},
	} {
		w := newWorker(t, newTree(moves), false)
		w.children = append(w.children, Child{}, Child{})
		if c.entry != (window.Entry{}) {
			w.table.Store(1, c.entry)
		}
		w.run(Child{Key: 1, Phi: 1, Delta: 1, Work: 9})
		got := w.children[0]
		if got.Phi != 0 || got.Delta != Infinity || got.Hint != c.move || w.nodes != c.nodes ||
			!w.shared.stop.Load() || w.shared.nodes.Load() != c.nodes {
			t.Errorf("%s: root %+v, %d nodes, %d reported", c.name, got, w.nodes, w.shared.nodes.Load())
		}
		if n := w.shared.numbers.Load(); c.nodes > 0 && n != Infinity {
			t.Errorf("%s: numbers %#x of the root", c.name, n)
		}
		if len(w.children) != 1 || w.ply != 0 || w.goal.Key() != 1 {
			t.Errorf("%s: ends at ply %d with %d children", c.name, w.ply, len(w.children))
		}
	}
}
