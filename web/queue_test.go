package web

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"trefoil/engine"
	"trefoil/search"
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

// TestSpend: a later turn has what the earlier ones have left of the limits. Time counts from the first turn,
// but the reports have nodes and time of the turn.
func TestSpend(t *testing.T) {
	f := newFake(t)
	games := New(f, engine.Games()).games
	for _, test := range []struct{ before, after search.Limits }{
		{search.Limits{Infinite: true}, search.Limits{Infinite: true}},
		{search.Limits{Nodes: 100}, search.Limits{Nodes: 70}},
		{search.Limits{Nodes: 20}, search.Limits{Nodes: 1}},
		{search.Limits{MoveTime: time.Hour}, search.Limits{MoveTime: time.Hour}},
		{search.Limits{Clock: search.Clock{Given: true, Time: [2]time.Duration{1, time.Hour}}},
			search.Limits{Clock: search.Clock{Given: true, Time: [2]time.Duration{1, time.Hour}}}},
	} {
		r := searchRequest{position: position{Game: "chess"}, Mode: "analyse"}
		j, err := r.job(games)
		if err != nil {
			t.Fatal(err)
		}
		j.limits, j.ctx, j.owner = test.before, t.Context(), new(session)
		j.spend(10, 15*time.Second)
		j.spend(20, 25*time.Second)
		var turn search.Limits
		f.search = func(_ context.Context, l search.Limits, report func(search.Info)) search.Result {
			turn = l
			report(search.Info{Time: 43 * time.Second, HashFull: -1})
			return search.Result{}
		}
		if _, err := j.run(f, func() {}); err != nil {
			t.Fatal(err)
		}
		if used := time.Since(turn.Start); used < 40*time.Second {
			t.Errorf("%+v: the turn begins after %v", test.before, used)
		}
		turn.Start = time.Time{}
		if got := fmt.Sprintf("%+v", turn); got != fmt.Sprintf("%+v", test.after) {
			t.Errorf("%+v: %s, want %+v", test.before, got, test.after)
		}
		if report := string(j.owner.box.take(nil)); !strings.Contains(report, `"ms":3000`) {
			t.Errorf("%+v: the report is %s", test.before, report)
		}
	}
}
