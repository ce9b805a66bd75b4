package clock

import (
	"math"
	"time"

	"trefoil/search"
)

// A Timer times one search by iterative deepening. The search ends at the Deadline, calls Update
// after every iteration, and ends sooner when Enough returns true.
//
// All times are times of the search as Used returns them: real, or by its nodes if Settings.NodesPerMS
// is set. Nothing else reads a clock.
type Timer struct {
	params    Params
	limits    *search.Limits
	nodes     *NodeClock    // of the game, if nodes are the time
	clock     search.Clock  // ours, as it began to run
	start     time.Time     // when the command was read
	running   time.Duration // when our clock began to run
	deadline  time.Duration // Never: none
	optimum   time.Duration
	limit     time.Duration // the deadline of an ordinary move on a clock
	unsettled time.Duration // the same if the best move has just changed
	maximum   time.Duration // the same while the value falls
	falling   bool          // the value
	byClock   bool          // on a clock: the optimum counts
	stretch   float64       // of the optimum, by the iterations so far
	history   iterationSum
}

// Never is the deadline of a search without one.
const Never = time.Duration(math.MaxInt64)

// NewTimer returns the timer of a search with those limits. There is no deadline while it ponders or
// if the limits are infinite. nodes is the clock of the game if nodes are the time; another value of
// NodesPerMS than before resets it.
func NewTimer(p Params, l *search.Limits, nodes *NodeClock) *Timer {
	t := &Timer{params: p, limits: l, nodes: nodes, start: l.Start, deadline: Never, stretch: math.Inf(1)}
	if t.start.IsZero() {
		t.start = time.Now()
	}
	if nodes != nil && nodes.nodesPerMS != p.NodesPerMS {
		*nodes = NodeClock{nodesPerMS: p.NodesPerMS}
	}
	if !l.Ponder {
		t.run(l.Clock, 0)
	}
	return t
}

// run starts our clock, which shows c at the time now.
func (t *Timer) run(c search.Clock, now time.Duration) {
	if t.limits.Infinite {
		return
	}
	if t.CountsNodes() {
		c = t.nodes.Show(c, t.params.Side)
	}
	t.clock, t.running = c, now
	if b, ok := t.params.Budget(t.limits, c); ok {
		t.optimum = b.Optimum
		least := min(t.params.MinimumThinking, b.Maximum)
		t.limit = now + max(b.Limit, least)
		t.unsettled = now + max(min(percent(b.Limit, unsettledLimit), b.Maximum), least)
		t.maximum = now + b.Maximum
		if t.params.FullSeconds {
			t.limit = min(t.endOfSecond(t.limit), t.maximum)
			t.unsettled = min(t.endOfSecond(t.unsettled), t.maximum)
		}
		t.deadline = t.maximum
		t.byClock = t.limits.MoveTime == 0
		t.setFalling(t.falling)
	}
}

// setFalling says whether the value falls, and sets the deadline by the clock.
func (t *Timer) setFalling(falling bool) {
	t.falling = falling
	switch {
	case !t.byClock:
	case falling:
		t.deadline = t.maximum
	case t.history.changed:
		t.deadline = t.unsettled
	default:
		t.deadline = t.limit
	}
}

// PonderHit ends pondering at the time now: our clock runs, and shows c. A zero Clock stands for the clock
// of the limits.
func (t *Timer) PonderHit(c search.Clock, now time.Duration) {
	if !c.Given {
		c = t.limits.Clock
	}
	t.run(c, now)
}

// Elapsed returns the real time since the command was read.
func (t *Timer) Elapsed() time.Duration { return time.Since(t.start) }

// Used returns the time of the search after that number of nodes.
func (t *Timer) Used(nodes uint64) time.Duration {
	if t.CountsNodes() {
		return time.Duration(nodes * uint64(time.Millisecond) / uint64(t.params.NodesPerMS))
	}
	return t.Elapsed()
}

// CountsNodes reports whether nodes are the time.
func (t *Timer) CountsNodes() bool { return t.params.NodesPerMS > 0 }

// Deadline returns when the search must end.
func (t *Timer) Deadline() time.Duration { return t.deadline }

// DeadlineNodes returns the least number of nodes after which the deadline has come, if they are the
// time and there is a deadline.
func (t *Timer) DeadlineNodes() uint64 {
	const ms = uint64(time.Millisecond)
	d, each := uint64(t.deadline), uint64(t.params.NodesPerMS)
	return d/ms*each + (d%ms*each+ms-1)/ms
}

// DeadlineTime returns the moment of the deadline, if nodes are not the time and there is one.
func (t *Timer) DeadlineTime() time.Time { return t.start.Add(t.deadline) }

// End deducts the time of a search that ends now from the clock of the game, if nodes are the time.
func (t *Timer) End(now time.Duration) {
	if t.CountsNodes() {
		t.nodes.Deduct(t.clock, t.params.Side, now-t.running)
	}
}

// Update adapts the timer to a complete iteration.
func (t *Timer) Update(i Iteration) {
	t.history.add(i)
	t.setFalling(i.Depth >= stableDepth && t.history.previous-i.Value >= leastFall)
	switch {
	case i.Forced:
		t.stretch = 0
	case i.Depth >= stableDepth:
		t.stretch = t.history.stretch(i)
	default:
		t.stretch = 1
	}
}

// FailLow says that an iteration of that depth has found its value to be at most value so far. It may
// move the Deadline.
func (t *Timer) FailLow(depth, value int) {
	if depth >= stableDepth && t.history.begun && t.history.average-value >= leastFall {
		t.setFalling(true)
	}
}

// Enough reports whether the search has used up its time as of now, so that another iteration is not
// worthwhile. With FullSeconds it may bring the Deadline forward instead.
func (t *Timer) Enough(now time.Duration) bool {
	if !t.byClock || float64(now) <= t.stretch*float64(t.optimum) || now < t.params.MinimumThinking {
		return false
	}
	if !t.params.FullSeconds || t.stretch == 0 {
		return true
	}
	t.roundUp(now)
	return false
}

// Rest returns how long a search that has finished at the time now still has to wait for the
// MinimumThinking, as far as the Deadline permits.
func (t *Timer) Rest(now time.Duration) time.Duration {
	if !t.byClock || t.CountsNodes() {
		return 0
	}
	return max(min(t.params.MinimumThinking, t.deadline)-now, 0)
}

// roundUp moves the deadline to the end of the second that has begun on the clock, unless it is
// sooner: the rest of that second would be lost.
func (t *Timer) roundUp(now time.Duration) {
	t.deadline = min(t.deadline, t.endOfSecond(now))
	t.byClock = false
}

// endOfSecond returns when a search must end in order to use the whole second of the clock that contains
// now.
func (t *Timer) endOfSecond(now time.Duration) time.Duration {
	overhead := t.params.MoveOverhead
	return t.running + (now - t.running + overhead).Truncate(time.Second) + time.Second - overhead
}
