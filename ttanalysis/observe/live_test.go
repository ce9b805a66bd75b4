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

// TestSample: a sample of the clusters gives nearly the shares that all of them give, and changes no node.
func TestSample(t *testing.T) {
	observed := func(opts MonitorOptions) (l Live, nodes uint64) {
		m, table := new(Monitor), newTable(t)
		defer m.Close()
		opts.Threads = 1
		set := alphabeta.Settings{Observer: m.Begin(table, opts, func(line string) { t.Error(line) })}
		set.Unobserved = m.Unobserved()
		s := alphabeta.New()
		s.SetTable(table)
		nodes = s.Search(t.Context(), root(t, middle), search.Limits{Nodes: 300_000}, set, nil).Nodes
		if lines := m.Lines(); opts.Count != (len(lines) > 0) {
			t.Errorf("%+v: %q", opts, lines)
		}
		m.observer.Counters() // all workers publish
		l, _ = m.Live()
		return l, nodes
	}
	all, nodes := observed(MonitorOptions{Count: true})
	some, same := observed(MonitorOptions{Sample: true})
	if all.Scale != 1 || some.Scale < 8 || nodes != same || len(some.Predictions) != 3 {
		t.Fatalf("%d nodes, %+v; sampled: %d nodes, %+v", nodes, all, same, some)
	}
	share := func(l Live) float64 { return float64(l.Counters.Hits) / float64(l.Counters.Probes) }
	ratio := float64(some.Counters.Probes*some.Scale) / float64(all.Counters.Probes)
	if d := share(some) - share(all); d < -0.05 || d > 0.05 || ratio < 0.8 || ratio > 1.25 {
		t.Errorf("hits %.3f of the sample, %.3f of all; probes × %.2f", share(some), share(all), ratio)
	}
	if some.Counters.Stores*some.Scale < all.Counters.Stores/2 || some.Counters.Cutoffs == 0 {
		t.Errorf("%+v", some.Counters)
	}
}
