package clock

import (
	"testing"
	"time"

	"trefoil/search"
)

// control is a time control: the time for all moves or, if there are periods, for each of them.
type control struct {
	time, inc time.Duration
	period    int // moves, 0 = none
}

var controls = []control{
	{time: time.Minute, inc: 0},
	{time: 4 * sec, inc: 40 * ms},
	{time: time.Minute, inc: 600 * ms},
	{time: sec, inc: 100 * ms},
	{time: 3 * time.Minute, inc: 2 * sec},
	{time: 4 * sec, period: 40},
	{time: time.Minute, period: 40},
	{time: time.Minute, inc: 500 * ms, period: 20},
}

// play plays moves by a control. A move takes pace times its optimum, at most its limit, and the overhead.
// With falling the value falls in every tenth move, which takes its maximum. It returns the clock before
// each move.
func (c control) play(s Settings, moves int, pace float64, falling bool) (clocks []time.Duration) {
	left := c.time
	for n := range moves {
		clocks = append(clocks, left)
		movesToGo := 0
		if c.period > 0 {
			movesToGo = c.period - n%c.period
		}
		b, _ := AlphaBeta(0, s).Budget(&search.Limits{}, shows(left, c.inc, 0, movesToGo))
		used := min(time.Duration(pace*float64(b.Optimum)), b.Limit)
		if n%10 == 9 && falling {
			used = b.Maximum
		}
		left += c.inc - used - s.MoveOverhead
		if movesToGo == 1 {
			left += c.time
		}
	}
	return clocks
}

// TestGames plays games whose moves take less than the optimum, as much, and more, up to the limit, and
// games in which the value often falls: the clock is used, never used up, and some of it stays until the end.
func TestGames(t *testing.T) {
	for _, s := range []Settings{{MoveOverhead: 10 * ms}, {MoveOverhead: 10 * ms, Uneven: true}} {
		testGames(t, s)
	}
}

func testGames(t *testing.T, s Settings) {
	for _, c := range controls {
		for _, pace := range []float64{0.5, 1, 1.5} {
			for _, falling := range []bool{false, true} {
				clocks := c.play(s, 161, pace, falling)
				// What is there at move 10 is at most the part of the clock that equal shares leave.
				if used := float64(c.time+9*c.inc-clocks[9]) / float64(c.time); used < 9./60*min(pace, 1) {
					t.Errorf("%+v, %+v, pace %.1f: 9 moves have used %.0f %% of the clock", s, c, pace, 100*used)
				}
				for n, left := range clocks {
					switch {
					// the overhead of all moves is 1.6 s
					case left <= s.MoveOverhead && (c.inc > 0 || c.period > 0 || n < 100):
						t.Fatalf("%+v, %+v, pace %.1f, falling %v: %v left before move %d", s, c, pace, falling, left, n+1)
					case c.period == 0 && left < min(c.inc, c.time/100) && n < 80:
						t.Fatalf("%+v, %+v, pace %.1f, falling %v: only %v left before move %d", s, c, pace, falling, left, n+1)
					case c.period > 0 && n%c.period == 0 && left < c.time && n > 0:
						t.Fatalf("%+v, %+v, pace %.1f, falling %v: only %v left for the next period", s, c, pace, falling, left)
					}
				}
				// A clock with increments neither runs down nor fills.
				if last := clocks[160]; c.inc > 0 && c.period == 0 && pace == 1.5 &&
					(last < c.inc*3/2 || last > 8*c.inc) {
					t.Errorf("%+v, %+v, pace %.1f: %v left at the end", s, c, pace, last)
				}
			}
		}
	}
}

// TestEvenShares: without increments, moves of their optimum share a period equally.
func TestEvenShares(t *testing.T) {
	c := control{time: time.Minute, period: 40}
	clocks := c.play(Settings{}, 41, 1, false)
	first := clocks[0] - clocks[1]
	for n := range 40 {
		used := clocks[n] - clocks[n+1]
		if n == 39 {
			used += c.time
		}
		if used < first*99/100 || used > first*101/100 {
			t.Errorf("move %d takes %v, the first %v", n+1, used, first)
		}
	}
	if saved := clocks[40] - c.time; saved < 2*first*99/100 || saved > 2*first*101/100 {
		t.Errorf("%v are saved, want two moves of %v", saved, first)
	}
}

// budgets returns the budget of alpha-beta for a clock.
func budgets(left, inc time.Duration, moves int, s Settings) Budget {
	b, _ := AlphaBeta(0, s).Budget(&search.Limits{}, shows(left, inc, 0, moves))
	return b
}

// TestOrder: more on the clock, more increment, fewer moves to go and a slower mover never make a budget
// smaller, and more overhead never makes it larger.
func TestOrder(t *testing.T) {
	for _, uneven := range []bool{false, true} {
		testOrder(t, Settings{MoveOverhead: 10 * ms, Uneven: uneven})
	}
}

