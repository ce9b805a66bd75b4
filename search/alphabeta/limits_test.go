package alphabeta

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"trefoil/game"
	"trefoil/search"
	"trefoil/search/clock"
)

// start runs a search that nothing but the test ends.
func start(s *Searcher, ctx context.Context, pos Position,
	lim search.Limits) (<-chan search.Result, <-chan search.Info) {
	done, infos := make(chan search.Result, 1), make(chan search.Info, 1<<12)
	go func() {
		done <- s.Search(ctx, pos, lim, Settings{}, func(i search.Info) {
			select {
			case infos <- i:
			default:
			}
		})
	}()
	return done, infos
}

func TestStop(t *testing.T) {
	for _, fen := range []string{fens[1], "7k/8/8/8/8/8/8/K7 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"} {
		ctx, cancel := context.WithCancel(context.Background())
		done, infos := start(newSearcher(t, 2), ctx, parse(t, fen), search.Limits{Infinite: true})
		<-infos
		select {
		case <-done:
			t.Errorf("%s: an infinite search ended by itself", fen)
		case <-time.After(20 * time.Millisecond):
		}
		cancel()
		<-done
	}
}

func TestPonder(t *testing.T) {
	for _, hit := range []bool{true, false} {
		ctx, cancel := context.WithCancel(context.Background())
		hits := make(chan search.Clock, 1)
		lim := search.Limits{
			Start: time.Now(), Ponder: true, PonderHit: hits,
			Clock: search.Clock{Given: true, Time: [2]time.Duration{time.Millisecond, time.Millisecond}},
		}
		done, infos := start(newSearcher(t, 1), ctx, parse(t, fens[1]), lim)
		<-infos
		select {
		case <-done:
			t.Error("answered before the ponderhit")
		case <-time.After(20 * time.Millisecond):
		}
		if hit {
			hits <- search.Clock{}
		} else {
			cancel()
		}
		if res := <-done; res.Best == "" {
			t.Error("no move")
		}
		cancel()
	}
}

// All limits that bring an end do so, also on positions that are searched to
// the last iteration at once.
func TestLimitsEnd(t *testing.T) {
	shows := func(left, inc time.Duration, moves int) search.Clock {
		return search.Clock{Given: true, MovesToGo: moves, Time: [2]time.Duration{left, left},
			Inc: [2]time.Duration{inc, inc}}
	}
	for _, threads := range []int{1, 2} {
		s := newSearcher(t, threads)
		for _, fen := range []string{fens[1], fens[2], "7k/8/8/8/8/8/8/K7 w - - 0 1", "7k/8/8/8/8/8/r7/5K2 w - - 0 1"} {
			for _, lim := range []search.Limits{
				{Depth: 4},
				{Nodes: 500},
				{MoveTime: 2 * time.Millisecond},
				{MoveTime: 1},
				{Clock: shows(100*time.Millisecond, 0, 0)},
				{Clock: shows(100*time.Millisecond, time.Millisecond, 0)},
				{Clock: shows(20*time.Millisecond, 0, 1)},
				{Clock: shows(0, 0, 0)},
				{Clock: shows(-time.Second, 0, 0)},
				{Clock: search.Clock{Given: true, Byoyomi: 3 * time.Millisecond}},
			} {
				lim.Start = time.Now()
				res, infos := run(t, s, parse(t, fen), lim,
					Settings{Clock: clock.Settings{MoveOverhead: 5 * time.Millisecond}})
				if res.Best == "" || len(infos) == 0 {
					t.Errorf("%s %+v: %+v", fen, lim, res)
				}
				if lim.Depth > 0 && infos[len(infos)-1].Depth != lim.Depth {
					t.Errorf("%s: depth %d", fen, infos[len(infos)-1].Depth)
				}
			}
		}
	}
}

// Several workers share one table; run with -race.
func TestWorkers(t *testing.T) {
	s := newSearcher(t, 4)
	for _, fen := range fens {
		res, infos := run(t, s, parse(t, fen), search.Limits{Nodes: 20000}, Settings{MultiPV: 1})
		parse(t, fen, res.Best)
		if last := infos[len(infos)-1]; last.Nodes != res.Nodes || last.PV[0] != res.Best {
			t.Errorf("%s: last report %+v, result %+v", fen, last, res)
		}
	}
}

