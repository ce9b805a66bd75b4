package ttanalysis

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"trefoil/cluster"
)

// Rates of a trace whose hits are known: 100 positions of each of two depths are stored in turn, and the
// positions of depth 4 are probed 200 stores later.
func TestReuse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	const n = 100
	writeTrace(t, path, plainHeader, func(w *TraceWriter) {
		w.NewSearch()
		for i := range uint64(2 * n) {
			w.Probe(mix(i), 0, 0, 1, false, false, false)
			w.Store(mix(i), cluster.Entry{Quality: cluster.Quality{Depth: uint8(i % 2 * 4), Bound: cluster.Lower}})
		}
		for i := range uint64(2 * n) {
			if i%2 == 1 {
				w.Probe(mix(i), 4, 0, 1, false, false, false)
			}
			w.Store(mix(i+1000), cluster.Entry{Quality: cluster.Quality{Bound: cluster.Lower}})
		}
	})
	list, err := ReadReuse(context.Background(), opened(t, path), nil)
	if err != nil {
		t.Fatal(err)
	}
	// Each is hit after 199 stores, was 128 or more stores old in 71 of them, and then is idle to the end.
	stores := 0
	for i := 1; i < 2*n; i += 2 {
		stores += 71 + max(0, 2*n-i-128)
	}
	want := map[string]float64{"3 to 5": 1e6 * n / float64(stores), "not hit yet": -1, "1 node": -1}
	for _, r := range list {
		rate := r.Rates()[1]
		exact, ok := want[r.Class]
		switch {
		case r.Class == "3 to 5" && math.Abs(rate/exact-1) > 1e-9:
			t.Errorf("%s: %g, want %g", r.Class, rate, exact)
		case ok && exact < 0 && rate <= 0:
			t.Errorf("%s: %g", r.Class, rate)
		case !ok && rate >= 0:
			t.Errorf("%s: %g, want no hits", r.Class, rate)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadReuse(ctx, opened(t, path), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestReuseAtTheFirstAge: entries that are always hit when they reach an age have no rate at that age, because no
// store came later.
func TestReuseAtTheFirstAge(t *testing.T) {
	c := newReuseCounter()
	for range 60 {
		c.count(StoreRecord(1, cluster.Entry{}))
		for range 64 {
			c.count(StoreRecord(2, cluster.Entry{}))
		}
		c.count(ProbeRecord(1, 0, 0, 1, false, true, false))
		c.count(Record{Word: uint64(KindClear)})
	}
	for i := range c.list {
		if rate := c.list[i].Rates()[0]; rate != -1 {
			t.Errorf("%s: %g", c.list[i].Class, rate)
		}
	}
}
