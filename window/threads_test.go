package window

import (
	"context"
	"flag"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"trefoil/internal/container"
	"trefoil/internal/tabletest"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// whole is an entry whose fields are functions of its key and one number, so that a mix of two
// entries is detected.
func whole(key uint64, n uint32) Entry {
	n |= 1
	return Entry{Phi: n, Delta: n ^ uint32(key)&0xffff0, Work: uint64(n) * 3, Move: uint16(n), Plies: uint16(n >> 3)}
}

func isWhole(key uint64, e Entry) bool { return e == whole(key, e.Phi) }

// TestNoEntryIsTorn: eight writers and eight readers on 1,000 entries; no reader returns a torn
// entry, and none retries more often than documented.
func TestNoEntryIsTorn(t *testing.T) {
	table := tiny(t, 1000)
	operations := 30000
	if *long {
		operations = 1 << 62
	}
	var (
		stop    atomic.Bool
		group   sync.WaitGroup
		total   Counters
		mutex   sync.Mutex
		longest atomic.Int64
	)
	key := func(i uint32) uint64 { return uint64(i%1500+1) * 0x9e3779b97f4a7c15 }
	worker := func(seed uint32, do func(h *Handle, x uint32)) {
		group.Go(func() {
			h, x := table.Handle(), seed
			for i := 0; i < operations && !stop.Load(); i++ {
				x ^= x << 13
				x ^= x >> 17
				x ^= x << 5
				do(h, x)
			}
			mutex.Lock()
			total.Add(h.Counters)
			mutex.Unlock()
		})
	}
	for g := range uint32(8) {
		worker(2*g+1, func(h *Handle, x uint32) { h.Store(key(x), whole(key(x), x>>8&0xfffff)) })
		worker(2*g+2, func(h *Handle, x uint32) {
			before := h.Retries
			if e, ok := h.Probe(key(x)); ok && !isWhole(key(x), e) {
				t.Errorf("key %#x: torn entry %+v", key(x), e)
				stop.Store(true)
			}
			if n := int64(h.Retries - before); n > longest.Load() {
				longest.Store(n)
			}
		})
	}
	if *long {
		time.Sleep(30 * time.Second)
		stop.Store(true)
	}
	group.Wait()
	if total.Hits == 0 || total.Stores == 0 {
		t.Errorf("nothing happened: %+v", total)
	}
	if longest.Load() > readAttempts*SlotsPerWindow {
		t.Errorf("a probe tried %d times", longest.Load())
	}
	t.Logf("%+v, most retries of a probe %d", total, longest.Load())
}

// TestSuspendedWriter: a writer that is suspended while it holds an entry blocks no other goroutine.
func TestSuspendedWriter(t *testing.T) {
	table := tiny(t, 1000)
	h := table.Handle()
	key := uint64(0x1234_5678_9abc_def0)
	h.Store(key, Entry{Phi: 1, Delta: 1, Work: 1})
	if _, ok := table.entry(h.slotFor(key, 1)).tryLock(); !ok {
		t.Fatal("the entry is locked already")
	}
	if _, ok := h.Probe(key); ok || h.Retries != readAttempts {
		t.Errorf("probe of a locked entry: %v after %d retries", ok, h.Retries)
	}
	h.Store(key, Entry{Phi: 2, Delta: 2, Work: 2})
	if h.Dropped != 1 {
		t.Errorf("%d stores dropped, want 1", h.Dropped)
	}
}

// A table that is saved while two workers write loads again, whole, at any moment.
func TestSaveWhileWorkersGoOn(t *testing.T) {
	rounds := 20
	if *long {
		rounds = 100
	}
	table, again := tiny(t, 5000), tiny(t, 5000)
	path := filepath.Join(t.TempDir(), "table")
	var (
		stop  atomic.Bool
		group sync.WaitGroup
	)
	for g := range uint32(2) {
		group.Go(func() {
			h := table.Handle()
			for x := g + 1; !stop.Load(); {
				x ^= x << 13
				x ^= x >> 17
				x ^= x << 5
				k := uint64(x) * 0x9e3779b97f4a7c15
				h.Store(k, whole(k, x>>8&0xfffff))
			}
		})
	}
	for round := range rounds {
		time.Sleep(time.Duration(round%7) * 100 * time.Microsecond)
		if _, err := table.Save(context.Background(), container.Replace(path), label, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := again.Load(context.Background(), container.File(path), label, nil); err != nil {
			t.Fatal(err)
		}
		for slot := range again.slots {
			w := again.entry(slot).wait()
			if w.bounds != 0 && (!isWhole(w.key, w.unpack()) || again.entry(slot).sync&locked != 0) {
				t.Fatalf("round %d, slot %d: %+v", round, slot, w)
			}
		}
	}
	stop.Store(true)
	group.Wait()
	if left := tabletest.Beside(path); left != "" {
		t.Errorf("left behind: %s", left)
	}
}
