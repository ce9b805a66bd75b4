package web

import (
	"context"
	"fmt"
	"testing"
	"time"

	"trefoil/search"
	"trefoil/web/board"
)

// TestQueue: one search at a time; the others wait, and are told their place.
func TestQueue(t *testing.T) {
	f, begun := newEndless(t)
	c := serve(t, f)
	streams := []*reader{c.events(0), c.events(1), c.events(2)}
	search := func(n, place int) {
		t.Helper()
		if got := c.ok("/api/search", `{"session":%q,"game":"chess","mode":"play"}`,
			page(n))["place"]; got != float64(place) {
			t.Errorf("session %d: place %v, want %d", n, got, place)
		}
	}
	search(0, 0)
	<-begun
	search(1, 1)
	search(2, 2)
	search(1, 2) // in place of its earlier one, behind the others
	if b := streams[1].until("best"); b["reason"] != "replaced" || b["id"] != 2.0 || b["move"] != nil {
		t.Error(b)
	}
	for streams[2].until("queue")["place"] != 1.0 { // it was told 2, if it was read in time
	}
	c.ok("/api/stop", `{"session":%q}`, page(1)) // which has not begun
	if b := streams[1].until("best"); b["reason"] != "stopped" || b["id"] != 4.0 || b["move"] != nil {
		t.Error(b)
	}
	c.ok("/api/stop", `{"session":%q}`, page(0))
	if b := streams[0].until("best"); b["reason"] != "stopped" || b["move"] != "e2e4" {
		t.Error(b)
	}
	<-begun
	if q := streams[2].until("queue"); q["place"] != 0.0 {
		t.Error(q)
	}
}

// TestCounted: a search without a limit begins again when the first page wants it to be counted, and when
// none does any more.
func TestCounted(t *testing.T) {
	f, begun := newEndless(t)
	c := serve(t, f)
	stream := c.events(1)
	c.ok("/api/search", `{"session":%q,"game":"chess","mode":"analyse"}`, page(1))
	<-begun
	c.server.worker.count(1)
	<-begun
	c.server.worker.count(-1)
	<-begun
	c.ok("/api/stop", `{"session":%q}`, page(1))
	if b := stream.until("best"); b["reason"] != "stopped" {
		t.Error(b)
	}
}

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
			if l.MoveTime == 0 || l.MoveTime > playTime { // the first search; the second may also give way
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
