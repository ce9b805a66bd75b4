package clock

import (
	"math"
	"time"

	"trefoil/search"
)

// A Timer times one search by iterative deepening. The search ends at the Deadline, calls Update
// after every iteration, and ends sooner when Enough returns true.
type Timer struct {
	params   Params
	limits   *search.Limits
	start    time.Time // when the command was read
	running  time.Time // since when our clock runs
	deadline time.Time // zero: none
	optimum  time.Duration
	byClock  bool    // the optimum counts
	stretch  float64 // of the optimum, by the iterations so far
	history  iterationSum
}

// NewTimer returns the timer of a search with those limits. While it ponders, and where the
// limits are infinite, there is no deadline.
func NewTimer(p Params, l *search.Limits) *Timer {
	t := &Timer{params: p, limits: l, start: l.Start, stretch: math.Inf(1)}
	if t.start.IsZero() {
		t.start = time.Now()
	}
	if !l.Ponder {
		t.run(l.Clock, t.start)
	}
	return t
}

// run starts our clock, which shows c at the time now.
func (t *Timer) run(c search.Clock, now time.Time) {
	if t.limits.Infinite {
		return
	}
	t.running = now
	if b, ok := t.params.Budget(t.limits, c); ok {
		t.optimum, t.deadline = b.Optimum, now.Add(b.Maximum)
		t.byClock = t.limits.MoveTime == 0
	}
}

// PonderHit ends pondering at the time now: our clock runs, and shows c. A zero Clock is that of
// the limits.
func (t *Timer) PonderHit(c search.Clock, now time.Time) {
	if !c.Given {
		c = t.limits.Clock
	}
	t.run(c, now)
}

// Deadline returns when the search must end; the zero time is never.
func (t *Timer) Deadline() time.Time { return t.deadline }

// Elapsed returns the time since the command was read.
func (t *Timer) Elapsed() time.Duration { return time.Since(t.start) }

// Update adapts the timer to a complete iteration.
func (t *Timer) Update(i Iteration) {
	t.history.add(i)
	switch {
	case i.Forced:
		t.stretch = 0
	case i.Depth >= stableDepth:
		t.stretch = t.history.stretch(i)
	default:
		t.stretch = 1
	}
}

// Enough reports whether the search has used its time as of now, so that another iteration is
// not worthwhile. With FullSeconds it may shorten the Deadline instead.
func (t *Timer) Enough(now time.Time) bool {
	if !t.byClock {
		return false
	}
	used := now.Sub(t.start)
	if float64(used) <= t.stretch*float64(t.optimum) || used < t.params.MinimumThinking {
		return false
	}
	if !t.params.FullSeconds || t.stretch == 0 {
		return true
	}
	t.roundUp(now)
	return false
}

// roundUp moves the deadline to the end of the second that has begun on the clock, unless it
// comes sooner: the rest of that second would not be given back.
func (t *Timer) roundUp(now time.Time) {
	overhead := t.params.MoveOverhead
	used := (now.Sub(t.running) + overhead).Truncate(time.Second) + time.Second
	if end := t.running.Add(used - overhead); end.Before(t.deadline) {
		t.deadline = end
	}
	t.byClock = false
}
