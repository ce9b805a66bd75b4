package window

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"trefoil/internal/container"
	"trefoil/internal/tabletest"
)

// keyOf is key i of the tests, spread over the whole range.
func keyOf(i uint64) uint64 { return (i + 1) * 0x9e3779b97f4a7c15 }

// has counts how many of the first keys a table has, and fails if an entry is not as it was stored.
func has(t interface{ Fatalf(string, ...any) }, table *Table, keys uint64) (n uint64) {
	h := table.Handle()
	for i := range keys {
		if e, ok := h.Probe(keyOf(i)); ok {
			if n++; !isWhole(keyOf(i), e) {
				t.Fatalf("key %d: %+v", i, e)
			}
		}
	}
	return n
}

func rehashAll(t testing.TB, table *Table) {
	t.Helper()
	if err := table.Rehash(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestRehash: a larger table keeps all entries, a smaller one keeps the entries of the most work, an empty
// one has nothing to give.
func TestRehash(t *testing.T) {
	const keys = 40_000 // more than pieceSlots
	old := filled(t, 100_000, keys)
	old.NewSearch()
	before := has(t, old, keys)
	larger := tiny(t, 130_001)
	if err := larger.Inherit(old); err != nil {
		t.Fatal(err)
	}
	rehashAll(t, larger)
	if n := has(t, larger, keys); n < before || larger.current.Load() != 2 {
		t.Errorf("%d of %d entries, generation %d", n, before, larger.current.Load())
	}

	smaller := tiny(t, 10_000)
	if err := smaller.Inherit(larger); err != nil {
		t.Fatal(err)
	}
	rehashAll(t, smaller)
	n, work := uint64(0), uint64(0)
	h := smaller.Handle()
	for i := range uint64(keys) {
		if e, ok := h.Probe(keyOf(i)); ok {
			n++
			work += e.Work
		}
	}
	if n < 9_900 || work/n < 2*keys { // the mean work of all is 1.5 × keys, that of the best quarter 2.6 × keys
		t.Errorf("%d entries of mean work %d", n, work/n)
	}

	table, empty := tiny(t, 1000), tiny(t, 500)
	known := empty.Memory().Known
	if err := table.Inherit(empty); err != nil || table.rehashing() {
		t.Errorf("of an empty table: %v, rehashing %v", err, table.rehashing())
	}
	if known && empty.Memory().Known {
		t.Error("an empty table was not closed by its successor")
	}
}

// TestRehashReturnsMemory: the memory of the old table goes back to the system while its entries are moved,
// and no entry is lost. Until then it counts as memory of the new one.
func TestRehashReturnsMemory(t *testing.T) {
	const keys, slots = 200_000, 800_000 // 25 MiB: memory is returned in pieces of 4 MiB
	old := filled(t, slots, keys)
	table := tiny(t, slots)
	if err := table.Inherit(old); err != nil {
		t.Fatal(err)
	}
	before, h := old.Memory(), table.Handle()
	for range slots / 2 / pieceSlots {
		if err := h.rehashPiece(); err != nil {
			t.Fatal(err)
		}
	}
	if regions := table.regions(); len(regions) != 2 || regions[0] != old.region || regions[1] != table.region {
		t.Errorf("%d regions during the rehash, want those of both tables", len(regions))
	}
	if now := old.Memory(); before.Known && now.Resident > before.Resident*2/3 {
		t.Errorf("%d bytes of %d are resident after half of the rehash", now.Resident, before.Resident)
	}
	rehashAll(t, table)
	if n := has(t, table, keys); n != keys {
		t.Errorf("%d entries of %d", n, keys)
	}
	if closed := !old.Memory().Known; before.Known && !closed || len(table.regions()) != 1 {
		t.Errorf("after the rehash the old table is closed: %v; %d regions", closed, len(table.regions()))
	}
}

// TestRehashLocked: an entry that a worker is writing stays as the worker leaves it.
func TestRehashLocked(t *testing.T) {
	table := tiny(t, 1000)
	h, key := table.Handle(), keyOf(0)
	e := table.entry(table.start(key))
	sequence, _ := e.tryLock()
	h.put(whole(key, 7).pack(key, 1))
	if e.key != 0 || e.sync&locked == 0 {
		t.Error("an entry was written while another worker had locked it")
	}
	e.unlock(sequence)
}

// TestRehashInterrupted: tables may be replaced while they take entries over, and be used meanwhile.
func TestRehashInterrupted(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const keys = 300
		slots := rapid.Uint64Range(3*pieceSlots, 5*pieceSlots) // room for all
		table := filled(t, slots.Draw(r, "slots"), keys)
		stored := uint64(keys)
		for range rapid.IntRange(1, 5).Draw(r, "resizes") {
			next := tiny(t, slots.Draw(r, "slots"))
			if err := next.Inherit(table); err != nil {
				r.Fatal(err)
			}
			table = next
			h := table.Handle()
			for range rapid.IntRange(0, 6).Draw(r, "pieces") {
				if err := h.rehashPiece(); err != nil {
					r.Fatal(err)
				}
			}
			h.Store(keyOf(stored), whole(keyOf(stored), 9))
			stored++
		}
		if err := table.Rehash(context.Background()); err != nil {
			r.Fatal(err)
		}
		if n := has(r, table, stored); n != stored {
			r.Fatalf("%d entries of %d", n, stored)
		}
		if err := table.Close(); err != nil {
			r.Fatal(err)
		}
	})
}

