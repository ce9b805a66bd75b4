package clock

import (
	"context"
	"testing"
	"time"

	"trefoil/search"
)

const (
	ms  = time.Millisecond
	sec = time.Second
)

// shows is a clock on which both sides have the same.
func shows(left, inc, byoyomi time.Duration, moves int) search.Clock {
	return search.Clock{Given: true, Time: [2]time.Duration{left, left}, Inc: [2]time.Duration{inc, inc},
		Byoyomi: byoyomi, MovesToGo: moves}
}

func TestBudget(t *testing.T) {
	overhead := Settings{MoveOverhead: 10 * ms}
	byoyomi := Settings{MoveOverhead: 10 * ms, WorstOverhead: 1200 * ms}
	for _, c := range []struct {
		name   string
		params Params
		clock  search.Clock
		want   Budget
	}{
		{"sudden death", AlphaBeta(0, overhead), shows(time.Minute, 0, 0, 0), Budget{2656444444, 2399600 * time.Microsecond, 9598400 * time.Microsecond}},
		{"increment", AlphaBeta(0, overhead), shows(time.Minute, 600*ms, 0, 0), Budget{3243111111, 2399600 * time.Microsecond, 9598400 * time.Microsecond}},
		{"40 moves", AlphaBeta(0, overhead), shows(time.Minute, 0, 0, 40), Budget{1418571428, 2399600 * time.Microsecond, 9598400 * time.Microsecond}},
		{"two moves", AlphaBeta(0, overhead), shows(time.Minute, 0, 0, 2), Budget{14990 * ms, 20996500 * time.Microsecond, 44992500 * time.Microsecond}},
		{"last move", AlphaBeta(0, overhead), shows(time.Minute, 0, 0, 1), Budget{19990 * ms, 27995333333, 44992500 * time.Microsecond}},
		{"increment above the clock", AlphaBeta(0, overhead), shows(sec, time.Minute, 0, 0), Budget{495 * ms, 495 * ms, 495 * ms}},
		{"increment on a short clock", AlphaBeta(0, overhead), shows(100*ms, 40*ms, 0, 0), Budget{33333333, 33600 * time.Microsecond, 45 * ms}},
		{"increment below the overhead", AlphaBeta(0, overhead), shows(100*ms, ms, 0, 0), Budget{ms / 2, 3600 * time.Microsecond, 14400 * time.Microsecond}},
		{"a clock below the overhead of all moves", AlphaBeta(0, Settings{MoveOverhead: 100 * ms}), shows(sec, 0, 0, 0), Budget{5 * ms, 36 * ms, 144 * ms}},
		{"a few milliseconds", AlphaBeta(0, overhead), shows(30*ms, 0, 0, 0), Budget{ms / 2, ms, 3200 * time.Microsecond}},
		{"more moves than expected", AlphaBeta(0, overhead), shows(time.Minute, 0, 0, 90), Budget{1323333333, 2399600 * time.Microsecond, 9598400 * time.Microsecond}},
		{"half as slow", AlphaBeta(0, Settings{MoveOverhead: 10 * ms, SlowMover: 50}), shows(time.Minute, 0, 0, 0), Budget{1328222222, 1199800 * time.Microsecond, 4799200 * time.Microsecond}},
		{"ten times as slow", AlphaBeta(0, Settings{MoveOverhead: 10 * ms, SlowMover: 1000}), shows(time.Minute, 0, 0, 0), Budget{26564444440, 23996 * ms, 29995 * ms}},
		{"uneven", AlphaBeta(0, Settings{MoveOverhead: 10 * ms, Uneven: true}), shows(time.Minute, 600*ms, 0, 0), Budget{2483 * ms, 9598400 * time.Microsecond, 19196800 * time.Microsecond}},
		{"uneven, half as slow", AlphaBeta(0, Settings{MoveOverhead: 10 * ms, Uneven: true, SlowMover: 50}), shows(time.Minute, 600*ms, 0, 0), Budget{1241500 * time.Microsecond, 4799200 * time.Microsecond, 9598400 * time.Microsecond}},
		{"uneven, sudden death", AlphaBeta(0, Settings{MoveOverhead: 10 * ms, Uneven: true}), shows(time.Minute, 0, 0, 0), Budget{2656444444, 2399600 * time.Microsecond, 9598400 * time.Microsecond}},
		{"uneven, 40 moves", AlphaBeta(0, Settings{MoveOverhead: 10 * ms, Uneven: true}), shows(time.Minute, 600*ms, 0, 40), Budget{2004285714, 2399600 * time.Microsecond, 9598400 * time.Microsecond}},
		{"a slow mover by byoyomi", AlphaBeta(0, Settings{SlowMover: 1000}), shows(0, 0, 10*sec, 0), Budget{40 * sec, 10 * sec, 10 * sec}},
		{"no time", AlphaBeta(0, overhead), shows(0, 0, 0, 0), Budget{ms / 2, ms, ms}},
		{"flag fallen", AlphaBeta(0, overhead), shows(-sec, 0, 0, 0), Budget{ms / 2, ms, ms}},
		{"time and byoyomi", AlphaBeta(0, overhead), shows(time.Minute, 0, 10*sec, 0), Budget{10648444444, 12389600 * time.Microsecond, 19588400 * time.Microsecond}},
		{"byoyomi below the overhead", AlphaBeta(0, overhead), shows(time.Minute, 0, 5*ms, 0), Budget{2656444444, 2399600 * time.Microsecond, 9598400 * time.Microsecond}},
		{"no byoyomi, whatever the worst overhead", AlphaBeta(0, byoyomi), shows(sec, 0, 0, 1), Budget{323333333, 462 * ms, 742500 * time.Microsecond}},
		{"byoyomi alone", AlphaBeta(0, overhead), shows(0, 0, 10*sec, 0), Budget{39960 * ms, 9990 * ms, 9990 * ms}},
		{"byoyomi less the worst overhead", AlphaBeta(0, byoyomi), shows(0, 0, 5*sec, 0), Budget{19960 * ms, 3800 * ms, 3800 * ms}},
		{"half of a short byoyomi", AlphaBeta(0, byoyomi), shows(0, 0, sec, 0), Budget{3960 * ms, 500 * ms, 500 * ms}},
		{"least byoyomi", AlphaBeta(0, byoyomi), shows(0, 0, ms, 0), Budget{ms / 2, ms, ms}},
		{"solver, 21 moves left", Solver(0, 21, overhead), shows(time.Minute, 0, 0, 0), Budget{9366875 * time.Microsecond, 9366875 * time.Microsecond, 9366875 * time.Microsecond}},
		{"solver, 41 moves left", Solver(0, 41, overhead), shows(time.Minute, 0, 0, 0), Budget{4679687500, 4679687500, 4679687500}},
		{"solver, unknown length", Solver(0, UnknownLength, overhead), shows(time.Minute, 0, 0, 0), Budget{2075694444, 2075694444, 2075694444}},
		{"solver, 100 moves left", Solver(0, 100, overhead), shows(time.Minute, 0, 0, 0), Budget{1867375 * time.Microsecond, 1867375 * time.Microsecond, 1867375 * time.Microsecond}},
		{"solver, 9 moves to go", Solver(0, UnknownLength, overhead), shows(time.Minute, 0, 0, 9), Budget{5444545454, 5444545454, 5444545454}},
		{"solver, last move", Solver(0, 1, overhead), shows(time.Minute, 0, 0, 0), Budget{29995 * ms, 29995 * ms, 29995 * ms}},
		{"solver, last move of a period", Solver(0, 1, overhead), shows(time.Minute, 0, 0, 1), Budget{44992500 * time.Microsecond, 44992500 * time.Microsecond, 44992500 * time.Microsecond}},
		{"solver, byoyomi", Solver(0, 21, overhead), shows(time.Minute, 0, 10*sec, 0), Budget{17358875 * time.Microsecond, 19356875 * time.Microsecond, 19356875 * time.Microsecond}},
		{"solver, no moves left", Solver(0, 0, overhead), shows(time.Minute, 0, 0, 0), Budget{29995 * ms, 29995 * ms, 29995 * ms}},
	} {
		got, ok := c.params.Budget(&search.Limits{}, c.clock)
		if got != c.want || !ok {
			t.Errorf("%s: %v, %v, want %v", c.name, got, ok, c.want)
		}
	}
	if b, ok := AlphaBeta(0, overhead).Budget(&search.Limits{}, search.Clock{}); ok {
		t.Errorf("without a clock: %v", b)
	}
}

