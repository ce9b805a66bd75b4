package window

import (
	"math/rand/v2"
	"testing"
)

// TestGrowing: a growing table keeps its entries from size to size, grows only when it is crowded,
// and is empty after Clear from any size.
func TestGrowing(t *testing.T) {
	table, err := New(16, Growing())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
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
				key, e := r.Uint64(), Entry{Phi: r.Uint32N(9) + 1, Delta: 7, Work: uint64(r.Uint32()), Move: 3, Plies: 5}
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
