package ttanalysis

import "testing"

// Probes without a store do not pile up, and a store still finds a probe some thousand probes ago.
func TestProbesWithoutStores(t *testing.T) {
	for _, text := range []string{"victim=probe", "weight=subtree"} {
		d := parsed(t, text)
		table := tableOf(t, d, 1<<20)
		c := newReuseCounter()
		apply := func(r Record) {
			c.count(r)
			if r.Kind() == KindProbe {
				table.Probe(r)
			} else {
				table.Store(r)
			}
		}
		const n = 20_000
		pending := &table.(*clusterTable).pending
		for i := range uint64(n) {
			apply(ProbeRecord(mix(i), 1, 0, 1, false, false, false))
			apply(Record{mix(i + n), uint64(KindStore)})
			if len(*pending) > 10_000 || len(c.open) > 10_000 {
				t.Fatalf("%s: %d and %d open nodes after %d probes", text, len(*pending), len(c.open), i+1)
			}
		}
		before := len(*pending)
		apply(Record{mix(n - 1000), uint64(KindStore)})
		if closed := before - len(*pending); closed != 1000 || len(c.open) != len(*pending) {
			t.Errorf("%s: a store closed %d nodes, want the 1000 since its probe", text, closed)
		}
	}
}
