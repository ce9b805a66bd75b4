package clock

import (
	"math"
	"testing"
	"time"

	"trefoil/search"
)

// timerOf is a timer by a clock with a minute left: its optimum is 2.67 s, its limit 2.4 s, its maximum 9.6 s.
func timerOf(s Settings) *Timer {
	return NewTimer(AlphaBeta(0, s), &search.Limits{Clock: shows(time.Minute, 0, 0, 0)}, nil)
}

func TestEnough(t *testing.T) {
	usual := Iteration{Depth: stableDepth - 1}
	forced := Iteration{Depth: 1, Forced: true}
	for _, c := range []struct {
		name      string
		settings  Settings
		iteration Iteration
		used      time.Duration
		want      bool
	}{
		{"below the optimum", Settings{}, usual, 2600 * ms, false},
		{"above the optimum", Settings{}, usual, 2700 * ms, true},
		{"a deep new best move, below its optimum", Settings{}, Iteration{Depth: stableDepth, Best: 1}, 6200 * ms, false},
		{"a deep new best move, above it", Settings{}, Iteration{Depth: stableDepth, Best: 1}, 6300 * ms, true},
		{"only one move", Settings{}, forced, ms, true},
		{"minimum thinking time", Settings{MinimumThinking: sec}, forced, 999 * ms, false},
		{"above it", Settings{MinimumThinking: sec}, forced, 1001 * ms, true},
		{"full seconds", Settings{FullSeconds: true}, usual, 2700 * ms, false},
		{"full seconds, only one move", Settings{FullSeconds: true}, forced, ms, true},
	} {
		timer := timerOf(c.settings)
		timer.Update(c.iteration)
		if got := timer.Enough(c.used); got != c.want {
			t.Errorf("%s: %v after %v", c.name, got, c.used)
		}
	}
}

// TestStableMove: a search whose best move stays the same ends before its optimum, one whose value falls or
// whose best move changes after it. TestEnough and TestStretch have the steps.
func TestStableMove(t *testing.T) {
	for name, c := range map[string]struct {
		last       Iteration
		from, upTo float64 // of the optimum: it ends between them
	}{
		"stable":         {Iteration{Best: 1, Effort: 0.9, Depth: 12}, 0.4, 0.6},
		"falling":        {Iteration{Best: 1, Effort: 0.9, Depth: 12, Value: -60}, 0.8, 1},
		"a new move":     {Iteration{Best: 2, Effort: 0.3, Depth: 12, Changes: 1}, 2, 2.5},
		"not yet stable": {Iteration{Best: 2, Effort: 0.3, Depth: 6, Changes: 1}, 0.99, 1.01},
	} {
		timer := timerOf(Settings{})
		for depth := 1; depth < c.last.Depth; depth++ {
			timer.Update(Iteration{Best: 1, Effort: 0.9, Depth: depth})
		}
		timer.Update(c.last)
		if at := func(f float64) bool { return timer.Enough(time.Duration(f * float64(timer.optimum))) }; at(c.from) ||
			!at(c.upTo) {
			t.Errorf("%s: ends at %.2f of the optimum, want between %.2f and %.2f", name, timer.stretch, c.from, c.upTo)
		}
	}
}

// TestNoEnough: only the clock lets a search end early, and only after an iteration.
func TestNoEnough(t *testing.T) {
	if timerOf(Settings{}).Enough(time.Hour) {
		t.Error("ended before the first iteration")
	}
	for _, l := range []search.Limits{
		{MoveTime: sec},
		{Nodes: 1},
		{Infinite: true, Clock: shows(sec, 0, 0, 0)},
		{Ponder: true, Clock: shows(sec, 0, 0, 0)},
	} {
		timer := NewTimer(AlphaBeta(0, Settings{}), &l, nil)
		timer.Update(Iteration{Forced: true})
		if timer.Enough(time.Hour) {
			t.Errorf("%+v: ended early", l)
		}
		if l.MoveTime == 0 && timer.Deadline() != Never {
			t.Errorf("%+v: there is a deadline", l)
		}
	}
}

