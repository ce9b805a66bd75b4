package window

import (
	"context"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"trefoil/internal/mem"
)

// tiny returns a table of that many slots.
func tiny(t testing.TB, slots uint64) *Table {
	t.Helper()
	region, err := mem.Map(slots*(BytesPerEntry+1) + 2*wordBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = region.Unmap() })
	table := layOut(region)
	if table.slots != slots {
		t.Fatalf("%d slots, want %d", table.slots, slots)
	}
	return table
}

// keyFor returns a key whose window begins at a slot, and whose lower half is low.
func keyFor(t *Table, start uint64, low uint32) uint64 {
	hi, _ := bits.Div64(start, t.starts-1, t.starts) // the smallest key × starts that reaches it
	return hi>>32<<32 + 1<<32 | uint64(low)
}

func TestSizesAreExact(t *testing.T) {
	for _, mib := range []uint64{1, 2, 3, 7, 33, 100} {
		table, err := New(mib)
		if err != nil {
			t.Fatal(err)
		}
		used := table.Slots()*(BytesPerEntry+1) + 2*wordBytes
		if table.MiB() != mib || used > mib<<20 || used+BytesPerEntry < mib<<20 {
			t.Errorf("%d MiB: %d slots take %d bytes of %d", mib, table.Slots(), used, mib<<20)
		}
		// The last slots can be used, and nothing beyond.
		h := table.Handle()
		key := ^uint64(0)
		for i := range uint64(64) {
			key -= 1 << 8
			h.Store(key, Entry{Phi: 1, Delta: 2, Work: i + 1})
		}
		if _, ok := h.Probe(key); !ok {
			t.Errorf("%d MiB: the last window lost its newest entry", mib)
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSlots(t *testing.T) {
	for size, want := range map[uint64]uint64{0: 0, 7: 0, 8: 0, 40: 0, 41: 1, 8 + 33*1000: 1000} {
		if got := Slots(size); got != want {
			t.Errorf("%d bytes have %d slots, want %d", size, got, want)
		}
	}
}

// TestKeysAtTheEnds: every key has an index byte that differs from the index byte of an empty slot, and the
// windows begin with the first slot and end with the last one.
func TestKeysAtTheEnds(t *testing.T) {
	table := tiny(t, 1000)
	h := table.Handle()
	for low := range uint64(1 << 16) {
		if b := indexByte(low); b < 1 || b > 255 {
			t.Fatalf("index byte of %#x is %d", low, b)
		}
	}
	if first, last := indexByte(0), indexByte(0xffff); first != 1 || last != 255 {
		t.Errorf("index bytes are %d to %d, want 1 to 255", first, last)
	}
	for key, want := range map[uint64]uint64{0: 0, ^uint64(0): 1000 - SlotsPerWindow} {
		if got := table.start(key); got != want {
			t.Errorf("the window of key %#x begins at slot %d, want %d", key, got, want)
		}
		e := Entry{Phi: 3, Delta: 4, Work: 5}
		h.Store(key, e)
		if got, ok := h.Probe(key); !ok || got != e {
			t.Errorf("key %#x: %+v, %v", key, got, ok)
		}
	}
}

// TestMayHold: it counts as a lookup where no probe is needed, and only there.
func TestMayHold(t *testing.T) {
	h := tiny(t, 1000).Handle()
	const stored, absent = 1, 0xffff
	h.Store(stored, Entry{Phi: 1, Delta: 1})
	if !h.MayHold(stored) || h.Lookups != 0 {
		t.Errorf("a key that is stored: %d lookups", h.Lookups)
	}
	if h.MayHold(absent) || h.Lookups != 1 {
		t.Errorf("a key that is not: %d lookups", h.Lookups)
	}
}

// TestCountersAdd: the sum has all fields.
func TestCountersAdd(t *testing.T) {
	sum := Counters{1, 2, 3, 4, 5, 6, 7}
	sum.Add(Counters{10, 20, 30, 40, 50, 60, 70})
	if want := (Counters{11, 22, 33, 44, 55, 66, 77}); sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
}

// TestGenerations: they repeat after 255 searches, not before.
func TestGenerations(t *testing.T) {
	table := tiny(t, 500)
	h := table.Handle()
	const stored = 100
	for i := range uint64(stored) {
		h.Store((i+1)*0x9e3779b97f4a7c15, Entry{Phi: 1, Delta: 1})
	}
	for search := range 600 {
		want := 0
		if search%255 == 0 {
			want = stored * 1000 / 500
		}
		if got := table.Full(); got != want {
			t.Fatalf("%d searches later: full %d, want %d", search, got, want)
		}
		table.NewSearch()
	}
	for i := range uint64(50_000) {
		h.Store((i+1)*0x9e3779b97f4a7c15, Entry{Phi: 1, Delta: 1})
	}
	if got := table.Full(); got != 1000 {
		t.Errorf("stored a hundred times its size, a table is %d permille full", got)
	}
}

func TestEntryKeepsAllFields(t *testing.T) {
	table := tiny(t, 1000)
	h := table.Handle()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Uint64().Draw(t, "key")
		e := Entry{
			Phi: rapid.Uint32Range(0, 1<<30).Draw(t, "phi"), Delta: rapid.Uint32Range(1, 1<<30).Draw(t, "delta"),
			Work: rapid.Uint64Range(0, MaxWork).Draw(t, "work"), Move: rapid.Uint16().Draw(t, "move"),
			Plies: rapid.Uint16().Draw(t, "plies"),
		}
		if rapid.Bool().Draw(t, "swap") {
			e.Phi, e.Delta = e.Delta, e.Phi
		}
		_ = table.Clear(context.Background())
		h.Store(key, e)
		if got, ok := h.Probe(key); !ok || got != e {
			t.Fatalf("key %#x: got %+v %v, want %+v", key, got, ok, e)
		}
		if !h.MayHold(key) {
			t.Fatalf("key %#x: stored, but MayHold is false", key)
		}
	})
	_ = table.Clear(context.Background()) // the last key may have been 1
	h.Store(1, Entry{Phi: 1, Delta: 1, Work: MaxWork + 5})
	if got, _ := h.Probe(1); got.Work != MaxWork {
		t.Errorf("work %d, want it saturated", got.Work)
	}
}

// TestReplacement: four keys of one window stay; a fifth replaces the entry of least work, even if
// its own is less.
func TestReplacement(t *testing.T) {
	table := tiny(t, 1000)
	h := table.Handle()
	var keys []uint64
	for i := range uint32(5) {
		keys = append(keys, keyFor(table, 500, i+1))
	}
	present := func(when string, want ...bool) {
		t.Helper()
		for i, w := range want {
			if _, ok := h.Probe(keys[i]); ok != w {
				t.Errorf("%s: key %d present %v, want %v", when, i, ok, w)
			}
		}
	}
	for i, k := range keys[:4] {
		h.Store(k, Entry{Phi: 1, Delta: uint32(i + 1), Work: uint64(10 * (4 - i))}) // 40 30 20 10
	}
	present("a window that is full", true, true, true, true, false)
	h.Store(keys[4], Entry{Phi: 9, Delta: 9, Work: 5})
	present("a fifth key", true, true, true, false, true)
	h.Store(keys[4], Entry{Phi: 9, Delta: 9, Work: 35})
	present("the same key again", true, true, true, false, true)

	// The entry of the same key is overwritten whatever its work, but solved stays solved.
	h.Store(keys[0], Entry{Phi: 0, Delta: 1 << 30, Work: 1})
	h.Store(keys[0], Entry{Phi: 3, Delta: 3, Work: 100})
	if e, ok := h.Probe(keys[0]); !ok || e.Phi != 0 || e.Work != 1 {
		t.Errorf("a solved entry became %+v %v", e, ok)
	}
	// Entries of an earlier generation are replaced first, however much work they have.
	table.NewSearch()
	for i := range uint32(4) {
		h.Store(keyFor(table, 500, 100+i), Entry{Phi: 1, Delta: 1, Work: 1})
	}
	for i := range uint32(4) {
		if _, ok := h.Probe(keyFor(table, 500, 100+i)); !ok {
			t.Errorf("new entry %d was replaced by an old one", i)
		}
	}
	// Work decides to the last unit.
	for i, work := range []uint64{3, 2, 9, 9} {
		h.Store(keyFor(table, 600, uint32(i+1)), Entry{Phi: 1, Delta: 1, Work: work})
	}
	h.Store(keyFor(table, 600, 5), Entry{Phi: 1, Delta: 1, Work: 1})
	if _, ok := h.Probe(keyFor(table, 600, 2)); ok {
		t.Error("an entry of work 3 was replaced instead of one of work 2")
	}
	if h.Evictions != 6 || h.Stores != 16 || h.Lookups == 0 || h.Hits == 0 || h.Stores == 0 || h.Dropped > 0 {
		t.Errorf("counters %+v", h.Counters)
	}
}

// TestModel compares with a map of all that was stored: a hit returns what was stored last for the
// key, and a key whose window never filled is found.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		region, err := mem.Map(40*(BytesPerEntry+1) + 2*wordBytes)
		if err != nil {
			t.Fatal(err)
		}
		defer region.Unmap()
		table := layOut(region)
		h := table.Handle()
		last, load := map[uint64]Entry{}, map[uint64]int{}
		for range rapid.IntRange(1, 300).Draw(t, "ops") {
			key := rapid.Uint64Range(0, 60).Draw(t, "key") * 0x0431_7a2b_99e3_5b21
			switch rapid.IntRange(0, 9).Draw(t, "op") {
			case 0:
				table.NewSearch()
			case 1, 2, 3, 4:
				got, ok := h.Probe(key)
				want, stored := last[key]
				if ok && (!stored || got != want) {
					t.Fatalf("key %#x: got %+v, stored last %+v %v", key, got, want, stored)
				}
				if ok && !h.MayHold(key) {
					t.Fatalf("key %#x: stored, but MayHold is false", key)
				}
			default:
				e := Entry{Phi: rapid.Uint32Range(1, 9).Draw(t, "phi"), Delta: 1,
					Work: rapid.Uint64Range(0, 99).Draw(t, "work")}
				if _, stored := last[key]; !stored {
					for s := table.start(key); s < table.start(key)+SlotsPerWindow; s++ {
						load[s]++
					}
				}
				if dropped := h.Dropped; func() bool { h.Store(key, e); return h.Dropped == dropped }() {
					last[key] = e
				}
			}
		}
		for key, want := range last {
			crowded := false
			for s := table.start(key); s < table.start(key)+SlotsPerWindow; s++ {
				crowded = crowded || load[s] > 1
			}
			if got, ok := h.Probe(key); !crowded && (!ok || got != want) {
				t.Fatalf("key %#x alone in its window: got %+v %v, want %+v", key, got, ok, want)
			}
		}
	})
}

