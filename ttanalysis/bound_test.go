package ttanalysis

import (
	"context"
	"errors"
	"math/bits"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"trefoil/cluster"
	"trefoil/internal/mem"
)

// No policy exceeds the bounds, and more memory raises them.
func TestBound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	recordForPresets(t, path, false)
	c := compared(t, "trefoil,by-search,age=0,replace=always,ties=unused,keep=0,keep=255,refresh=0",
		"0.02,0.05,0.2,1")
	trace := opened(t, path)
	if err := errors.Join(c.Replay(context.Background(), trace, 1<<30, nil),
		c.Bound(context.Background(), trace, nil)); err != nil {
		t.Fatal(err)
	}
	for j, mib := range c.MiB {
		bypass, all := c.Bounds[0].Runs[j], c.Bounds[1].Runs[j]
		if all.Hits > bypass.Hits || all.Cutoffs > bypass.Cutoffs {
			t.Errorf("%g MiB: without bypass %+v, with it %+v", mib, all, bypass)
		}
		if j > 0 && bypass.Hits < c.Bounds[0].Runs[j-1].Hits {
			t.Errorf("%g MiB: %+v", mib, bypass)
		}
		for i, d := range c.Designs {
			got := c.Runs[i][j]
			if got.Probes != bypass.Probes || got.Stores != bypass.Stores || got.Hits > all.Hits ||
				got.Cutoffs > all.Cutoffs {
				t.Errorf("%g MiB: %s has %+v, the bound is %+v", mib, d, got.ReplayCounts, all)
			}
			if r := c.RelativeToBound(i, j); !(r > 0 && r <= 1) {
				t.Errorf("%g MiB: %s has %g of the bound", mib, d, r)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Bound(ctx, trace, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The bound is what the best of all ways to use one cluster of three entries gives.
func TestBoundIsOptimal(t *testing.T) {
	d := DefaultDesign()
	const keys = 5
	key := func(k int) uint64 { return uint64(k+1) << 50 }
	path := filepath.Join(t.TempDir(), "t.trace")
	type step struct{ key, depth, kind int }
	check := func(t rapid.TB, steps []step) {
		writeTrace(t, path, plainHeader, func(w *TraceWriter) {
			for _, s := range steps {
				switch Kind(s.kind) {
				case 0:
					w.Probe(key(s.key), s.depth, 0, 1, false, false, false)
				case 1:
					w.Store(key(s.key), cluster.Entry{Move: 1, Value: 5,
						Quality: cluster.Quality{Depth: uint8(s.depth), Bound: cluster.Lower}})
				default:
					if s.key == 0 {
						w.Clear()
					} else {
						w.NewSearch()
					}
				}
			}
		})
		trace, err := OpenTrace(path)
		if err != nil {
			t.Fatal(err)
		}
		defer trace.Close()
		events, err := readFuture(context.Background(), trace, nil)
		if err != nil {
			t.Fatal(err)
		}
		// best returns the most uses: of a table as the set of its keys, the most so far.
		best := func(bypass, cutoffs bool) (most uint64) {
			table := map[uint8]uint64{0: 0}
			deepest := [keys]int{-1, -1, -1, -1, -1}
			for _, s := range steps {
				next := map[uint8]uint64{}
				k, kind := uint8(1)<<s.key, s.kind
				if kind == 2 {
					if s.key > 0 {
						continue
					}
					for set, n := range table {
						next[0] = max(next[0], n)
						delete(table, set)
					}
					table, deepest = next, [keys]int{-1, -1, -1, -1, -1}
					continue
				}
				stored := deepest[s.key] >= 0
				use := kind == 0 && (!cutoffs || deepest[s.key] >= s.depth)
				if kind == 1 {
					deepest[s.key] = max(deepest[s.key], s.depth)
				}
				for set, n := range table {
					if use && set&k != 0 {
						n++
					}
					for to := uint8(0); to < 1<<keys; to++ {
						enters := kind == 1 || stored
						switch {
						case bits.OnesCount8(to) > 3, to&^set&^k != 0, to&^set&k != 0 && !enters, kind == 1 &&
							!bypass && to&k == 0:
							continue
						}
						next[to] = max(next[to], n)
					}
				}
				table = next
			}
			for _, n := range table {
				most = max(most, n)
			}
			return most
		}
		for _, bypass := range []bool{false, true} {
			for _, cutoffs := range []bool{false, true} {
				if got, want := minimum(events, d, 64, bypass, cutoffs), best(bypass, cutoffs); got != want {
					t.Fatalf("bypass %v, cutoffs %v: %d uses, want %d", bypass, cutoffs, got, want)
				}
			}
		}
	}
	// Position 0 may enter again with a probe that is too deep for a cutoff.
	check(t, []step{{3, 0, 1}, {0, 0, 1}, {2, 0, 1}, {1, 0, 1}, {2, 0, 0}, {0, 1, 0}, {0, 0, 0}, {3, 0, 0}})
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
			return step{rapid.IntRange(0, keys-1).Draw(t, "key"), rapid.IntRange(0, 2).Draw(t, "depth"),
				rapid.SampledFrom([]int{0, 0, 0, 1, 1, 1, 2}).Draw(t, "kind")}
		}), 1, 40).Draw(t, "steps"))
	})
}