// TestMoveTime: a fixed time comes before the clock, and loses at most a part of itself.
func TestMoveTime(t *testing.T) {
	overhead := Settings{MoveOverhead: 10 * ms}
	reserving := Solver(0, 1, overhead)
	reserving.Reserve = 100 * ms
	for _, c := range []struct {
		name       string
		params     Params
		time, want time.Duration
	}{
		{"alpha-beta", AlphaBeta(0, overhead), sec, 990 * ms},
		{"alpha-beta, short", AlphaBeta(0, overhead), 100 * ms, 95 * ms},
		{"alpha-beta, shortest", AlphaBeta(0, overhead), 1, ms / 2},
		{"solver", Solver(0, 21, overhead), sec, 990 * ms},
		{"solver, short", Solver(0, 21, overhead), 100 * ms, 95 * ms},
		{"solver with a reserve", reserving, 10 * sec, 9890 * ms},
		{"mates", Checkmate(0, overhead), sec, 970 * ms},
		{"mates, short", Checkmate(0, overhead), 40 * ms, 20 * ms},
	} {
		limits := search.Limits{MoveTime: c.time}
		if got, ok := c.params.Budget(&limits, shows(sec, 0, 0, 0)); got != (Budget{c.want, c.want, c.want}) || !ok {
			t.Errorf("%s: %v of %v, want %v", c.name, got, c.time, c.want)
		}
	}
}

