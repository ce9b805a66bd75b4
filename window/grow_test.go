package window

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"trefoil/internal/tabletest"
)

// TestGrowing: a growing table keeps its entries from size to size, grows only when it is crowded,
// and is empty after Clear from any size.
func TestGrowing(t *testing.T) {
	table := growing(t, 16)
	r := rand.New(rand.NewPCG(1, 2))
	h := table.Handle()
	for round := range uint64(5) {
		stored := map[uint64]Entry{}
		sizes := uint64(0)
		for room := table.Room(); ; room = table.Room() {
			if table.Grow(); room > 0 && table.Room() != room {
				t.Fatalf("room for %d without need, was %d", table.Room(), room)
			}
			for range table.slots/3 - uint64(len(stored)) {
				key, e := r.Uint64(),
					Entry{Phi: r.Uint32N(9) + 1, Delta: 7, Work: uint64(r.Uint32()), Move: 3, Plies: 5}
				stored[key] = e
				h.Store(key, e)
			}
			lost := 0
			for key, want := range stored {
				if got, ok := h.Probe(key); !ok {
					lost++
				} else if got != want {
					t.Fatalf("key %d: %+v, want %+v", key, got, want)
				}
			}
			if lost > len(stored)/20 {
				t.Fatalf("%d of %d lost", lost, len(stored))
			}
			if sizes++; room == 0 || sizes > round {
				break
			}
			table.Grow()
		}
		if err := table.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, b := range table.region.Words() {
			if b != 0 {
				t.Fatalf("round %d: word %d is %#x after Clear", round, i, b)
			}
		}
		if table.Room() != firstSlots || table.Full() != 0 {
			t.Errorf("room for %d, %d permille full", table.Room(), table.Full())
		}
	}
}

// growing returns a table of a size that grows.
func growing(t *testing.T, mib uint64) *Table {
	t.Helper()
	table, err := New(mib, Growing())
	tabletest.CloseAtEnd(t, table, err)
	return table
}

// checkSlots fails unless a table has that many entries, each with its index byte, and nothing else in its memory.
func checkSlots(t *testing.T, table *Table, entries uint64) {
	t.Helper()
	used := uint64(0)
	for slot := range table.whole {
		w, b := table.entry(slot).wait(), *(*byte)(unsafe.Add(table.index, slot))
		if w.bounds == 0 {
			if w != (words{}) || b != 0 {
				t.Fatalf("slot %d of %d: %+v, index byte %d, want nothing", slot, table.slots, w, b)
			}
			continue
		}
		used++
		if start := table.start(w.key); uint32(b) != indexByte(w.key) || slot < start || slot >= start+SlotsPerWindow {
			t.Fatalf("slot %d of %d: index byte %d, window from %d: %+v", slot, table.slots, b, start, w)
		}
	}
	if used != entries {
		t.Fatalf("%d entries in %d slots, want %d", used, table.slots, entries)
	}
}

// TestGrowsAtAQuarter: Grow does nothing below a quarter of the sample, and moves every entry from there on.
func TestGrowsAtAQuarter(t *testing.T) {
	table := growing(t, 1)
	h := table.Handle()
	var keys []uint64
	for i := range uint64(32) { // every fourth slot is in the sample
		if table.Grow(); table.Room() != firstSlots {
			t.Fatalf("%d entries in the sample: room for %d", i, table.Room())
		}
		keys = append(keys, keyFor(table, 16*i, uint32(i)*0x101))
		h.Store(keys[i], whole(keys[i], uint32(i)))
	}
	checkSlots(t, table, 32)
	if table.Grow(); table.Room() != 8*firstSlots {
		t.Fatalf("a quarter of the sample: room for %d, want %d", table.Room(), 8*firstSlots)
	}
	checkSlots(t, table, 32)
	for _, k := range keys {
		if e, ok := h.Probe(k); !ok || !isWhole(k, e) {
			t.Errorf("key %#x: %+v, %v", k, e, ok)
		}
	}
}

// TestGrowingSizes: a table gets eight times as many slots until more than half of all would be in use, then all.
func TestGrowingSizes(t *testing.T) {
	exact := tiny(t, 16*firstSlots)
	exact.growing = true
	exact.use(exact.first())
	for _, c := range []struct {
		table *Table
		rooms []uint64
	}{
		{growing(t, 1), []uint64{512, 4096}},
		{growing(t, 16), []uint64{512, 4096, 32768}},
		{exact, []uint64{512, 4096}},
	} {
		h := c.table.Handle()
		next, stored := uint64(0), uint64(0)
		for _, want := range append(c.rooms, 0) {
			if room := c.table.Room(); room != want {
				t.Fatalf("%d slots: room for %d, want %d", c.table.whole, room, want)
			}
			for ; stored < c.table.slots*2/5; next++ {
				if _, ok := h.Probe(keyOf(next)); ok {
					t.Fatalf("key %d is there", next)
				}
				h.Store(keyOf(next), whole(keyOf(next), uint32(next)))
				stored = h.Stores - h.Evictions
			}
			checkSlots(t, c.table, stored)
			was := c.table.entry(0).wait()
			c.table.Grow()
			if want == 0 && c.table.entry(0).wait() != was {
				t.Errorf("%d slots: Grow changed a table that uses all of them", c.table.whole)
			}
			lost := int64(stored)
			for i := range next {
				if _, ok := h.Probe(keyOf(i)); ok {
					lost--
				}
			}
			if lost != 0 {
				t.Errorf("%d entries lost on the way from room for %d", lost, want)
			}
		}
		if c.table.slots != c.table.whole {
			t.Errorf("%d slots of %d in use", c.table.slots, c.table.whole)
		}
	}
}
