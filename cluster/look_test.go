package cluster

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestReceipt: what a Receipt and Slot tell is what Probe answers, whatever the index and the
// check bits.
func TestReceipt(t *testing.T) {
	for _, index := range []Index{Mul32, Mul64, Pow2} {
		for _, bits := range []int{8, 16, 21} {
			table := small(t, index, bits)
			r := rand.New(rand.NewPCG(uint64(index), uint64(bits)))
			fates, searches, born := map[Fate]int{}, 0, map[uint64]int{}
			for range 200_000 {
				key := zipf(r)
				e := Entry{Move: uint16(r.IntN(3)), Value: int16(r.IntN(100)), Eval: int16(r.IntN(100)),
					Quality: Quality{Depth: uint8(r.IntN(20)), Bound: Bound(1 + r.IntN(3)), PV: r.IntN(8) == 0}}
				before, was := table.Slot(key)
				if _, hit := table.Probe(key); hit != was {
					t.Fatalf("%v %d: Probe finds %v, Slot %v", index, bits, hit, was)
				}
				full := table.Occupied(key) == 3
				receipt := table.Store(key, e)
				fate := receipt.Fate()
				fates[fate]++
				slot, ok := table.Slot(key)
				if !ok || was && slot != before {
					t.Fatalf("%v %d: stored at %d, %v, what was at %d", index, bits, slot, ok, before)
				}
				if want := (fate == Same || fate == Kept); want != was || !was && full != (fate == Evicted) {
					t.Fatalf("%v %d: fate %d, there before %v, full %v", index, bits, fate, was, full)
				}
				got, _ := table.Probe(key)
				if fate != Kept && (got.Depth != e.Depth || got.Value != e.Value) {
					t.Fatalf("%v %d: %+v stands there, stored was %+v", index, bits, got, e)
				}
				if fate == Evicted && table.Age(receipt) != searches-born[slot] {
					t.Fatalf("%v %d: age %d, want %d", index, bits, table.Age(receipt), searches-born[slot])
				}
				if fate != Kept {
					born[slot] = searches
				}
				if r.IntN(20_000) == 0 {
					table.NewSearch()
					searches++
				}
			}
			for _, f := range []Fate{Filled, Same, Kept, Evicted} {
				if fates[f] == 0 {
					t.Errorf("%v %d: no store of fate %d", index, bits, f)
				}
			}
		}
	}
}

// TestCensus: every entry is counted once, by what it is.
func TestCensus(t *testing.T) {
	table := small(t, Mul32, MaxKeyBits)
	r, want := rand.New(rand.NewPCG(7, 9)), Census{Slots: table.Slots()}
	for i := range 2000 {
		e := Entry{Value: 1, Quality: Quality{Depth: uint8(i % 3), Bound: Bound(1 + i%3)}}
		if fate := table.Store(r.Uint64(), e).Fate(); fate != Filled {
			t.Fatalf("store %d: fate %d", i, fate)
		}
		want.Used++
		if i >= 1000 {
			want.Current++
		}
		if e.Bound == Exact {
			want.Exact++
		}
		if e.Depth == 0 {
			want.Quiet++
		}
		if i == 999 {
			table.NewSearch()
		}
	}
	if got, err := table.Census(context.Background()); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := table.Census(ctx); err == nil {
		t.Error("a census goes on without end")
	}
}

// small returns a table of one MiB that compares so many check bits.
func small(t *testing.T, index Index, bits int) *Table {
	t.Helper()
	table, err := New(1, index, KeyBits(bits))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	return table
}

// zipf returns one of many random keys, some of them often.
func zipf(r *rand.Rand) uint64 {
	n := uint64(r.IntN(1 << r.IntN(18)))
	return rand.New(rand.NewPCG(n, 1)).Uint64()
}