// The bound of cutoffs includes cutoffs by the least value that a record can have.
func TestBoundOfLeastValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	writeTrace(t, path, TraceHeader{Game: "none", MiB: 1}, func(w *TraceWriter) {
		for i, value := range []int16{-32768, -32767, 32767} {
			w.Store(uint64(i), cluster.Entry{Value: value, Quality: cluster.Quality{Depth: 1, Bound: cluster.Upper}})
			w.Probe(uint64(i), 1, int(value), 32767, false, false, false)   // a cutoff
			w.Probe(uint64(i), 1, int(value)-1, 32767, false, false, false) // none, unless that is below the range
		}
	})
	c := compared(t, "trefoil", "1")
	trace := opened(t, path)
	if err := errors.Join(c.Replay(context.Background(), trace, 1<<30, nil),
		c.Bound(context.Background(), trace, nil)); err != nil {
		t.Fatal(err)
	}
	if table, bound := c.Runs[0][0].Cutoffs, c.Bounds[0].Runs[0].Cutoffs; table != 4 || bound != 4 {
		t.Errorf("%d cutoffs of the table, %d of the bound, want 4", table, bound)
	}
}

// The bound of a table that does not exist, or does not fit into memory, is refused.
func TestBoundRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	record(t, path, 10)
	sizes := map[string]string{"1000000": "more than its index reaches"}
	if available, _ := mem.Available(); available < 48<<30 {
		sizes["1,131072"] = "available"
	}
	for size, says := range sizes {
		c := compared(t, "index=mul64+entries=1+bytes=1024", size)
		err := c.Bound(context.Background(), opened(t, path), nil)
		if err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), "the bound of tables of 1") {
			t.Errorf("%s MiB: %v, want %q", size, err, says)
		}
	}
}

// A table that ignores key bits of the index has other clusters, so the bound is none of its.
func TestBoundOfOtherIndexBits(t *testing.T) {
	c := compared(t, "trefoil,keep=0,indexbits=20", "1")
	for _, runs := range c.Runs {
		runs[0].ReplayCounts = ReplayCounts{Probes: 2, Hits: 1}
	}
	c.Bounds = []Bound{{Name: boundBypass, Runs: []ReplayCounts{{Probes: 2, Hits: 1}}}}
	for i, bounded := range []bool{true, true, false} {
		if share := c.RelativeToBound(i, 0); (share == 1) != bounded {
			t.Errorf("%s has %g of the bound", c.Designs[i], share)
		}
	}
}
