package ttanalysis

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"trefoil/cluster"
	"trefoil/internal/newtable"
)

// The lost entries are the misses of positions that were stored since the table was last cleared, counted with
// nothing but a table and a set of keys. With 8 check bits many stores overwrite or keep another position.
func TestLosses(t *testing.T) {
	recorded := filepath.Join(t.TempDir(), "t.trace")
	actual := tableOf(t, real{cluster.Mul32}, 1<<20)
	synthesise(t, recorded, actual, 15, 40_000)
	head, records, err := readAll(recorded)
	if err != nil {
		t.Fatal(err)
	}
	for _, bits := range []int{21, 8} {
		head.KeyBits = bits
		path := filepath.Join(t.TempDir(), "t.trace")
		writeAll(t, path, head, records)
		table := newtable.Cluster(t, 1, cluster.Mul32, cluster.KeyBits(bits))
		want, stored := uint64(0), map[uint64]bool{}
		for _, r := range records {
			switch r.Kind() {
			case KindClear:
				realTable{table}.Clear()
				clear(stored)
			case KindSearch:
				table.NewSearch()
			case KindProbe:
				_, hit := realTable{table}.Probe(r)
				want += bit(!hit && stored[r.Key])
			case KindStore:
				table.Store(r.Key, r.Entry())
				stored[r.Key] = true
			}
		}
		losses := lossesOf(t, path, 5)
		var sum LossCount
		for _, c := range losses.ByCause {
			sum.Probes, sum.ThisSearch, sum.Sufficient = sum.Probes+c.Probes, sum.ThisSearch+c.ThisSearch,
				sum.Sufficient+c.Sufficient
		}
		if sum.Probes != want || want < 1000 || losses.Probes != 600_000 || (losses.Mismatches == 0) != (bits == 21) {
			t.Errorf("%d bits: %+v, want %d lost", bits, losses, want)
		}
		if sum.ThisSearch == 0 || sum.ThisSearch == want || sum.Sufficient == 0 || sum.Sufficient == want ||
			(losses.ByCause[BySameCheckBits].Probes > 0) != (bits == 8) {
			t.Errorf("%d bits: %+v", bits, losses.ByCause)
		}
		if !slices.IsSortedFunc(losses.Deepest, func(a, b LostProbe) int { return b.Depth - a.Depth }) ||
			len(losses.Deepest) != 5 {
			t.Errorf("%d bits: %+v", bits, losses.Deepest)
		}
	}
}

// lossReplay begins a replay, which the end of the test closes.
func lossReplay(t *testing.T, path string) *LossReplay {
	t.Helper()
	l, err := NewLossReplay(opened(t, path), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func lossesOf(t *testing.T, path string, most int) *Losses {
	t.Helper()
	losses, err := lossReplay(t, path).Losses(context.Background(), most, nil)
	if err != nil {
		t.Fatal(err)
	}
	return losses
}

// Five positions of one cluster: a is evicted by a store of less depth, d by a deeper one of another search,
// and e by one of equal depth.
func TestLossesOfOneCluster(t *testing.T) {
	const a, b, c, d, e = 1 << 43, 2 << 43, 3 << 43, 4 << 43, 5 << 43
	store := func(key uint64, depth uint8) Record {
		return StoreRecord(key, cluster.Entry{Move: 1, Quality: cluster.Quality{Depth: depth, Bound: cluster.Lower}})
	}
	probe := func(key uint64, depth int, hit bool) Record { return ProbeRecord(key, depth, 0, 1, false, hit, false) }
	path := filepath.Join(t.TempDir(), "t.trace")
	writeAll(t, path, TraceHeader{Game: "none", MiB: 1, Index: cluster.Mul32, KeyBits: 21}, []Record{
		{0, uint64(KindSearch)}, store(a, 5), store(b, 60), store(c, 60), probe(b, 1, true), // 1 to 5
		store(d, 3), probe(a, 4, false), store(d, 4), {1, uint64(KindSearch)}, // 6 to 9
		store(e, 10), probe(d, 9, false), probe(a, 5, false), store(a, 10), probe(e, 11, false), // 10 to 14
		{0, uint64(KindClear)}, probe(e, 1, false),
	})
	losses := lossesOf(t, path, 1)
	want := [LossCauses]LossCount{ByShallower: {2, 2, 2}, ByEqual: {1, 1, 0}, ByDeeper: {1, 0, 0}}
	if losses.ByCause != want || losses.Mismatches != 0 || losses.Misses != 5 {
		t.Errorf("%+v", losses)
	}
	p := losses.Deepest[0]
	if p.Record != 12 || p.Key != a || p.Depth != 5 ||
		p.Loss != (Use{Record: 6, Kind: UseEvicted, Depth: 3, Entry: 0, ThisSearch: true,
			Entries: [3]EntryState{{true, 5, 0}, {true, 60, -1}, {true, 60, 0}}}) || p.Loss.Entries[1].Value() != 60+cluster.TablePolicy().Age {
		t.Errorf("%+v", p)
	}
	var kinds []UseKind
	var others []uint64
	err := lossReplay(t, path).History(context.Background(), d, nil, func(u PositionUse) {
		kinds, others = append(kinds, u.Kind), append(others, u.Other)
	})
	if err != nil || !slices.Equal(kinds, []UseKind{UseEvicted, UseUpdated, UseLost, UseMiss, UseCleared}) ||
		!slices.Equal(others, []uint64{a, d, e, d, d}) {
		t.Errorf("%v, %x, %v", kinds, others, err)
	}
}

// A trace of another program is replayed in the default table of this one.
func TestLossesOfOtherTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.trace")
	writeAll(t, path, TraceHeader{Game: "none", MiB: 3}, nil)
	for mib, want := range map[uint64]string{0: "3 MiB, index mul32, 21 key bits",
		2: "2 MiB, index mul32, 21 key bits"} {
		l, err := NewLossReplay(opened(t, path), mib)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Table.Table(); got != want {
			t.Errorf("%d MiB: %s, want %s", mib, got, want)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
