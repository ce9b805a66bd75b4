package window

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestLook: what is looked at is what was stored, bit by bit, and its age.
func TestLook(t *testing.T) {
	w, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	h := w.Handle()
	want := Entry{Phi: 5, Delta: 70, Work: 1000, Move: 0x1234, Plies: 9}
	const key = 0xfedcba9876543210
	h.Store(key, want)
	if _, ok := w.Look(w.InUse()); ok {
		t.Error("a slot after the last one")
	}
	e := find(t, w)
	if e.Entry != want || e.Key != key || e.Age != 0 || uint32(e.Index) != indexByte(key) {
		t.Errorf("%+v", e)
	}
	values := map[string]uint64{"key": key, "φ": 5, "δ": 70, "work": 1000, "generation": 1, "move": 0x1234,
		"plies": 9, "sequence": 1, "locked": 0}
	bits := 0
	for _, f := range Fields() {
		got := e.Words[f.From/64] >> (f.From % 64) & (1<<(f.To-f.From+1) - 1)
		if got != values[f.Name] {
			t.Errorf("%s is %d, want %d", f.Name, got, values[f.Name])
		}
		bits += f.To - f.From + 1
	}
	if bits != 256-16 {
		t.Errorf("the fields have %d bits", bits)
	}
	for range 255 + 3 { // the generations repeat
		w.NewSearch()
	}
	if e := find(t, w); e.Age != 3 {
		t.Errorf("age %d after 258 searches, want 3", e.Age)
	}
}

// find returns the only entry of a table.
func find(t *testing.T, w *Table) (found StoredEntry) {
	t.Helper()
	n := 0
	for slot := range w.InUse() {
		if e, ok := w.Look(slot); !ok {
			t.Fatalf("slot %d", slot)
		} else if e.Used {
			found, n = e, n+1
		}
	}
	if n != 1 {
		t.Fatalf("%d entries", n)
	}
	return found
}

// TestLookBesideGrow looks while a table is filled, grows and is cleared.
func TestLookBesideGrow(t *testing.T) {
	w, err := New(4, Growing())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	done := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		for slot := uint64(0); ; slot++ {
			select {
			case <-done:
				return
			default:
				if e, ok := w.Look(slot % w.InUse()); ok && e.Used && e.Phi != uint32(e.Key)|1 {
					t.Errorf("%+v", e)
				}
			}
		}
	})
	h := w.Handle()
	for i := range uint64(20000) {
		key := (i + 1) * 0x9E3779B97F4A7C15
		h.Store(key, Entry{Phi: uint32(key) | 1, Delta: 1})
		if i%100 == 0 {
			w.Grow()
		}
	}
	if err := w.Clear(t.Context()); err != nil {
		t.Error(err)
	}
	close(done)
	looking.Wait()
}

// TestLookWhileWritten: the index byte and the sequence number belong to the entry that is looked at, while
// another goroutine writes one entry after the other into the slot.
func TestLookWhileWritten(t *testing.T) {
	w, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	const slot = 7
	e := w.entry(slot)
	var stop atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		for n := uint64(1); !stop.Load(); n++ {
			key := n * 0x9e37_79b9_7f4a_7c15
			sequence, _ := e.tryLock()
			e.write(Entry{Phi: 1, Delta: 1, Work: uint64(sequence >> 1)}.pack(key, 1))
			w.setIndexByte(slot, indexByte(key))
			e.unlock(sequence)
			for range 100 { // a reader needs time too
				stop.Load()
			}
		}
	})
	for looks := 0; looks < 20_000 && !t.Failed(); {
		got, ok := w.Look(slot)
		if !ok || !got.Used {
			continue
		}
		if looks++; uint32(got.Index) != indexByte(got.Key) || uint32(got.Words[3])>>1 != uint32(got.Work)+1 {
			t.Errorf("key %#x with the index byte %d, sequence %d, written as number %d", got.Key, got.Index,
				uint32(got.Words[3])>>1, got.Work+1)
		}
	}
	stop.Store(true)
	group.Wait()
}
