package alphabeta

import (
	"time"

	"trefoil/search"
)

// timer says when a search should end (soft: a new iteration is not worth its
// while) and when it must (hard).
type timer struct {
	start   time.Time     // when the command was read
	soft    time.Duration // from start; adapted after every iteration
	hard    time.Time     // zero = never
	clocked time.Time     // our clock runs since then
	managed bool          // by a clock: soft counts
}

// newTimer budgets by the limits and the settings, from the moment now on.
func newTimer(lim *search.Limits, clock search.Clock, side int, set *Settings, now time.Time) timer {
	overhead := set.MoveOverhead
	t := timer{start: lim.Start, clocked: now}
	if t.start.IsZero() {
		t.start = now
	}
	switch {
	case lim.MoveTime > 0:
		t.hard = now.Add(max(lim.MoveTime-min(overhead, lim.MoveTime/20), time.Millisecond/2))
	case clock.Given:
		soft, hard := budget(clock, side, overhead)
		if clock.Byoyomi > 0 {
			// Unlike a clock without it, it is used to its end on every move.
			all := max(clock.Time[side], 0) + clock.Byoyomi
			hard = max(min(hard, max(all-set.AtWorst, all/2)), time.Millisecond)
		}
		t.managed = true
		t.soft = soft
		t.hard = now.Add(hard)
	}
	return t
}

// roundUp makes the search end with the second that has begun on the clock, if hard
// lets it, and not before: the rest of it is not given back.
func (t *timer) roundUp(overhead time.Duration, now time.Time) {
	used := (now.Sub(t.clocked) + overhead).Truncate(time.Second) + time.Second
	if end := t.clocked.Add(used - overhead); end.Before(t.hard) {
		t.hard = end
	}
	t.managed = false
}

// movesAhead is how many more moves a game without a move count is planned for.
const movesAhead = 45

// budget divides what is left on the clock: soft is the time that an ordinary
// move deserves, hard what it may take at most.
func budget(c search.Clock, side int, overhead time.Duration) (soft, hard time.Duration) {
	moves := movesAhead
	if c.MovesToGo > 0 {
		moves = min(moves, c.MovesToGo)
	}
	left := max(c.Time[side]-overhead, 0)
	total := max(left+time.Duration(moves-1)*(c.Inc[side]-overhead), left)
	soft = total / time.Duration(moves)
	// What is kept back pays for moments in which the machine stands still.
	limit := left * 3 / 4
	switch c.MovesToGo {
	case 0:
		soft = soft * 5 / 4
		limit = left / 2
	case 1:
		limit = left * 9 / 10
	}
	soft = min(soft, limit)
	hard = min(soft*5, limit)
	if c.Byoyomi > 0 {
		each := max(c.Byoyomi-overhead, 0)
		soft += each * 4 / 5
		hard += each
		if left == 0 {
			// What a move leaves of it is lost: only a forced one comes sooner.
			soft = 4 * hard
		}
	}
	return max(soft, time.Millisecond/2), max(hard, time.Millisecond)
}

// Budget returns how long a move takes by a clock for the side that moves first: an
// ordinary one, and one at most.
func Budget(c search.Clock, overhead time.Duration) (ordinary, most time.Duration) {
	return budget(c, 0, overhead)
}

// trend is what the main worker remembers of its iterations to see whether the
// answer is settled.
type trend struct {
	best     uint32  // the best move of the last iteration
	stable   int     // iterations that it has been the best
	changes  float64 // of the best move within iterations, decaying
	previous int     // value of the iteration before
	average  int     // of the iterations
	known    bool
}

// update takes in an iteration: its best move, value and changes of mind.
func (t *trend) update(best uint32, value, changes int) {
	if best == t.best {
		t.stable++
	} else {
		t.best, t.stable = best, 0
	}
	t.changes = t.changes/2 + float64(changes)
	if !t.known {
		t.known, t.average, t.previous = true, value, value
	}
	t.previous = t.average
	t.average = (t.average + value) / 2
}

// factor is how many times the soft time is worth spending: more while the best
// move changes or the value falls, less when one move takes nearly all nodes.
func (t *trend) factor(value int, share float64) float64 {
	falling := 1 + float64(max(-25, min(60, t.previous-value)))/80
	stability := max(0.7, 1.3-0.08*float64(t.stable))
	effort := max(0.6, 2.0-1.4*share)
	return falling * stability * effort * min(1.8, 0.9+0.25*t.changes)
}