func TestPonderHit(t *testing.T) {
	const hit = 10 * sec
	l := search.Limits{Ponder: true, Clock: shows(time.Minute, 0, 0, 0)}
	for _, c := range []struct {
		clock search.Clock
		want  time.Duration
	}{
		{search.Clock{}, 2400 * ms},
		{shows(30*sec, 0, 0, 0), 1200 * ms},
	} {
		timer := NewTimer(AlphaBeta(0, Settings{}), &l, nil)
		timer.Update(Iteration{Depth: 1})
		timer.PonderHit(c.clock, hit)
		if got := timer.Deadline() - hit; got != c.want {
			t.Errorf("%+v: %v until the deadline, want %v", c.clock, got, c.want)
		}
		if !timer.Enough(hit) {
			t.Error("the time spent pondering does not count")
		}
		// The clock has shown whole seconds only since the hit.
		timer = NewTimer(AlphaBeta(0, Settings{FullSeconds: true, MoveOverhead: 10 * ms}), &l, nil)
		timer.Update(Iteration{Depth: 1})
		timer.PonderHit(c.clock, hit)
		if got := timer.Deadline(); timer.Enough(hit+4300*ms) || timer.Deadline() > got ||
			timer.Deadline() != hit+min(4990*ms, got-hit) {
			t.Errorf("%+v, full seconds: the deadline is %v after the hit, before it was %v", c.clock,
				timer.Deadline()-hit, got-hit)
		}
	}
}

// TestRoundUp: the rest of a second that the clock counts as a whole one is used.
func TestRoundUp(t *testing.T) {
	for _, c := range []struct{ used, left, want time.Duration }{
		{0, 9000 * ms, 990 * ms},
		{980 * ms, 9000 * ms, 990 * ms},
		{995 * ms, 9000 * ms, 1990 * ms},
		{1500 * ms, 9000 * ms, 1990 * ms},
		{1500 * ms, 1700 * ms, 1700 * ms},
	} {
		timer := Timer{params: AlphaBeta(0, Settings{MoveOverhead: 10 * ms}), deadline: c.left, byClock: true}
		timer.roundUp(c.used)
		if got := timer.deadline; got != c.want || timer.byClock {
			t.Errorf("%v used: ends after %v, want %v", c.used, got, c.want)
		}
	}
}

// TestStretch: a falling value and changes of the best move take more time, a stable move that
// takes nearly all nodes less.
func TestStretch(t *testing.T) {
	after := func(iterations ...Iteration) float64 {
		var s iterationSum
		for _, i := range iterations {
			s.add(i)
		}
		return s.stretch(iterations[len(iterations)-1])
	}
	even := Iteration{Best: 1, Effort: 0.5}
	stable := after(even, even, even, even, even, even, even, even, even)
	if changed := after(even, even, even, even, even, even, even, even,
		Iteration{Best: 2, Effort: 0.5}); changed < 1.5*stable {
		t.Errorf("a new best move: %.2f, a stable search has %.2f", changed, stable)
	}
	for _, c := range []struct {
		name string
		got  float64
		want bool // more than stable
	}{
		{"falling value", after(even, even, even, even, even, even, even, even, Iteration{Best: 1, Effort: 0.5, Value: -50}), true},
		{"new best move", after(even, even, even, even, even, even, even, even, Iteration{Best: 2, Effort: 0.5}), true},
		{"changes", after(even, even, even, even, even, even, even, even, Iteration{Best: 1, Effort: 0.5, Changes: 3}), true},
		{"effort", after(even, even, even, even, even, even, even, even, Iteration{Best: 1, Effort: 0.95}), false},
		{"rising value", after(even, even, even, even, even, even, even, even, Iteration{Best: 1, Effort: 0.5, Value: 50}), false},
	} {
		if c.got > stable != c.want || c.got == stable {
			t.Errorf("%s: %.2f, a stable search has %.2f", c.name, c.got, stable)
		}
	}
}