// TestReserve: the reserve is taken from a budget by the clock as well.
func TestReserve(t *testing.T) {
	p := Solver(0, 1, Settings{})
	p.Reserve = 200 * ms
	for left, want := range map[time.Duration]Budget{10 * sec: {4800 * ms, 4800 * ms, 4800 * ms},
		100 * ms: {ms / 2, ms, ms}} {
		if got, _ := p.Budget(&search.Limits{}, shows(left, 0, 0, 0)); got != want {
			t.Errorf("%v left: %v, want %v", left, got, want)
		}
	}
	ab := AlphaBeta(0, Settings{})
	ab.Reserve = 200 * ms
	if got, _ := ab.Budget(&search.Limits{}, shows(10*sec, 0, 0, 0)); got != (Budget{244444444, 200 * ms, 1400 * ms}) {
		t.Errorf("alpha-beta: %v", got)
	}
}

// TestBudgetIsThere: no budget is more than the clock has, none is 0.
func TestBudgetIsThere(t *testing.T) {
	for _, p := range []Params{AlphaBeta(0, Settings{MoveOverhead: 10 * ms}),
		Solver(0, 21, Settings{MoveOverhead: 10 * ms})} {
		for _, left := range []time.Duration{-sec, 0, ms, 10 * ms, 100 * ms, sec, time.Minute, time.Hour} {
			for _, inc := range []time.Duration{0, 10 * ms, sec, time.Minute} {
				for _, byoyomi := range []time.Duration{0, ms, sec} {
					for _, moves := range []int{0, 1, 2, 40, 400} {
						b, _ := p.Budget(&search.Limits{}, shows(left, inc, byoyomi, moves))
						if b.Optimum <= 0 || b.Maximum <= 0 {
							t.Errorf("%v+%v+%vb, %d moves: %v", left, inc, byoyomi, moves, b)
						}
						if most := max(ms, max(left-10*ms, 0)+max(byoyomi-10*ms, 0)); b.Maximum > most {
							t.Errorf("%v+%v+%vb, %d moves: %v is more than %v", left, inc, byoyomi, moves, b, most)
						}
					}
				}
			}
		}
	}
}