// TestRehashKeepsNewer: what a search has stored meanwhile is not overwritten.
func TestRehashKeepsNewer(t *testing.T) {
	table := tiny(t, 3000)
	if err := table.Inherit(filled(t, 1000, 1)); err != nil {
		t.Fatal(err)
	}
	h, newer := table.Handle(), Entry{Phi: 5, Delta: 6, Work: 0}
	h.Store(keyOf(0), newer)
	rehashAll(t, table)
	if e, ok := h.Probe(keyOf(0)); !ok || e != newer {
		t.Errorf("%+v, %v", e, ok)
	}
}

// TestRehashStops: by its context, by Clear and by Close; Save finishes it.
func TestRehashStops(t *testing.T) {
	background, stopped := t.Context(), tabletest.Ended(t)
	begun := func() *Table {
		table := tiny(t, 3*pieceSlots)
		if err := table.Inherit(filled(t, 2*pieceSlots, 100)); err != nil {
			t.Fatal(err)
		}
		if err := table.Handle().rehashPiece(); err != nil {
			t.Fatal(err)
		}
		return table
	}
	table := begun()
	if err := table.Rehash(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if n := has(t, table, 100); n == 0 || n == 100 {
		t.Errorf("%d entries after a piece", n)
	}
	path := filepath.Join(t.TempDir(), "proofs")
	if _, err := table.Save(background, container.Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	if n := has(t, table, 100); n != 100 {
		t.Errorf("%d entries", n)
	}
	table = begun()
	if _, err := table.Load(background, container.File(path), label, nil); err != nil || table.rehashing() ||
		has(t, table, 100) != 100 {
		t.Errorf("loaded: %v, rehashing %v", err, table.rehashing())
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if _, err := tiny(t, 1000).Save(background, container.Replace(empty), label, nil); err != nil {
		t.Fatal(err)
	}
	table = tiny(t, 3*pieceSlots) // nothing has been moved yet
	if err := table.Inherit(filled(t, 2*pieceSlots, 100)); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Load(background, container.File(empty), label, nil); err != nil || table.rehashing() {
		t.Errorf("loaded: %v, rehashing %v", err, table.rehashing())
	}
	rehashAll(t, table)
	if n := has(t, table, 100); n != 0 {
		t.Errorf("%d entries of before are in the table beside those of a file", n)
	}
	table = begun()
	if err := table.Clear(background); err != nil || table.rehashing() || has(t, table, 100) != 0 {
		t.Errorf("cleared: %v, rehashing %v", err, table.rehashing())
	}
	table = begun()
	old := table.rehash.sources[0].table
	known := old.Memory().Known
	if err := table.Close(); err != nil || known && old.Memory().Known {
		t.Errorf("closed: %v, the old table still has %+v", err, old.Memory())
	}
}

// TestRehashBesideSearch: stores and probes beside a rehash see whole entries.
func TestRehashBesideSearch(t *testing.T) {
	const keys = 20_000
	table := tiny(t, 70_000)
	if err := table.Inherit(filled(t, 60_000, keys)); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	stop, cancel := context.WithCancel(context.Background())
	for g := range uint64(2) {
		group.Go(func() {
			h := table.Handle()
			for i := g; stop.Err() == nil; i++ {
				k := keyOf(i % keys)
				if e, ok := h.Probe(k); ok && !isWhole(k, e) {
					t.Errorf("%#x: %+v", k, e)
				}
				h.Store(k, whole(k, uint32(i)))
			}
		})
	}
	rehashAll(t, table)
	cancel()
	group.Wait()
}
