package web

import (
	"context"
	"fmt"
	"testing"
	"time"

	"trefoil/search"
	"trefoil/web/board"
)

// TestLateEndOfTurn: what ends a turn, and comes when that is over, does not end the next turn of the search.
func TestLateEndOfTurn(t *testing.T) {
	over, end := context.WithCancel(t.Context())
	end()
	ended := 0
	w := &worker{running: new(job), queue: []*job{new(job)}, cancel: func(error) { ended++ }}
	for range 100 { // the time of the turn is up too, and either may be seen first
		w.endTurn(over)
	}
	if ended > 0 {
		t.Errorf("%d turns", ended)
	}
}

// TestTurns: a search gives way to others, with or without a limit, and goes on after them.
func TestTurns(t *testing.T) {
	for _, limit := range []string{`"infinite":true`, `"movetime":86400000`, `"nodes":1000000000`,
		`"clock":{"time":[86400000,1],"inc":[0,0]}`} {
		f := newFake(t)
		f.search = func(ctx context.Context, l search.Limits, _ func(search.Info)) search.Result {
			if l.MoveTime != playTime {
				<-ctx.Done()
			}
			return search.Result{Best: "e2e4", Nodes: 7}
		}
		c := serve(t, f)
		c.server.worker.turn = time.Millisecond
		first, second := c.events(1), c.events(2)
		c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse",%s}`, page(1), limit)
		c.ok("/api/search", `{"session":%q,"game":"chess","mode":"play"}`, page(2))
		if b := second.until("best"); b["reason"] != nil {
			t.Error(b)
		}
		c.ok("/api/stop", `{"session":%q}`, page(1))
		if b := first.until("best"); b["id"] != 1.0 || b["reason"] != "stopped" {
			t.Error(b)
		}
	}
}

// TestSpend: a later turn has what the earlier one has left of the limits.
func TestSpend(t *testing.T) {
	clock := func(white, black, byoyomi time.Duration) search.Clock {
		return search.Clock{Given: true, Time: [2]time.Duration{white, black}, Byoyomi: byoyomi}
	}
	for _, test := range []struct{ before, after search.Limits }{
		{search.Limits{Infinite: true}, search.Limits{Infinite: true}},
		{search.Limits{Nodes: 100}, search.Limits{Nodes: 70}},
		{search.Limits{Nodes: 20}, search.Limits{Nodes: 1}},
		{search.Limits{MoveTime: 30}, search.Limits{MoveTime: time.Millisecond}},
		{search.Limits{MoveTime: time.Hour}, search.Limits{MoveTime: time.Hour - 40*time.Second}},
		{search.Limits{Clock: clock(1, time.Hour, 5)}, search.Limits{Clock: clock(1, time.Hour-40*time.Second, 5)}},
		{search.Limits{Clock: clock(1, 30*time.Second, time.Minute)}, search.Limits{Clock: clock(1, 0, 50*time.Second)}},
		{search.Limits{Clock: clock(1, 0, 5)}, search.Limits{Clock: clock(1, 0, 0)}},
	} {
		j := &job{limits: test.before, view: &board.View{Side: 1}}
		j.spend(30, 40*time.Second)
		if got := fmt.Sprintf("%+v", j.limits); got != fmt.Sprintf("%+v", test.after) {
			t.Errorf("%+v: %s, want %+v", test.before, got, test.after)
		}
	}
}
