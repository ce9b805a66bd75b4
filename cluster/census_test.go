package cluster

import (
	"math/rand/v2"
	"testing"

	"trefoil/internal/tabletest"
)

// TestStoreResult: StoreResult and Locate agree with Probe, for every index and several numbers
// of check bits.
func TestStoreResult(t *testing.T) {
	for _, index := range []Index{Mul32, Mul64, Pow2} {
		for _, bits := range []int{8, 16, 21} {
			table := mustNew(t, 1, index, KeyBits(bits))
			r := rand.New(rand.NewPCG(uint64(index), uint64(bits)))
			outcomes, searches, born := map[Outcome]int{}, 0, map[uint64]int{}
			for range 200_000 {
				key := zipf(r)
				e := Entry{Move: uint16(r.IntN(3)), Value: int16(r.IntN(100)), Eval: int16(r.IntN(100)),
					Quality: Quality{Depth: uint8(r.IntN(20)), Bound: Bound(1 + r.IntN(3)), PV: r.IntN(8) == 0}}
				before, was := table.Locate(key)
				if _, hit := table.Probe(key); hit != was || !was && before != 0 {
					t.Fatalf("%v %d: Probe finds %v, Locate %v, %d", index, bits, hit, was, before)
				}
				full := table.Occupied(key) == 3
				result := table.Store(key, e)
				outcome := result.Outcome()
				outcomes[outcome]++
				at, ok := table.Locate(key)
				if !ok || was && at != before {
					t.Fatalf("%v %d: stored at %d, %v, what was at %d", index, bits, at, ok, before)
				}
				if want := (outcome == Updated || outcome == Kept); want != was ||
					!was && full != (outcome == Evicted) {
					t.Fatalf("%v %d: outcome %d, there before %v, full %v", index, bits, outcome, was, full)
				}
				got, _ := table.Probe(key)
				if outcome != Kept && (got.Depth != e.Depth || got.Value != e.Value) {
					t.Fatalf("%v %d: %+v stands there, stored was %+v", index, bits, got, e)
				}
				if current := searches == born[at]; outcome == Evicted && table.OfThisSearch(result) != current {
					t.Fatalf("%v %d: evicted of this search %v, want %v", index, bits, !current, current)
				}
				if outcome != Kept {
					born[at] = searches
				}
				if r.IntN(20_000) == 0 {
					table.NewSearch()
					searches++
				}
			}
			for _, f := range []Outcome{Filled, Updated, Kept, Evicted} {
				if outcomes[f] == 0 {
					t.Errorf("%v %d: no store of outcome %d", index, bits, f)
				}
			}
		}
	}
}

// TestCensus: every entry is counted once in each column that applies.
func TestCensus(t *testing.T) {
	table := mustNew(t, 1, Mul32)
	r, want := rand.New(rand.NewPCG(7, 9)), Census{Capacity: 3 * ClustersPerMiB}
	for i := range 2000 {
		e := Entry{Value: 1, Quality: Quality{Depth: uint8(i % 3), Bound: Bound(1 + i%3)}}
		if outcome := table.Store(r.Uint64(), e).Outcome(); outcome != Filled {
			t.Fatalf("store %d: outcome %d", i, outcome)
		}
		want.Used++
		if i >= 1000 {
			want.Current++
		}
		if e.Bound == Exact {
			want.Exact++
		}
		if e.Depth == 0 {
			want.Quiescence++
		}
		if i == 999 {
			table.NewSearch()
		}
	}
	if got, err := table.Census(t.Context()); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := table.Census(tabletest.Ended(t)); err == nil {
		t.Error("a census does not end with its context")
	}
}

// zipf returns random keys, some of them often.
func zipf(r *rand.Rand) uint64 {
	n := uint64(r.IntN(1 << r.IntN(18)))
	return rand.New(rand.NewPCG(n, 1)).Uint64()
}