// TestIndexBytesAreIndependentOfSlots: of the entries in a probed window about one in 255 has the
// index byte of another key.
func TestIndexBytesAreIndependentOfSlots(t *testing.T) {
	for _, slots := range []uint64{1 << 12, 1<<12 + 3, 5000} {
		table := tiny(t, slots)
		h := table.Handle()
		x := uint64(1)
		next := func() uint64 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			return x * 0x9e3779b97f4a7c15
		}
		for range slots / 2 {
			h.Store(next(), Entry{Phi: 1, Delta: 1, Work: 1})
		}
		*h = *table.Handle()
		const probes = 100000
		for range probes {
			if _, ok := h.Probe(next()); ok {
				t.Fatal("hit of a key that was never stored")
			}
		}
		// Half full: two entries a window, each read once in 255 probes.
		if h.Reads < probes*2/255/2 || h.Reads > probes*2/255*2 {
			t.Errorf("%d slots: %d entries read in %d misses", slots, h.Reads, probes)
		}
	}
}

func TestEqualFindsTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		four := rapid.Uint32().Draw(t, "four")
		m := rapid.Uint32Range(0, 255).Draw(t, "m")
		got, want := matches(four, m), -1
		for i := 3; i >= 0; i-- {
			if four>>(8*i)&255 == m {
				want = i
				if got>>(8*i+7)&1 == 0 {
					t.Fatalf("%#x: byte %d is %#x and not found", four, i, m)
				}
			}
		}
		if want < 0 && got != 0 || want >= 0 && bits.TrailingZeros32(got)/8 != want {
			t.Fatalf("%#x, %#x: got %#x, first is %d", four, m, got, want)
		}
	})
}

func BenchmarkProbeMiss(b *testing.B) { benchmark(b, false) }
func BenchmarkProbeHit(b *testing.B)  { benchmark(b, true) }

func benchmark(b *testing.B, hit bool) {
	table, err := New(64)
	if err != nil {
		b.Fatal(err)
	}
	defer table.Close()
	h := table.Handle()
	const keys = 1 << 20
	for i := range uint64(keys) {
		h.Store(i*0x9e3779b97f4a7c15, Entry{Phi: 1, Delta: 1, Work: 1})
	}
	i := uint64(0)
	for b.Loop() {
		i++
		k := i % keys
		if !hit {
			k += keys
		}
		h.Probe(k * 0x9e3779b97f4a7c15)
	}
}
