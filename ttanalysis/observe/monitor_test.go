package observe

import (
	"context"
	"slices"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/search"
)

// TestMonitorAudits: an audit is of the present table, in the mode that was asked for last; the false hits that are
// listed are those of the last search.
func TestMonitorAudits(t *testing.T) {
	var m Monitor
	defer m.Close()
	a, b := newTable(t, cluster.KeyBits(10)), newTable(t)
	for _, c := range []struct {
		table *cluster.Table
		mode  AuditMode
		nodes uint64 // 0: no search
		pairs bool
	}{
		{a, AuditOff, 0, false}, {a, AuditCounts, 0, false}, {a, AuditPairs, 30_000, true}, {a, AuditPairs, 0, false},
		{b, AuditPairs, 20_000, false}, {b, AuditOff, 0, false},
		{a, AuditOff, 0, false},
	} {
		observe := m.Begin(c.table, MonitorOptions{Count: c.mode == AuditOff, Audit: c.mode, Threads: 1}, func(string) {})
		if c.nodes > 0 {
			runObserved(t, c.table, observe, 1, c.nodes)
		}
		if m.Audits() != c.mode || m.observer.table != c.table || m.audit != nil && m.audit.table != c.table {
			t.Errorf("%+v: mode %v", c, m.Audits())
		}
		pairs := 0
		for _, line := range m.Lines() {
			if strings.Contains(line, "false hit 1,") {
				pairs++
			}
		}
		if pairs > 0 != c.pairs {
			t.Errorf("%+v: %q", c, m.Lines())
		}
	}
}

// TestValidate: the shares of hits that are compared with predictions are of searches with tables of those sizes.
func TestValidate(t *testing.T) {
	s := someSuite(t).only(0)
	s.Nodes = 150_000
	var all []int
	list, err := s.Validate(t.Context(), func(done, of int) { all = append(all, done, of) })
	if err != nil || len(list) != 2 || !slices.Equal(all, []int{1, 4, 2, 3, 3, 3}) {
		t.Fatalf("%d sizes, searches %v, %v", len(list), all, err)
	}
	for i, v := range list {
		var real []float64
		s.MiB = v.MiB
		err := s.Run(context.Background(),
			func(t *cluster.Table) (*Observer, error) { return NewObserver(t, nil, nil), nil },
			func(_ int, _ search.Result, o *Observer) {
				c := o.Counters()
				real = append(real, float64(c.Hits)/float64(c.Probes))
			})
		if err != nil || v.MiB != []uint64{2, 4}[i] || !slices.Equal(v.Real, real) || len(v.Predicted) != len(real) {
			t.Errorf("%+v, real %v, %v", v, real, err)
		}
	}
	if slices.Equal(list[0].Real, list[1].Real) || slices.Equal(list[0].Predicted, list[1].Predicted) {
		t.Errorf("both tables are the same: %+v, %+v", list[0], list[1])
	}
}