// TestStretchValues: what the factors make of some searches. They were chosen by matches; a change of one is
// a change of play.
func TestStretchValues(t *testing.T) {
	for _, c := range []struct {
		name       string
		iterations []Iteration
		want       float64
	}{
		{"first iteration", []Iteration{{Best: 1, Effort: 0.5}}, 1.3 * 1.3 * 0.9},
		{"the same move, three times", []Iteration{{Best: 1}, {Best: 1}, {Best: 1, Effort: 0.5}}, (1.3 - 2*0.08) * 1.3 * 0.9},
		{"changes, halved by each iteration", []Iteration{{Best: 1, Changes: 2}, {Best: 1}, {Best: 1, Changes: 1, Effort: 0.5}}, 1.14 * 1.3 * (0.9 + 0.25*1.5)},
		{"many changes", []Iteration{{Best: 1, Changes: 20, Effort: 0.5}}, 1.3 * 1.3 * 1.8},
		{"all nodes for the best move", []Iteration{{Best: 1, Effort: 1}}, 1.3 * 0.6 * 0.9},
		{"few nodes for the best move", []Iteration{{Best: 1, Effort: 0.1}}, 1.3 * 1.86 * 0.9},
		{"falling below the average", []Iteration{{Best: 1, Value: 40}, {Best: 1, Value: 20}, {Best: 1, Value: -10, Effort: 0.5}}, (1 + 40./80) * 1.14 * 1.3 * 0.9},
		{"falling far", []Iteration{{Best: 1}, {Best: 1, Value: -400, Effort: 0.5}}, (1 + 60./80) * 1.22 * 1.3 * 0.9},
		{"rising far", []Iteration{{Best: 1}, {Best: 1, Value: 400, Effort: 0.5}}, (1 - 25./80) * 1.22 * 1.3 * 0.9},
	} {
		var s iterationSum
		for _, i := range c.iterations {
			s.add(i)
		}
		if got := s.stretch(c.iterations[len(c.iterations)-1]); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %.4f, want %.4f", c.name, got, c.want)
		}
	}
}

// TestUsed: the time of a search is real time, or the time of its nodes.
func TestUsed(t *testing.T) {
	l := search.Limits{Start: time.Now().Add(-time.Hour), MoveTime: sec}
	for _, c := range []struct {
		each     int
		nodes    uint64
		used     time.Duration
		deadline uint64
	}{
		{1, 7, 7 * ms, 1000},
		{100, 250, 2500 * time.Microsecond, 100000},
		{3, 10, 3333333, 3000},
		{10000, 1 << 40, 109951162777600, 10000000},
	} {
		timer := NewTimer(AlphaBeta(0, Settings{NodesPerMS: c.each}), &l, new(NodeClock))
		if used, deadline := timer.Used(c.nodes), timer.DeadlineNodes(); used != c.used || deadline != c.deadline {
			t.Errorf("%d nodes at %d per ms: %v, deadline after %d; want %v, %d", c.nodes, c.each, used,
				deadline, c.used, c.deadline)
		}
		if n := timer.DeadlineNodes(); timer.Used(n) < timer.Deadline() || timer.Used(n-1) >= timer.Deadline() {
			t.Errorf("%d nodes at %d per ms are not the deadline %v", n, c.each, timer.Deadline())
		}
	}
	short := search.Limits{MoveTime: ms}
	if timer := NewTimer(AlphaBeta(0, Settings{NodesPerMS: 7, MoveOverhead: sec}), &short,
		new(NodeClock)); timer.DeadlineNodes() != 7 {
		t.Errorf("0.95 ms of 7 nodes each are %d nodes", timer.DeadlineNodes())
	}
	timer := NewTimer(AlphaBeta(0, Settings{}), &l, nil)
	if used := timer.Used(1 << 40); used < time.Hour || timer.CountsNodes() ||
		!timer.DeadlineTime().Equal(l.Start.Add(sec)) {
		t.Errorf("in real time: %v used, deadline %v after the start", used, timer.DeadlineTime().Sub(l.Start))
	}
	// A deadline between two milliseconds is not missed by a node.
	odd := search.Limits{MoveTime: ms + 1}
	if timer := NewTimer(AlphaBeta(0, Settings{NodesPerMS: 1}), &odd, new(NodeClock)); timer.DeadlineNodes() != 2 {
		t.Errorf("%v at 1 node per ms are %d nodes", odd.MoveTime, timer.DeadlineNodes())
	}
	if timer := NewTimer(AlphaBeta(0, Settings{}), &search.Limits{}, nil); timer.Elapsed() > time.Hour {
		t.Errorf("%v have elapsed since a command without a time", timer.Elapsed())
	}
	endless := search.Limits{MoveTime: 1 << 40 * ms} // 34 years
	if timer := NewTimer(AlphaBeta(0, Settings{NodesPerMS: 10000}), &endless,
		new(NodeClock)); timer.DeadlineNodes() != 1<<40*10000 {
		t.Errorf("34 years are %d nodes", timer.DeadlineNodes())
	}
}

