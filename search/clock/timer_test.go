package clock

import (
	"testing"
	"time"

	"trefoil/search"
)

// timerOf is a timer that started at the time start, by a clock with a minute left: its
// optimum is 1.67 s, its maximum 8.33 s.
func timerOf(start time.Time, s Settings) *Timer {
	return NewTimer(AlphaBeta(0, s), &search.Limits{Start: start, Clock: shows(time.Minute, 0, 0, 0)})
}

func TestEnough(t *testing.T) {
	start := time.Now()
	usual := Iteration{Depth: stableDepth - 1}
	forced := Iteration{Depth: 1, Forced: true}
	for _, c := range []struct {
		name      string
		settings  Settings
		iteration Iteration
		used      time.Duration
		want      bool
	}{
		{"below the optimum", Settings{}, usual, 1600 * ms, false},
		{"above the optimum", Settings{}, usual, 1700 * ms, true},
		{"only one move", Settings{}, forced, ms, true},
		{"minimum thinking time", Settings{MinimumThinking: sec}, forced, 999 * ms, false},
		{"above it", Settings{MinimumThinking: sec}, forced, 1001 * ms, true},
		{"full seconds", Settings{FullSeconds: true}, usual, 1700 * ms, false},
		{"full seconds, only one move", Settings{FullSeconds: true}, forced, ms, true},
	} {
		timer := timerOf(start, c.settings)
		timer.Update(c.iteration)
		if got := timer.Enough(start.Add(c.used)); got != c.want {
			t.Errorf("%s: %v after %v", c.name, got, c.used)
		}
	}
}

// TestNoEnough: only the clock lets a search end early, and only after an iteration.
func TestNoEnough(t *testing.T) {
	start := time.Now()
	if timerOf(start, Settings{}).Enough(start.Add(time.Hour)) {
		t.Error("ended before the first iteration")
	}
	for _, l := range []search.Limits{
		{Start: start, MoveTime: sec},
		{Start: start, Nodes: 1},
		{Start: start, Infinite: true, Clock: shows(sec, 0, 0, 0)},
		{Start: start, Ponder: true, Clock: shows(sec, 0, 0, 0)},
	} {
		timer := NewTimer(AlphaBeta(0, Settings{}), &l)
		timer.Update(Iteration{Forced: true})
		if timer.Enough(start.Add(time.Hour)) {
			t.Errorf("%+v: ended early", l)
		}
		if l.MoveTime == 0 && !timer.Deadline().IsZero() {
			t.Errorf("%+v: there is a deadline", l)
		}
	}
}

func TestPonderHit(t *testing.T) {
	start := time.Now()
	hit := start.Add(10 * sec)
	l := search.Limits{Start: start, Ponder: true, Clock: shows(time.Minute, 0, 0, 0)}
	for _, c := range []struct {
		clock search.Clock
		want  time.Duration
	}{
		{search.Clock{}, 8333333330},
		{shows(30*sec, 0, 0, 0), 4166666660},
	} {
		timer := NewTimer(AlphaBeta(0, Settings{}), &l)
		timer.Update(Iteration{Depth: 1})
		timer.PonderHit(c.clock, hit)
		if got := timer.Deadline().Sub(hit); got != c.want {
			t.Errorf("%+v: %v until the deadline, want %v", c.clock, got, c.want)
		}
		if !timer.Enough(hit) {
			t.Error("the time spent pondering does not count")
		}
	}
}

// TestRoundUp: the rest of a second that the clock counts as a whole one is used.
func TestRoundUp(t *testing.T) {
	start := time.Now()
	for _, c := range []struct{ used, left, want time.Duration }{
		{0, 9000 * ms, 990 * ms},
		{980 * ms, 9000 * ms, 990 * ms},
		{995 * ms, 9000 * ms, 1990 * ms},
		{1500 * ms, 9000 * ms, 1990 * ms},
		{1500 * ms, 1700 * ms, 1700 * ms},
	} {
		timer := Timer{params: AlphaBeta(0, Settings{MoveOverhead: 10 * ms}), running: start, deadline: start.Add(c.left), byClock: true}
		timer.roundUp(start.Add(c.used))
		if got := timer.deadline.Sub(start); got != c.want || timer.byClock {
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
