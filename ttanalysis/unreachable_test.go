package ttanalysis

import (
	"flag"
	"path/filepath"
	"testing"
)

var gameTrace = flag.String("game-trace", "", "the trace of a game, for TestUnreachable")

// lastSearches returns the last search of a trace that probes or stores each position.
func lastSearches(records []Record) map[uint64]int {
	last, search := map[uint64]int{}, 0
	for _, r := range records {
		switch r.Kind() {
		case KindSearch:
			search++
		case KindProbe, KindStore:
			last[r.Key] = search
		}
	}
	return last
}

// A reachableTable empties, at the start of a search, the entries that neither it nor a later one
// uses. These include all that the game can no longer reach.
type reachableTable struct {
	*clusterTable
	last    map[uint64]int
	search  int
	emptied int
}

func (t *reachableTable) NewSearch() {
	t.clusterTable.NewSearch()
	t.search++
	for i, r := range t.entries {
		if r.Word != 0 && t.last[r.Key] < t.search {
			t.entries[i] = Record{}
			t.emptied++
		}
	}
}

// What it would be worth to replace first the entries that no later search of a game uses;
// docs/results/trials.md has the figures of two games. The bound of all policies is one here too.
func TestUnreachable(t *testing.T) {
	path, sizes := *gameTrace, "0.125,0.5,2"
	if path == "" {
		path, sizes = filepath.Join(t.TempDir(), "t.trace"), "0.02,0.1,1"
		recordForPresets(t, path, false)
	}
	_, records, err := readAll(path)
	if err != nil {
		t.Fatal(err)
	}
	c := compared(t, "trefoil,by-search", sizes)
	if err := c.Bound(t.Context(), opened(t, path), nil); err != nil {
		t.Fatal(err)
	}
	last := lastSearches(records)
	for size, mib := range c.MiB {
		bound := c.Bounds[0].Runs[size]
		for _, d := range c.Designs {
			var counts [2]ReplayCounts
			var emptied int
			for i := range counts {
				made := tableOf(t, d, uint64(mib*(1<<20)))
				if i == 1 {
					r := &reachableTable{clusterTable: made.(*clusterTable), last: last}
					counts[i].replay(r, records, nil)
					emptied = r.emptied
					continue
				}
				counts[i].replay(made, records, nil)
			}
			before, after := counts[0], counts[1]
			if after.Hits > bound.Hits || after.Cutoffs > bound.Cutoffs || emptied == 0 {
				t.Errorf("%s, %g MiB: %+v, the bound is %+v; %d entries emptied", d, mib, after, bound, emptied)
			}
			t.Logf("%g MiB, %s: %d hits, %d cutoffs; without such entries %d (%+.2f %%), %d (%+.2f %%); %d of %d stores; bound %d, %d",
				mib, d, before.Hits, before.Cutoffs, after.Hits, percentMore(after.Hits, before.Hits), after.Cutoffs,
				percentMore(after.Cutoffs, before.Cutoffs), emptied, after.Stores, bound.Hits, bound.Cutoffs)
		}
	}
}

func percentMore(a, b uint64) float64 { return 100*float64(a)/float64(b) - 100 }