// Workers share their iterations: depths only rise, the last one is the limit, and all lines are
// legal.
func TestIterationsAreShared(t *testing.T) {
	const depth = 10
	s := newSearcher(t, 4)
	for _, fen := range fens {
		s.NewGame()
		res, infos := run(t, s, parse(t, fen), search.Limits{Depth: depth}, Settings{MultiPV: 2})
		before := 0
		for _, info := range infos {
			if info.Depth < before && info.MultiPV == 1 || info.Depth > depth {
				t.Errorf("%s: depth %d after %d", fen, info.Depth, before)
			}
			before = info.Depth
			parse(t, fen, info.PV...)
		}
		if first := infos[len(infos)-2]; first.MultiPV == 1 && (before != depth || first.PV[0] != res.Best) {
			t.Errorf("%s: ended at depth %d, line %v, best %s", fen, before, first.PV, res.Best)
		}
	}
}

// TestComplete: the first worker to complete an iteration publishes it. The others stop theirs, and go on with
// its result.
func TestComplete(t *testing.T) {
	s := newSearcher(t, 2)
	pos := parse(t, fens[0])
	s.MakeWorkers(pos.HistoryDimensions())
	var shared control
	first, other := s.workers[0], s.workers[1]
	var moves game.List
	pos.Moves(game.All, &moves)
	for _, w := range s.workers {
		w.table, w.control, w.manager = s.table, &shared, nil
		w.prepare(pos, moves.All(), 1)
		w.rootDepth = 3
	}
	first.root[4].score, first.bestMoveChanges = 25, 2
	first.sortRoot(0, len(first.root))
	if other.stopped() || !first.complete() || !first.stopped() || !other.stopped() {
		t.Fatal("a complete iteration does not stop the others")
	}
	if !other.complete() || other.root[0].move != first.root[0].move || other.root[0].score != 25 ||
		other.rootDepth != 3 || other.bestMoveChanges != 2 {
		t.Errorf("the other worker goes on with %+v of depth %d", other.root[0], other.rootDepth)
	}
	first.rootDepth, other.rootDepth = 4, 5
	if first.stopped() || other.stopped() || !other.complete() || !first.stopped() {
		t.Error("an iteration that is deeper does not stop the others")
	}
	shared.stop()
	if first.complete() || other.complete() {
		t.Error("an iteration of a search that has ended is published")
	}
	// A stop that comes while a worker ends its iteration changes neither the depth nor the moves that it has.
	if !first.completeAfter(5) || first.rootDepth != 5 || first.root[0].score != 25 {
		t.Errorf("stopped while it copies: depth %d, %+v", first.rootDepth, first.root[0])
	}
	first.rootDepth = 6
	if first.completeAfter(5) || !shared.stopped() {
		t.Error("stopped while it publishes: the search goes on")
	}
}

// TestLimitAfterLongSearch: a limit of few nodes is met exactly after a search of many.
func TestLimitAfterLongSearch(t *testing.T) {
	s := newSearcher(t, 1)
	pos := parse(t, fens[1])
	for _, limit := range []uint64{30_000, 1500, 700, 20_000, 3} {
		if res, _ := run(t, s, pos, search.Limits{Nodes: limit}, Settings{}); res.Nodes != limit {
			t.Errorf("%d nodes, want %d", res.Nodes, limit)
		}
	}
}

// TestLimitOfThreads: a limit of nodes is exceeded by no more than what each thread searches between two polls, and
// any of the threads ends the search.
func TestLimitOfThreads(t *testing.T) {
	const threads = 4
	s := newSearcher(t, threads)
	pos := parse(t, fens[1])
	for _, limit := range []uint64{30_000, 2000, 1} {
		each := min(max(limit/threads, 1), pollEvery) + 1
		if res, _ := run(t, s, pos, search.Limits{Nodes: limit}, Settings{}); res.Nodes < limit ||
			res.Nodes > limit+threads*each {
			t.Errorf("limit %d: %d nodes", limit, res.Nodes)
		}
	}
	m := newManager(context.Background(), s, pos, search.Limits{Nodes: 2000}, Settings{}, nil)
	var moves game.List
	pos.Moves(game.All, &moves)
	for _, w := range s.workers {
		w.control = &m.control
		w.prepare(pos.Clone(), moves.All(), 1)
	}
	helper := s.workers[3]
	helper.pollAt = pollEvery
	if helper.iterate(50); helper.nodes != 2000 || !m.control.stopped() {
		t.Errorf("a helper alone searches %d nodes, stopped %v", helper.nodes, m.control.stopped())
	}
}