// TestNodeClock: a game by nodes has the time of its first clock, the increments and, when a period
// ends, that time again, whatever the clocks show.
func TestNodeClock(t *testing.T) {
	var n NodeClock
	left := func(side int, c search.Clock, used time.Duration) time.Duration {
		l := search.Limits{Clock: c}
		timer := NewTimer(AlphaBeta(side, Settings{NodesPerMS: 100}), &l, &n)
		timer.End(used)
		return timer.clock.Time[side]
	}
	for i, c := range []struct {
		side       int
		clock      search.Clock
		used, want time.Duration
	}{
		{0, shows(10*sec, 100*ms, 0, 2), sec, 10 * sec},
		{1, shows(5*sec, 200*ms, 0, 2), 2 * sec, 5 * sec},
		{0, shows(ms, 100*ms, 0, 1), 3 * sec, 9100 * ms},
		{1, shows(time.Hour, 200*ms, 0, 1), 9 * sec, 3200 * ms}, // more than it had
		{0, shows(ms, 100*ms, 0, 2), 0, 16200 * ms},             // another period
		{1, shows(ms, 200*ms, 0, 2), sec, 5200 * ms},
		{0, search.Clock{}, sec, 0}, // without a clock nothing is deducted
		{0, shows(ms, 100*ms, 0, 1), 0, 16300 * ms},
	} {
		if got := left(c.side, c.clock, c.used); got != c.want {
			t.Errorf("move %d: %v left, want %v", i, got, c.want)
		}
	}
	n = NodeClock{} // a new game
	if got := left(0, shows(sec, 0, 0, 2), 0); got != sec {
		t.Errorf("new game: %v left", got)
	}
	// Pondering takes no time.
	l := search.Limits{Ponder: true, Clock: shows(sec, 0, 0, 2)}
	timer := NewTimer(AlphaBeta(0, Settings{NodesPerMS: 100}), &l, &n)
	timer.PonderHit(search.Clock{}, time.Minute)
	timer.End(time.Minute + 300*ms)
	if got := left(0, shows(sec, 0, 0, 2), 0); got != 700*ms {
		t.Errorf("%v left after a move of 300 ms", got)
	}
	// Another number of nodes begins another game.
	timer = NewTimer(AlphaBeta(0, Settings{NodesPerMS: 50}), &search.Limits{Clock: shows(ms, 0, 0, 2)}, &n)
	if got := timer.clock.Time[0]; got != ms {
		t.Errorf("another value: %v left", got)
	}
	// So does a search by real time.
	NewTimer(AlphaBeta(0, Settings{}), &search.Limits{}, &n)
	timer = NewTimer(AlphaBeta(0, Settings{NodesPerMS: 50}), &search.Limits{Clock: shows(sec, 0, 0, 2)}, &n)
	if got := timer.clock.Time[0]; got != sec {
		t.Errorf("after a search by real time: %v left", got)
	}
}

// A search that has nothing to do any more waits for the minimum, but not beyond the deadline.
func TestRest(t *testing.T) {
	for _, c := range []struct {
		minimum, used, want time.Duration
	}{
		{0, ms, 0},
		{sec, 400 * ms, 600 * ms},
		{sec, 2 * sec, 0},
		{time.Minute, 0, 9600 * ms},
	} {
		got := timerOf(Settings{MinimumThinking: c.minimum}).Rest(c.used)
		if got.Round(10*ms) != c.want.Round(10*ms) || c.want == 0 && got != 0 {
			t.Errorf("minimum %v: rests %v after %v, want %v", c.minimum, got, c.used, c.want)
		}
	}
	least := Settings{MinimumThinking: sec}
	if got := NewTimer(AlphaBeta(0, least), &search.Limits{Nodes: 1}, nil).Rest(0); got != 0 {
		t.Errorf("rests %v without a clock", got)
	}
	least.NodesPerMS = 100
	if got := NewTimer(AlphaBeta(0, least), &search.Limits{Clock: shows(time.Minute, 0, 0, 0)},
		new(NodeClock)).Rest(0); got != 0 {
		t.Errorf("rests %v, but nodes are the time", got)
	}
}
