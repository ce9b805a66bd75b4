package observe

import (
	"context"
	"sync"
	"testing"

	"trefoil/search"
	"trefoil/search/alphabeta"
)

// TestLive: counters and predictions can be read while a search runs, and are complete after it.
func TestLive(t *testing.T) {
	m, table := new(Monitor), newTable(t)
	if _, ok := m.Live(); ok {
		t.Error("live before a search")
	}
	observers := m.Begin(table, MonitorOptions{Count: true, Audit: AuditCounts, Threads: 2}, func(string) {})
	s := alphabeta.New()
	s.SetTable(table)
	s.SetThreads(2)
	ctx, cancel := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	searching.Go(func() {
		s.Search(ctx, root(t, middle), search.Limits{Infinite: true}, alphabeta.Settings{Observer: observers}, nil)
	})
	for last := uint64(0); last < 100_000; {
		l, ok := m.Live()
		if !ok || l.Counters.Probes < last || l.Counters.Hits > l.Counters.Probes || !l.Audits {
			t.Fatalf("%+v, %v after %d probes", l, ok, last)
		}
		last = l.Counters.Probes
	}
	cancel()
	searching.Wait()
	m.Lines()
	l, _ := m.Live()
	if sum := m.observer.Counters(); l.Counters != sum || len(l.Predictions) != 3 {
		t.Errorf("%+v, %+v", l, sum)
	}
	if m.Begin(table, MonitorOptions{}, func(string) {}); m.observer != nil {
		t.Error("still observed")
	}
	if _, ok := m.Live(); ok {
		t.Error("live without an observer")
	}
	m.Close()
}