// TestScoreBeforeTheFirstValue: a search that is stopped at once reports the static evaluation, and 0 in check.
func TestScoreBeforeTheFirstValue(t *testing.T) {
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	check := parse(t, "4k3/8/8/8/7b/8/8/R3K2R w - - 0 1")
	quiet := parse(t, "4k3/8/8/8/8/8/8/R3K2R w - - 0 1")
	for pos, want := range map[board]int{quiet: quiet.Eval(), check: 0} {
		var last search.Info
		newSearcher(t, 1).Search(stopped, pos, search.Limits{}, Settings{}, func(i search.Info) { last = i })
		if last.Score != (search.Score{Centipawns: want}) || last.Depth != 1 {
			t.Errorf("%s: %+v, want %d", pos.FEN(), last, want)
		}
	}
}

// TestLateReports: bounds and the move that is searched are reported after three seconds, and not sooner.
func TestLateReports(t *testing.T) {
	pos := parse(t, fens[1])
	for _, late := range []bool{false, true} {
		lim := search.Limits{Start: time.Now().Add(time.Hour), Nodes: 50_000} // the time is negative
		if late {
			lim.Start, lim.Nodes = time.Now().Add(-time.Hour), 1<<20+400_000
		}
		_, infos := run(t, newSearcher(t, 1), pos, lim, Settings{})
		bounds, moves := 0, 0
		for _, i := range infos {
			switch {
			case i.CurrMove != "":
				moves++
				if i.CurrMoveNumber < 1 || i.CurrMoveNumber > 48 || i.HashFull != -1 || i.Depth < 5 || i.PV != nil {
					t.Errorf("%+v", i)
				}
				parse(t, fens[1], i.CurrMove)
			case i.Bound != search.Exact && i.Nodes < lim.Nodes:
				bounds++
			}
		}
		if (bounds > 0) != late || (moves > 0) != late {
			t.Errorf("late %v: %d bounds, %d moves", late, bounds, moves)
		}
	}
}