func TestClearTimeout(t *testing.T) {
	clock := search.Clock{Given: true, Time: [2]time.Duration{time.Minute, -sec}}
	for _, c := range []struct {
		limits search.Limits
		side   int
		want   time.Duration
	}{
		{search.Limits{Nodes: 5}, 0, 0},
		{search.Limits{Infinite: true}, 0, 0},
		{search.Limits{MoveTime: sec}, 0, 50 * ms},
		{search.Limits{MoveTime: 10 * ms}, 0, ms},
		{search.Limits{Clock: clock}, 0, 1200 * ms},
		{search.Limits{Clock: clock}, 1, ms},
	} {
		if got := ClearTimeout(&c.limits, c.side); got != c.want {
			t.Errorf("%+v: %v, want %v", c.limits, got, c.want)
		}
	}
}

func TestContext(t *testing.T) {
	start := time.Now()
	p := Solver(0, 1, Settings{})
	for _, c := range []struct {
		name   string
		limits search.Limits
		want   time.Duration // 0: none
	}{
		{"fixed time", search.Limits{Start: start, MoveTime: time.Hour}, time.Hour},
		{"clock", search.Limits{Start: start, Clock: shows(time.Hour, 0, 0, 0)}, time.Hour / 2},
		{"infinite", search.Limits{Start: start, Infinite: true, MoveTime: time.Hour}, 0},
		{"pondering", search.Limits{Start: start, Ponder: true, MoveTime: time.Hour}, 0},
		{"nodes", search.Limits{Start: start, Nodes: 1}, 0},
	} {
		ctx, cancel := p.Context(context.Background(), c.limits)
		deadline, ok := ctx.Deadline()
		if ok != (c.want > 0) || ok && !deadline.Equal(start.Add(c.want)) {
			t.Errorf("%s: ends %v, %v, want %v", c.name, deadline.Sub(start), ok, c.want)
		}
		cancel()
		<-ctx.Done()
	}
}

// TestHalfContext: half of the budget, unless the search has no time limit.
func TestHalfContext(t *testing.T) {
	p := Solver(0, 1, Settings{})
	for _, c := range []struct {
		name   string
		limits search.Limits
		want   time.Duration // 0: none
	}{
		{"fixed time", search.Limits{MoveTime: time.Hour}, time.Hour / 2},
		{"clock", search.Limits{Clock: shows(time.Hour, 0, 0, 0)}, time.Hour / 4},
		{"infinite", search.Limits{Infinite: true, MoveTime: time.Hour}, 0},
		{"pondering", search.Limits{Ponder: true, MoveTime: time.Hour}, 0},
		{"nodes", search.Limits{Nodes: 1}, 0},
	} {
		before := time.Now()
		ctx, cancel := p.HalfContext(context.Background(), c.limits)
		after := time.Now()
		deadline, ok := ctx.Deadline()
		if ok != (c.want > 0) || ok && (deadline.Before(before.Add(c.want)) || deadline.After(after.Add(c.want))) {
			t.Errorf("%s: ends %v, %v, want %v", c.name, deadline.Sub(before), ok, c.want)
		}
		cancel()
	}
}

// TestContextPonderHit: the time runs from the ponderhit.
func TestContextPonderHit(t *testing.T) {
	hit := make(chan search.Clock, 1)
	limits := search.Limits{Start: time.Now(), Ponder: true, PonderHit: hit, Clock: shows(ms, 0, 0, 0)}
	ctx, cancel := Solver(0, 1, Settings{}).Context(context.Background(), limits)
	defer cancel()
	if ctx.Err() != nil {
		t.Fatal("ended before the ponderhit")
	}
	hit <- search.Clock{}
	<-ctx.Done()
}
