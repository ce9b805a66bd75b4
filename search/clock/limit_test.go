package clock

import (
	"testing"
	"time"

	"trefoil/search"
)

// deep is an iteration whose stability counts.
func deep(value int) Iteration { return Iteration{Depth: stableDepth, Best: 1, Value: value} }

// TestFalling: the deadline is the limit, half as much again after an iteration with another best move, and the
// maximum while the value falls.
func TestFalling(t *testing.T) {
	limit, unsettled, maximum := 2400*ms, 3600*ms, 9600*ms
	other := Iteration{Depth: stableDepth, Best: 2, Value: 20}
	lowOther := Iteration{Depth: stableDepth, Best: 2, Value: -500}
	shallow := Iteration{Depth: stableDepth - 1, Best: 1, Value: -500}
	for _, c := range []struct {
		name       string
		iterations []Iteration
		lowDepth   int // 0: no FailLow
		low        int
		want       time.Duration
	}{
		{"no iteration", nil, 0, 0, limit},
		{"even", []Iteration{deep(20), deep(20)}, 0, 0, limit},
		{"a little lower", []Iteration{deep(20), deep(-leastFall + 21)}, 0, 0, limit},
		{"lower", []Iteration{deep(20), deep(-leastFall + 20)}, 0, 0, maximum},
		{"higher", []Iteration{deep(20), deep(500)}, 0, 0, limit},
		{"lower than the average", []Iteration{deep(0), deep(40), deep(20 - leastFall)}, 0, 0, maximum},
		{"lower than the last one only", []Iteration{deep(0), deep(40), deep(40 - leastFall)}, 0, 0, limit},
		{"lower for a while", []Iteration{deep(0), deep(-leastFall), deep(-leastFall)}, 0, 0, limit},
		{"at a low depth", []Iteration{deep(20), shallow}, 0, 0, limit},
		{"at most a little lower", []Iteration{deep(20)}, stableDepth, -leastFall + 21, limit},
		{"at most lower", []Iteration{deep(20)}, stableDepth, -leastFall + 20, maximum},
		{"at most lower, at a low depth", []Iteration{deep(20)}, stableDepth - 1, -500, limit},
		{"at most lower, in the first iteration", nil, stableDepth, -500, limit},
		{"at most lower than the average with the last one", []Iteration{deep(0), deep(-20)}, stableDepth, -leastFall - 10, maximum},
		{"at most a little lower than that", []Iteration{deep(0), deep(-20)}, stableDepth, -leastFall - 9, limit},
		{"another move", []Iteration{deep(20), other}, 0, 0, unsettled},
		{"another move at depth 2", []Iteration{{Depth: 1, Best: 1}, {Depth: 2, Best: 2}}, 0, 0, unsettled},
		{"the same again", []Iteration{deep(20), other, other}, 0, 0, limit},
		{"another move, and lower", []Iteration{deep(20), lowOther}, 0, 0, maximum},
		{"another move, at most lower", []Iteration{deep(20), other}, stableDepth, -500, maximum},
		{"another move, at most a little lower", []Iteration{deep(20), other}, stableDepth, 10, unsettled},
	} {
		timer := timerOf(Settings{})
		for _, i := range c.iterations {
			timer.Update(i)
		}
		if c.lowDepth > 0 {
			timer.FailLow(c.lowDepth, c.low)
		}
		if got := timer.Deadline(); got != c.want {
			t.Errorf("%s: the deadline is %v, want %v", c.name, got, c.want)
		}
		if c.want != limit {
			timer.Update(deep(500))
			timer.Update(deep(500))
			if got := timer.Deadline(); got != limit {
				t.Errorf("%s, and then higher: the deadline is %v, want %v", c.name, got, limit)
			}
		}
	}
}

// TestFallingOtherwise: a fixed time and a search without limits do not depend on the value, and a value that has
// fallen while the search pondered counts.
func TestFallingOtherwise(t *testing.T) {
	for _, c := range []struct {
		limits search.Limits
		want   time.Duration
	}{
		{search.Limits{MoveTime: sec}, sec},
		{search.Limits{Nodes: 5}, Never},
		{search.Limits{Infinite: true, Clock: shows(sec, 0, 0, 0)}, Never},
		{search.Limits{Ponder: true, Clock: shows(time.Minute, 0, 0, 0)}, Never},
	} {
		timer := NewTimer(AlphaBeta(0, Settings{}), &c.limits, nil)
		timer.Update(deep(0))
		timer.Update(deep(-100))
		timer.FailLow(stableDepth, -500)
		if got := timer.Deadline(); got != c.want {
			t.Errorf("%+v: the deadline is %v, want %v", c.limits, got, c.want)
		}
		if timer.PonderHit(search.Clock{}, sec); c.limits.Ponder && timer.Deadline() != 10600*ms {
			t.Errorf("after the hit the deadline is %v", timer.Deadline())
		}
	}
}

// TestLimitOtherwise: MinimumThinking and the rest of a full second come before the limit, but not before the
// maximum; and the second that Enough chose does not move any more.
func TestLimitOtherwise(t *testing.T) {
	for _, c := range []struct {
		settings Settings
		want     time.Duration
	}{
		{Settings{MinimumThinking: 2 * sec}, 2400 * ms},
		{Settings{MinimumThinking: 5 * sec}, 5 * sec},
		{Settings{MinimumThinking: time.Minute}, 9600 * ms},
		{Settings{FullSeconds: true}, 3 * sec},
		{Settings{FullSeconds: true, SlowMover: 300}, 8 * sec},
		{Settings{FullSeconds: true, MinimumThinking: time.Minute}, 9600 * ms},
	} {
		if got := timerOf(c.settings).Deadline(); got != c.want {
			t.Errorf("%+v: the deadline is %v, want %v", c.settings, got, c.want)
		}
	}
	// The same for a search with another best move.
	for _, c := range []struct {
		settings Settings
		want     time.Duration
	}{
		{Settings{MinimumThinking: 3 * sec}, 3600 * ms},
		{Settings{MinimumThinking: 5 * sec}, 5 * sec},
		{Settings{FullSeconds: true}, 4 * sec},
		{Settings{FullSeconds: true, MinimumThinking: time.Minute}, 9600 * ms},
	} {
		timer := timerOf(c.settings)
		timer.Update(Iteration{Depth: 1, Best: 1})
		timer.Update(Iteration{Depth: 2, Best: 2})
		if got := timer.Deadline(); got != c.want {
			t.Errorf("%+v, another move: the deadline is %v, want %v", c.settings, got, c.want)
		}
	}
	// Not more than the maximum, which is near the limit where little time is left.
	l := search.Limits{Clock: shows(sec, sec, 0, 0)}
	timer := NewTimer(AlphaBeta(0, Settings{}), &l, nil)
	timer.Update(Iteration{Depth: 1, Best: 1})
	timer.Update(Iteration{Depth: 2, Best: 2})
	if got := timer.Deadline(); got != 500*ms {
		t.Errorf("the deadline is %v of a second", got)
	}
	timer = timerOf(Settings{FullSeconds: true})
	timer.Update(Iteration{Depth: 1})
	if timer.Enough(2700*ms) || timer.Deadline() != 3*sec {
		t.Fatalf("the deadline is %v", timer.Deadline())
	}
	timer.Update(deep(0))
	timer.Update(deep(-100))
	if got := timer.Deadline(); got != 3*sec {
		t.Errorf("the value falls: the deadline is %v", got)
	}
}