// TestDrawsByRule: the moves that end the game as a draw have a certain result, and no others; after a draw all.
func TestDrawsByRule(t *testing.T) {
	wdl := func(int) search.WDL { return search.WDL{1, 2, 997} }
	for _, c := range []struct {
		pos   board
		drawn []string // nil: none
		all   bool
	}{
		{pos: parse(t, "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), drawn: strings.Fields("f6e5 f6e6 f6e7 f6f5 f6f7 f6g5 g6f7")}, // stalemate
		{pos: parse(t, "7k/8/8/8/8/8/8/K6R b - - 0 1")},
		{pos: parse(t, "8/8/4k3/8/8/4K3/8/8 w - - 0 1"), all: true}, // too little material
		{pos: parse(t, "k7/8/8/8/8/8/6r1/7K w - - 0 1"), drawn: []string{"h1g2"}},
	} {
		var l game.List
		c.pos.Moves(game.All, &l)
		var got []string
		for _, m := range drawsByRule(c.pos, l.All()) {
			got = append(got, c.pos.Text(m))
		}
		slices.Sort(got)
		if want := c.drawn; c.all && len(got) != l.Len() || !c.all && !slices.Equal(got, want) {
			t.Errorf("%s: drawn are %v, want %v, all: %v", c.pos.FEN(), got, want, c.all)
		}
		if l.Len() == 0 {
			continue
		}
		_, infos := run(t, newSearcher(t, 1), c.pos, search.Limits{Depth: 3}, Settings{MultiPV: 300, WDL: wdl})
		for _, i := range infos {
			if drawn := *i.WDL == (search.WDL{0, 1000, 0}); drawn != (c.all || slices.Contains(c.drawn, i.PV[0])) {
				t.Errorf("%s: %s has %v", c.pos.FEN(), i.PV[0], *i.WDL)
			}
		}
	}
}

// TestClockByNodes: where nodes are the time, a search takes the nodes of its budget, whatever the machine
// does.
func TestClockByNodes(t *testing.T) {
	s := newSearcher(t, 1)
	count := func(lim search.Limits) uint64 {
		s.NewGame()
		lim.Start = time.Now().Add(-time.Hour)
		res, _ := run(t, s, parse(t, fens[1]), lim, Settings{Clock: clock.Settings{NodesPerMS: 10}})
		return res.Nodes
	}
	clocked := func(left time.Duration) search.Limits {
		return search.Limits{Clock: search.Clock{Given: true, Time: [2]time.Duration{left, left}}}
	}
	for _, left := range []time.Duration{10 * time.Second, time.Minute} {
		lim := clocked(left)
		b, _ := clock.AlphaBeta(0, clock.Settings{}).Budget(&lim, lim.Clock)
		n := time.Duration(count(lim)) * time.Millisecond / 10
		if n < b.Optimum/2 || n > b.Maximum+time.Millisecond {
			t.Errorf("%v left: the search took %v, its budget is %v", left, n, b)
		}
	}
	if n := count(search.Limits{MoveTime: time.Second}); n != 10*1000 {
		t.Errorf("a second has %d nodes", n)
	}
	if n := count(clocked(0)); n != 10 {
		t.Errorf("without time the search has %d nodes, want those of the least budget", n)
	}
}

// TestPonderedIncrement: where nodes are the time, a move gets its increment though the search has reached a limit on
// nodes while it pondered, or a stop has followed the ponderhit.
func TestPonderedIncrement(t *testing.T) {
	s := newSearcher(t, 1)
	set := Settings{Clock: clock.Settings{NodesPerMS: 10}}
	shows := func(left, inc time.Duration) search.Clock {
		return search.Clock{Given: true, Time: [2]time.Duration{left, left}, Inc: [2]time.Duration{inc, inc}}
	}
	pos := parse(t, fens[1])
	run(t, s, pos, search.Limits{Clock: shows(time.Second, 0), Nodes: 1}, set)
	before := s.nodeClock.Show(shows(0, 0), pos.Side()).Time[pos.Side()]
	synctest.Test(t, func(t *testing.T) {
		hits := make(chan search.Clock, 1)
		// When the search has nothing to do but to wait:
		defer time.AfterFunc(time.Hour, func() { hits <- search.Clock{} }).Stop()
		run(t, s, pos, search.Limits{Clock: shows(time.Second, time.Minute), Nodes: 1000, Ponder: true, PonderHit: hits}, set)
	})
	if got := s.nodeClock.Show(shows(0, 0), pos.Side()).Time[pos.Side()]; got <= before {
		t.Errorf("%v are left, %v before", got, before)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop() // right behind the ponderhit
	for range 20 {
		hits := make(chan search.Clock, 1)
		m := newManager(ctx, s, pos, search.Limits{Ponder: true, PonderHit: hits}, set, nil)
		hits <- search.Clock{}
		if m.wait(ctx); m.pondering {
			t.Fatal("the ponderhit is lost")
		}
	}
}

// TestNoHelpers: helper threads take part unless the time is too short to wake them.
func TestNoHelpers(t *testing.T) {
	s := newSearcher(t, 2)
	pos := parse(t, fens[1])
	s.MakeWorkers(pos.HistoryDimensions())
	for _, c := range []struct {
		limits search.Limits
		want   bool
	}{
		{search.Limits{Depth: 1}, true},
		{search.Limits{MoveTime: helperTime}, true},
		{search.Limits{MoveTime: helperTime - 1}, false},
		{search.Limits{Ponder: true, MoveTime: 1}, true},
	} {
		m := newManager(context.Background(), s, pos, c.limits, Settings{}, nil)
		m.disarm()
		if got := m.worthHelpers(); got != c.want {
			t.Errorf("%+v: %v", c.limits, got)
		}
	}
}

// TestFailLow: a search on the clock ends at the limit of the budget, and at the maximum if its value falls.
func TestFailLow(t *testing.T) {
	s := newSearcher(t, 1)
	pos := parse(t, fens[1])
	s.MakeWorkers(pos.HistoryDimensions())
	w := s.workers[0]
	lim := search.Limits{Clock: search.Clock{Given: true, Time: [2]time.Duration{time.Hour, time.Hour}}}
	b, _ := clock.AlphaBeta(0, clock.Settings{}).Budget(&lim, lim.Clock)
	m := newManager(context.Background(), s, pos, lim, Settings{}, nil)
	defer func() { m.disarm() }()
	w.rootDepth = 10
	m.timer.Update(clock.Iteration{Depth: 10, Best: 1, Value: 20})
	for _, c := range []struct {
		value int
		want  time.Duration
	}{{10, b.Limit}, {-200, b.Maximum}} {
		before := m.alarm
		m.failLow(w, c.value)
		if m.deadline != c.want || (m.alarm != before) != (c.want == b.Maximum) {
			t.Errorf("at most %d: the deadline is %v, want %v", c.value, m.deadline, c.want)
		}
	}
}

// TestDecidedValues stores values of games that are decided, and reads them at other plies: the distance is that
// from the node.
func TestDecidedValues(t *testing.T) {
	for _, o := range []game.Outcome{game.Win, game.Loss, game.Ahead, game.Behind} {
		for ply := range 100 {
			v := outcomeValue(o, ply+3)
			stored := toTable(v, ply)
			if stored != toTable(outcomeValue(o, 3), 0) {
				t.Fatalf("outcome %d at ply %d is stored as %d", o, ply, stored)
			}
			if got := fromTable(stored, ply+1, 0); got != outcomeValue(o, ply+4) {
				t.Fatalf("outcome %d at ply %d is %d a ply later", o, ply, got)
			}
			if late := fromTable(stored, ply, 98); late != none {
				t.Fatalf("outcome %d, three plies too late, is %d", o, late)
			}
		}
	}
}

// TestScoresInOrder checks that a better value has no worse score, on both sides.
func TestScoresInOrder(t *testing.T) {
	for _, unit := range []int{0, 70, 240} {
		set := Settings{Unit: unit}
		last := set.score(-mateLow+1).Centipawns - 1
		for v := -mateLow + 1; v < mateLow; v++ {
			s := set.score(v)
			if s.Mate || s.Centipawns < last || isDecided(v) && s.Centipawns == last {
				t.Fatalf("unit %d: the score of %d is %+v, after %d", unit, v, s, last)
			}
			if s.Centipawns != -set.score(-v).Centipawns {
				t.Fatalf("unit %d: the scores of %d and %d differ", unit, v, -v)
			}
			last = s.Centipawns
		}
		if unit != 0 && set.score(unit).Centipawns != 100 {
			t.Errorf("unit %d: its score is %d", unit, set.score(unit).Centipawns)
		}
	}
}

// TestExpected: results that are certain are not asked for, and a win is one even in a position drawn otherwise.
func TestExpected(t *testing.T) {
	m := manager{set: Settings{DrawValue: 7, WDL: func(v int) search.WDL { return search.WDL{v, 0, 0} }}}
	for _, c := range []struct {
		v    int
		draw bool
		want search.WDL
	}{
		{mate - 3, false, search.WDL{1000, 0, 0}}, {decided, true, search.WDL{1000, 0, 0}}, {2 - mate, true, search.WDL{0, 0, 1000}},
		{-decided, false, search.WDL{0, 0, 1000}}, {40, true, search.WDL{0, 1000, 0}}, {40, false, search.WDL{40, 0, 0}},
		{decided - 1, false, search.WDL{decided - 1, 0, 0}}, {7, false, search.WDL{}}, {7, true, search.WDL{0, 1000, 0}},
	} {
		if got := m.expected(c.v, c.draw); *got != c.want {
			t.Errorf("%d, %t: %v, want %v", c.v, c.draw, *got, c.want)
		}
	}
}

// TestMinimumThinking: no move on a clock comes sooner, unless a limit of nodes stops the search. A
// position without a move is answered at once.
func TestMinimumThinking(t *testing.T) {
	onClock := search.Clock{Given: true, Time: [2]time.Duration{time.Hour, time.Hour}}
	for _, c := range []struct {
		name, fen string
		limits    search.Limits
		set       Settings
		waits     bool
	}{
		{"all iterations are done", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", search.Limits{Clock: onClock}, Settings{}, true},
		{"a depth", fens[1], search.Limits{Clock: onClock, Depth: 1}, Settings{}, true},
		{"a weaker level", fens[1], search.Limits{Clock: onClock, SoftNodes: 100}, weak(1), true},
		{"nodes", fens[1], search.Limits{Clock: onClock, Nodes: 1}, Settings{}, false},
		{"no clock", fens[1], search.Limits{Depth: 1}, Settings{}, false},
		{"no move", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", search.Limits{Clock: onClock}, Settings{}, false},
		{"no move, a weaker level", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", search.Limits{Clock: onClock}, weak(1), false},
	} {
		least := time.Minute
		if c.waits {
			least = 50 * time.Millisecond
		}
		c.set.Clock.MinimumThinking = least
		c.limits.Start = time.Now()
		res, _ := run(t, newSearcher(t, 1), parse(t, c.fen), c.limits, c.set)
		if res.Time >= least != c.waits {
			t.Errorf("%s: %v", c.name, res.Time)
		}
	}
}