func testOrder(t *testing.T, s Settings) {
	lefts := []time.Duration{50 * ms, 200 * ms, sec, 10 * sec, time.Minute, time.Hour}
	for i, left := range lefts {
		for j, inc := range []time.Duration{0, 5 * ms, 40 * ms, sec, 10 * sec} {
			for _, moves := range []int{0, 1, 2, 10, 40} {
				b := budgets(left, inc, moves, s)
				most := left / 2
				if moves > 0 {
					most = left * 3 / 4
				}
				if b.Optimum > b.Maximum || b.Limit > b.Maximum || b.Maximum > max(most, leastMaximum) {
					t.Errorf("%v+%v, %d moves: %v", left, inc, moves, b)
				}
				smaller := func(what string, o Budget) {
					t.Helper()
					if o.Optimum < b.Optimum || o.Limit < b.Limit || o.Maximum < b.Maximum {
						t.Errorf("%v+%v, %d moves: %v, %s %v", left, inc, moves, b, what, o)
					}
				}
				if i+1 < len(lefts) {
					smaller("with more time", budgets(lefts[i+1], inc, moves, s))
				}
				if j > 0 {
					smaller("with more increment", budgets(left, 2*inc, moves, s))
				}
				if moves > 1 {
					smaller("with fewer moves to go", budgets(left, inc, moves-1, s))
				}
				quick, slow := s, s
				quick.MoveOverhead, slow.SlowMover = ms, 150
				smaller("with less overhead", budgets(left, inc, moves, quick))
				smaller("slower", budgets(left, inc, moves, slow))
			}
		}
	}
}

// TestScale: a control that is twice as long has twice the budgets.
func TestScale(t *testing.T) {
	for _, c := range controls {
		one := budgets(c.time, c.inc, c.period, Settings{MoveOverhead: 10 * ms})
		two := budgets(2*c.time, 2*c.inc, c.period, Settings{MoveOverhead: 20 * ms})
		if d := two.Optimum - 2*one.Optimum; d < -10 || d > 10 {
			t.Errorf("%+v: %v, twice as long %v", c, one, two)
		}
		if d := max(two.Limit-2*one.Limit, 2*one.Limit-two.Limit); d > 10 {
			t.Errorf("%+v: %v, twice as long %v", c, one, two)
		}
		if d := two.Maximum - 2*one.Maximum; d < -50 || d > 50 {
			t.Errorf("%+v: %v, twice as long %v", c, one, two)
		}
	}
}

// TestSides: a budget depends on the clock of its own side alone.
func TestSides(t *testing.T) {
	for side := range 2 {
		c := shows(time.Minute, sec, 0, 0)
		want, _ := AlphaBeta(0, Settings{}).Budget(&search.Limits{}, c)
		c.Time[1-side], c.Inc[1-side] = ms, 0
		if got, _ := AlphaBeta(side, Settings{}).Budget(&search.Limits{}, c); got != want {
			t.Errorf("side %d: %v, want %v", side, got, want)
		}
	}
}

// TestLimit: an ordinary move takes at most 4 % of the clock, and the increment or the byoyomi that it gets if that
// is 2 % or more. So it takes at most 4 % of all that is left, the increments of the next moves included.
func TestLimit(t *testing.T) {
	for _, left := range []time.Duration{sec, 10 * sec, time.Minute, 10 * time.Minute, time.Hour} {
		for _, each := range []time.Duration{0, left / 1000, left / 100, left * 3 / 200, left / 50,
			left / 10, left / 3} {
			for _, c := range []search.Clock{shows(left, each, 0, 0), shows(left, 0, each, 0),
				shows(left, each, 0, 40)} {
				b, _ := AlphaBeta(0, Settings{}).Budget(&search.Limits{}, c)
				want := left / 25
				switch {
				case each >= left/50:
					want += each
				case each > left/100:
					want += 2*each - left/50
				}
				if d := b.Limit - min(want, left/2+c.Byoyomi); d > 10 || d < -10 {
					t.Errorf("%v + %v, byoyomi %v: %v, want %v", left, c.Inc[0], c.Byoyomi, b.Limit, want)
				}
				if all := left + 44*each; b.Limit > all/25 {
					t.Errorf("%v + %v, byoyomi %v: %v of %v", left, c.Inc[0], c.Byoyomi, b.Limit, all)
				}
			}
		}
	}
	for moves, want := range map[int]time.Duration{
		40: 2400 * ms, 33: 2400 * ms, 28: 2800 * ms, 19: 4 * sec, 5: 12 * sec, 2: 21 * sec, 1: 28 * sec,
	} {
		if b := budgets(time.Minute, 0, moves, Settings{}); b.Limit != want {
			t.Errorf("%d moves: %v, want %v", moves, b.Limit, want)
		}
	}
	// Ten minutes and five seconds a move.
	for _, c := range []search.Clock{shows(600*sec, 0, 5*sec, 0), shows(605*sec, 5*sec, 0, 0)} {
		if b, _ := AlphaBeta(0, Settings{}).Budget(&search.Limits{}, c); b.Limit > 24200*ms || b.Maximum > 102*sec {
			t.Errorf("%+v: %v", c, b)
		}
	}
}
