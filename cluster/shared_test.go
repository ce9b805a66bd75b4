package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"trefoil/internal/filetest"
	"trefoil/internal/mem"
	"trefoil/internal/shm"
)

// sharing returns a Sharing of a name that no other test has.
func sharing(t testing.TB) Sharing {
	t.Helper()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("processes share tables on Linux and macOS only")
	}
	s := Sharing{Name: fmt.Sprintf("test-%016x", rand.Uint64()), Label: label}
	t.Cleanup(func() { _, _ = RemoveShared(s.Name) })
	return s
}

// What one table stores, the other one of that name finds.
func TestShared(t *testing.T) {
	with := sharing(t)
	a := mustNew(t, 2, Auto, Shared(with))
	b := mustNew(t, 1, Auto, Shared(with))
	if a.Name() != with.Name || b.Plan().MiB != 2 {
		t.Errorf("%q, %+v", a.Name(), b.Plan())
	}
	const n = 1000
	for i := range uint64(n) {
		k := stream(1, i)
		if i%2 == 0 {
			a.Store(k, entryOf(k))
		} else {
			b.Store(k, entryOf(k))
		}
	}
	for i := range uint64(n) {
		k := stream(1, i)
		for _, table := range []*Table{a, b} {
			if e, ok := table.Probe(k); !ok || e.Entry != entryOf(k) {
				t.Fatalf("key %d: %+v, %v", i, e, ok)
			}
		}
	}
	list, err := ListShared()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, i := range list {
		if i.Name == with.Name {
			found = i.Sharing == with && i.Users == 2 && i.Memory >= 2<<20 && i.Plan == a.Plan() && i.Err == nil
		}
	}
	if !found {
		t.Errorf("%+v", list)
	}
	for _, others := range []int{1, 0} {
		if n, err := a.Others(); n != others || err != nil {
			t.Errorf("%d others, %v", n, err)
		}
		if err := a.Alone(); (err == nil) != (others == 0) {
			t.Error(err)
		}
		_ = b.Close()
	}
	if err := a.Clear(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, ok := a.Probe(stream(1, 0)); ok {
		t.Error("not cleared")
	}
}

// A table that differs in anything but its size is refused with what differs; one that is used by nobody
// else is made anew.
func TestSharedRefuses(t *testing.T) {
	with := sharing(t)
	a := mustNew(t, 2, Mul32, Shared(with))
	for what, c := range map[string]struct {
		change  func(*Sharing)
		index   Index
		keyBits int
	}{
		"game is chess, expected shogi":        {func(s *Sharing) { s.Game = "shogi" }, Mul32, MaxKeyBits},
		"seed is test 1, expected other":       {func(s *Sharing) { s.Seed = "other" }, Mul32, MaxKeyBits},
		"evaluation is 1, expected 2":          {func(s *Sharing) { s.Evaluation = "2" }, Mul32, MaxKeyBits},
		"index is mul32, expected mul64":       {func(*Sharing) {}, Mul64, MaxKeyBits},
		"count of key bits is 21, expected 12": {func(*Sharing) {}, Mul32, 12},
		"character 2 is not a letter, a digit": {func(s *Sharing) { s.Name = "a/b" }, Mul32, MaxKeyBits},
	} {
		other := with
		c.change(&other)
		if _, err := New(2, c.index, Shared(other), KeyBits(c.keyBits)); err == nil ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
	h := sharedHeader{Label: with.Label, Layout: layout + 1, MiB: 2, Clusters: a.Plan().Clusters,
		Index: Mul32, KeyBits: 21}
	ours := h
	ours.Layout = layout
	if err := h.differs(ours, Auto); err == nil ||
		err.Error() != fmt.Sprintf("layout is %d, expected %d", layout+1, layout) {
		t.Error(err)
	}
	h.Layout, h.Clusters = layout, 7
	if err := h.differs(ours, Auto); err == nil || !strings.Contains(err.Error(), "count of clusters is 7") {
		t.Error(err)
	}
	h.MiB = MaxMiB + 1
	if err := h.differs(ours, Auto); err == nil {
		t.Error("a size out of range")
	}

	b := mustNew(t, 2, Auto, Shared(with))
	if _, err := New(3, Auto, Shared(with), Memory(MemoryOptions{Releasing: b})); err == nil ||
		!strings.Contains(err.Error(), "size is 2 MiB, and 1 other process uses it") {
		t.Error(err)
	}
	_ = b.Close()
	c := mustNew(t, 3, Mul64, Shared(with), KeyBits(12), Memory(MemoryOptions{Releasing: a}))
	_ = a.Close()
	d := mustNew(t, 1, Mul64, Shared(with), KeyBits(12))
	if c.Plan().MiB != 3 || d.Plan().MiB != 3 {
		t.Errorf("%+v, %+v", c.Plan(), d.Plan())
	}
}

// A table that is made inherits what its process has; one that is joined has its own entries.
func TestSharedInherits(t *testing.T) {
	with := sharing(t)
	table := filled(t, 1, Auto, 3, 1000)
	for _, mib := range []uint64{1, 2} {
		next := mustNew(t, mib, Auto, Shared(with), Memory(MemoryOptions{Releasing: table}))
		if err := next.Inherit(table); err != nil {
			t.Fatal(err)
		}
		if err := next.Rehash(context.Background()); err != nil {
			t.Fatal(err)
		}
		k := stream(3, 999)
		if e, ok := next.Probe(k); !ok || e.Entry != entryOf(k) {
			t.Errorf("%d MiB: %+v, %v", mib, e, ok)
		}
		if err := next.Alone(); err != nil {
			t.Error(err)
		}
		table = next
	}
	joins := filled(t, 1, Auto, 4, 10)
	if err := mustNew(t, 1, Auto, Shared(with)).Inherit(joins); err == nil ||
		err.Error() != "the shared table has its own" {
		t.Error(err)
	}
}

// A process that joins its table again, for instance because it now asks for the size that the table has,
// keeps the entries. That is no error.
func TestSharedJoinsAgain(t *testing.T) {
	with := sharing(t)
	mustNew(t, 2, Auto, Shared(with))
	old := mustNew(t, 1, Auto, Shared(with))
	k := stream(6, 1)
	old.Store(k, entryOf(k))
	table := mustNew(t, 2, Auto, Shared(with), Memory(MemoryOptions{Releasing: old}))
	if err := table.Inherit(old); err != nil {
		t.Fatal(err)
	}
	if e, ok := table.Probe(k); !ok || e.Entry != entryOf(k) {
		t.Errorf("%+v, %v", e, ok)
	}
	if n, err := table.Others(); n != 1 || err != nil {
		t.Errorf("%d others, %v", n, err)
	}
	if _, err := RemoveShared(with.Name); err != nil {
		t.Fatal(err)
	}
	mustNew(t, 2, Auto, Shared(with))
	if err := mustNew(t, 2, Auto, Shared(with)).Inherit(table); err == nil ||
		err.Error() != "the shared table has its own" {
		t.Error(err)
	}
}

// A table that joins itself again in the middle of a rehash takes over the rest.
func TestSharedJoinsAgainInRehash(t *testing.T) {
	const seed, keys = 7, 3000
	old := filled(t, 4, Auto, seed, keys)
	entries := entriesOf(old, seed, keys)
	with := sharing(t)
	table := successor(t, old, 6, Shared(with))
	rehashPart(t, table, 1000)
	again := rehashed(t, table, 6, Shared(with), Memory(MemoryOptions{Releasing: table}))
	if n := found(again, entries); n != len(entries) {
		t.Errorf("%d of %d entries", n, len(entries))
	}
	if kept, read, ok := again.Rehashed(); kept != uint64(len(entries)) || read != kept || !ok {
		t.Errorf("kept %d of %d", kept, read)
	}
}

// orphaned closes a shared table and leaves it as processes do that are killed.
func orphaned(t *testing.T, table *Table) {
	t.Helper()
	dir, err := shm.Default()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(string(dir), "trefoil-hash-"+table.Name())
	whole := filetest.Read(t, path)
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A table without processes gets the size that the next one asks for, and keeps its entries and their
// ages. With index pow2, whose entries fit no other size, it keeps its size too.
func TestSharedOrphan(t *testing.T) {
	const seed, keys = 8, 1000
	for _, c := range []struct {
		index     Index
		mib, want uint64
	}{{Mul32, 5, 5}, {Mul64, 1, 1}, {Mul32, 3, 3}, {Pow2, 4, 3}} {
		with := sharing(t)
		old := filled(t, 3, c.index, seed, keys, Shared(with))
		entries, generation := entriesOf(old, seed, keys), old.generation.Load()
		orphaned(t, old)
		table := mustNew(t, c.mib, c.index, Shared(with))
		if err := table.Inherit(filled(t, 2, c.index, 9, 10)); err == nil ||
			err.Error() != "the shared table has its own" {
			t.Errorf("%v: %v", c, err)
		}
		if err := table.Rehash(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := found(table, entries); n != len(entries) || table.Plan().MiB != c.want ||
			table.generation.Load() != generation {
			t.Errorf("%v: %d of %d entries, %d MiB, generation %d, was %d", c, n, len(entries), table.Plan().MiB,
				table.generation.Load(), generation)
		}
		if n, err := table.Others(); n != 0 || err != nil {
			t.Errorf("%v: %d others, %v", c, n, err)
		}
	}
}

// The memory of a shared table does not count as free when the table is replaced, because other processes
// may have it. The memory of a table of this process counts as free, also if a shared table takes its
// entries over.
func TestSharedMemoryIsNotCounted(t *testing.T) {
	shared, other := mustNew(t, 1, Auto, Shared(sharing(t))), filled(t, 1, Auto, 3, 10)
	own := successor(t, shared, 2)
	if got := own.regions(); !slices.Equal(got, []*mem.Region{own.region}) {
		t.Errorf("after a shared table: %d regions", len(got))
	}
	if got := successor(t, other, 2, Shared(sharing(t))).regions(); !slices.Equal(got, []*mem.Region{other.region}) {
		t.Errorf("of a shared table: %d regions", len(got))
	}
}

// Close ends the rehash of a shared table too, and releases the old one.
func TestSharedCloseStopsRehash(t *testing.T) {
	old := filled(t, 1, Auto, 5, 1000)
	table := mustNew(t, 2, Auto, Shared(sharing(t)))
	if err := table.Inherit(old); err != nil {
		t.Fatal(err)
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
	if err := old.region.Clear(context.Background()); err == nil || table.rehashing() {
		t.Errorf("the old table is not closed: %v", err)
	}
}

// The searches of all processes together age an entry as one search of a table that is not shared does.
func TestSharedGenerations(t *testing.T) {
	with := sharing(t)
	k := stream(1, 0)
	var tables []*Table
	for n, each := range []uint64{4, 2, 1, 1, 1} {
		table := mustNew(t, 1, Auto, Shared(with))
		tables = append(tables, table)
		if got, want := table.generation.Load()>>generationShift, table.shared.generations.Load(); got != want {
			t.Errorf("%d processes: the new one begins in generation %d, want %d", n+1, got, want)
		}
		table.Store(k, entryOf(k))
		before := table.generation.Load()
		table.NewSearch()
		if got := (table.generation.Load() - before) >> generationShift; got != each {
			t.Errorf("%d processes: a search adds %d generations, want %d", n+1, got, each)
		}
		for _, other := range tables {
			other.Synchronize()
			if got := age(other.word(k), other.generation.Load()) >> generationShift; got != each {
				t.Errorf("%d processes: the entry is %d generations old, want %d", n+1, got, each)
			}
		}
	}
	tables[0].shared.generations.Store(^uint64(0)) // anything may stand there
	for range 3 {
		for _, table := range tables {
			table.NewSearch()
			table.Store(k, entryOf(k))
			if e, ok := table.Probe(k); !ok || e.Entry != entryOf(k) {
				t.Errorf("%+v, %v", e, ok)
			}
		}
	}
}

// The evictions of one process begin generations for all.
func TestSharedEvictions(t *testing.T) {
	with := sharing(t)
	a, b := mustNew(t, 1, Auto, Shared(with)), mustNew(t, 1, Auto, Shared(with))
	evictionsBeginGenerations(t, a)
	if b.Synchronize(); b.generation.Load() != a.generation.Load() {
		t.Errorf("generation %d, and %d of another process", a.generation.Load(), b.generation.Load())
	}
}

// word returns the word of the entry of a key, 0 if there is none.
func (t *Table) word(key uint64) uint64 {
	entry, ok := t.Locate(key)
	if !ok {
		return 0
	}
	return t.region.Words()[entry/EntriesPerCluster*4+entry%EntriesPerCluster]
}

// A shared table is saved and loaded as any other. After loading, all processes have the generation of the
// file.
func TestSharedSaves(t *testing.T) {
	with := sharing(t)
	path := filepath.Join(t.TempDir(), "table")
	saved := filled(t, 1, Auto, 3, 1000)
	if _, err := saved.Save(context.Background(), Replace(path), label, nil); err != nil {
		t.Fatal(err)
	}
	a, b := mustNew(t, 1, Auto, Shared(with)), mustNew(t, 1, Auto, Shared(with))
	for range 40 {
		a.NewSearch()
	}
	if _, err := a.Load(context.Background(), File(path), label, nil); err != nil {
		t.Fatal(err)
	}
	if c, err := a.Census(context.Background()); err != nil || c.Current == 0 || c.Current == c.Used {
		t.Errorf("%+v, %v: want some entries of this search and some older ones", c, err)
	}
	b.NewSearch()
	k := stream(3, 999)
	for _, table := range []*Table{a, b} {
		if e, ok := table.Probe(k); !ok || e.Entry != entryOf(k) {
			t.Errorf("%+v, %v", e, ok)
		}
	}
	if h, err := b.Save(context.Background(), Replace(path), label, nil); err != nil || h.Entries != 1000 {
		t.Errorf("%+v, %v", h, err)
	}
}

// over returns a second table over the memory of a table, which need not be mapped: the race detector
// observes only the Go heap.
func over(table *Table) *Table {
	other := tableOf(table.region, table.plan, table.keyBits)
	other.factor = table.factor
	return other
}

// TestTwoTablesOverOneMemory: goroutines of two tables never read another key's entry.
func TestTwoTablesOverOneMemory(t *testing.T) {
	a := shrunk(t, 64, Mul32)
	b := over(a)
	var generations atomic.Uint64
	for _, table := range []*Table{a, b} {
		table.shared = &shared{generations: &generations, others: func() int { return 1 }}
	}
	t.Cleanup(func() { a.shared = nil })
	keys := meetingKeys(a, 400)
	var group sync.WaitGroup
	for _, table := range []*Table{a, b} {
		group.Go(func() {
			got := contend(table, keys, func(key uint64, e Entry) { table.Store(key, e); table.Synchronize() },
				200*time.Millisecond)
			if got.falseHits > 0 || got.hits == 0 {
				t.Errorf("%d hits, %d false hits", got.hits, got.falseHits)
			}
		})
	}
	group.Wait()
}

// Any contents of a shared table are read without a panic.
func TestSharedHoldsAnything(t *testing.T) {
	a := mustNew(t, 1, Auto, Shared(sharing(t)))
	words := a.region.Words()
	for i := range words {
		words[i] = stream(7, uint64(i))
	}
	for i := range uint64(100_000) {
		k := stream(8, i)
		if e, ok := a.Probe(k); ok && e.Bound > Exact {
			t.Fatalf("%+v", e)
		}
		a.Refresh(k)
		if r := a.Store(k, entryOf(k)); r.Outcome() == Evicted && r.Depth() > MaxDepth {
			t.Fatalf("depth %d", r.Depth())
		}
	}
	if f := a.Full(); f < 0 || f > 1000 {
		t.Errorf("%d permille", f)
	}
	if _, err := a.Census(context.Background()); err != nil {
		t.Error(err)
	}
}
