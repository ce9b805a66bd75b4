package cluster

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"trefoil/internal/mem"
	"trefoil/internal/shm"
)

// cutShort cuts the file of a shared table short.
func cutShort(t *testing.T, name string, bytes int64) {
	t.Helper()
	dir, err := shm.Default()
	if err == nil {
		err = os.Truncate(filepath.Join(string(dir), "trefoil-hash-"+name), bytes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// mustGuard calls f again until it is not ended by a loss.
func mustGuard(table *Table, f func()) {
	for table.Guard(f) {
	}
}

// Each method survives the loss of the memory as its first use, and the table is then one of this process
// alone.
func TestLost(t *testing.T) {
	ctx := context.Background()
	for name, use := range map[string]func(*Table) error{
		"Probe":       func(a *Table) error { mustGuard(a, func() { a.Probe(99) }); return nil },
		"Store":       func(a *Table) error { mustGuard(a, func() { a.Store(99, entryOf(99)) }); return nil },
		"Check":       func(a *Table) error { a.Check(); return nil },
		"Peek":        func(a *Table) error { a.Peek(99); return nil },
		"Full":        func(a *Table) error { a.Full(); return nil },
		"Look":        func(a *Table) error { a.Look(5); return nil },
		"Locate":      func(a *Table) error { a.Locate(99); return nil },
		"Occupied":    func(a *Table) error { a.Occupied(99); return nil },
		"NewSearch":   func(a *Table) error { a.NewSearch(); return nil },
		"Synchronize": func(a *Table) error { a.Synchronize(); return nil },
		"Census":      func(a *Table) error { _, err := a.Census(ctx); return err },
		"Clear":       func(a *Table) error { return a.Clear(ctx) },
		"Prefault":    func(a *Table) error { return a.Prefault(ctx) },
		"Save": func(a *Table) error {
			_, err := a.Save(ctx, Writer(io.Discard, "x"), label, nil)
			return err
		},
	} {
		with := sharing(t)
		a := mustNew(t, 2, Auto, Shared(with))
		other := mustNew(t, 2, Auto, Shared(with))
		var reports atomic.Int32
		a.OnLoss(func() { reports.Add(1) })
		mustGuard(a, func() { a.Store(1, entryOf(1)) })
		cutShort(t, with.Name, 0)
		if err := use(a); err != nil && !errors.Is(err, errLost) {
			t.Errorf("%s: %v", name, err)
		}
		if !a.Lost() || a.Name() != "" || reports.Load() != 1 || a.Usable() != 2<<20 {
			t.Fatalf("%s: lost %v, name %q, %d reports, %d bytes", name, a.Lost(), a.Name(), reports.Load(), a.Usable())
		}
		if n, err := a.Others(); n != 0 || err != nil || other.Lost() {
			t.Errorf("%s: %d others, %v, the other one is lost: %v", name, n, err, other.Lost())
		}
		for i := range uint64(1000) { // it works as any other
			a.Store(stream(1, i), entryOf(i))
		}
		if c, err := a.Census(ctx); err != nil || c.Used < 900 || c.Used > 1001 {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		if err := a.Clear(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c, err := a.Census(ctx); err != nil || c.Used != 0 {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		a.NewSearch()
		other.Full()
		if !other.Lost() {
			t.Errorf("%s: the other one is not lost", name)
		}
		if dir, _ := shm.Default(); len(filesOf(t, string(dir), with.Name)) > 0 { // both have resigned
			t.Errorf("%s: %q are left", name, filesOf(t, string(dir), with.Name))
		}
		if err := errors.Join(a.Close(), other.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// filesOf are the files of a shared table.
func filesOf(t *testing.T, dir, name string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "trefoil-hash-"+name+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A load or a save during which the memory is lost is refused, and says why.
func TestLostDuringLoadAndSave(t *testing.T) {
	var file bytes.Buffer
	from := mustNew(t, 12, Auto)
	for i := range uint64(1000) {
		from.Store(stream(1, i), entryOf(i))
	}
	if _, err := from.Save(context.Background(), Writer(&file, "x"), label, nil); err != nil {
		t.Fatal(err)
	}
	for _, mib := range []uint64{9, 12} {
		with := sharing(t)
		a := mustNew(t, mib, Auto, Shared(with))
		blocks := 0
		progress := func(done, total uint64) {
			if blocks++; blocks == 2 {
				cutShort(t, with.Name, contentsAt)
			}
		}
		_, err := a.Load(context.Background(), Reader(bytes.NewReader(file.Bytes()), "x"), label, progress)
		if !errors.Is(err, errLost) || !strings.HasPrefix(err.Error(), "loading the hash: ") {
			t.Error(err)
		}
		b := mustNew(t, mib, Auto, Shared(sharing(t)))
		blocks = 0
		with.Name = b.Name()
		_, err = b.Save(context.Background(), Writer(io.Discard, "x"), label, progress)
		if !errors.Is(err, errLost) || !strings.HasPrefix(err.Error(), "saving the hash: ") {
			t.Error(err)
		}
	}
}

// contentsAt is where the clusters begin in the file.
const contentsAt = 2 << 20

// A rehash goes on if the memory that it reads is lost, and ends if the memory that it writes is.
func TestLostDuringRehash(t *testing.T) {
	with := sharing(t)
	old := mustNew(t, 16, Auto, Shared(with))
	for i := range uint64(100000) {
		old.Store(stream(1, i), entryOf(i))
	}
	a := mustNew(t, 9, Auto)
	cutShort(t, with.Name, contentsAt+4<<20)
	if err := a.Inherit(old); err != nil {
		t.Fatal(err)
	}
	if err := a.Prefault(context.Background()); err != nil || a.Lost() || a.rehashing() {
		t.Errorf("%v, lost %v, unfinished %v", err, a.Lost(), a.rehashing())
	}
	a.Store(1, entryOf(1))
	if _, ok := a.Probe(1); !ok {
		t.Error("it is not complete")
	}

	with = sharing(t)
	own := mustNew(t, 16, Auto)
	for i := range uint64(100000) {
		own.Store(stream(1, i), entryOf(i))
	}
	b := mustNew(t, 12, Auto, Shared(with))
	if err := b.Inherit(own); err != nil {
		t.Fatal(err)
	}
	cutShort(t, with.Name, contentsAt+5<<20)
	if err := b.Rehash(context.Background()); err != nil || !b.Lost() || b.rehashing() {
		t.Errorf("%v, lost %v, unfinished %v", err, b.Lost(), b.rehashing())
	}
	if err := b.Prefault(context.Background()); !errors.Is(err, errLost) {
		t.Error(err)
	}
	if c, err := b.Census(context.Background()); err != nil || c.Capacity != 12*ClustersPerMiB*EntriesPerCluster {
		t.Errorf("%+v, %v", c, err)
	}
}

// A fault anywhere else is not taken for the loss of a table.
func TestOtherFaults(t *testing.T) {
	a := mustNew(t, 2, Auto, Shared(sharing(t)))
	f, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 20); err != nil {
		t.Fatal(err)
	}
	other, err := mem.MapFile(f, 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Unmap()
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	panics := func(f func()) (panicked any) {
		defer func() { panicked = recover() }()
		a.Guard(f)
		return nil
	}
	if _, ok := mem.Fault(panics(func() { other.Words()[0] = 1 })); !ok {
		t.Error("the fault was lost")
	}
	if p := panics(func() { panic("a mistake") }); p != "a mistake" {
		t.Errorf("%v", p)
	}
	var none *Table
	if p := panics(func() { none.Full() }); p == nil {
		t.Error("a nil pointer was ignored")
	}
	if a.Lost() {
		t.Error("the table is lost")
	}
}

// Where the memory does not fit, the table uses only a part of it.
func TestLostFits(t *testing.T) {
	if got := fitting(64<<20, 1); got != 64<<20 {
		t.Errorf("%d bytes fit", got)
	}
	if got := fitting(64<<20, 1<<24); got >= 64<<20 || got == 0 || got%bytesPerPair != 0 {
		t.Errorf("%d bytes fit", got)
	}
	with := sharing(t)
	a := mustNew(t, 2, Auto, Shared(with))
	a.shared.others = func() int { return 1 << 24 }
	cutShort(t, with.Name, 0)
	a.Full()
	if a.Usable() >= 2<<20 {
		t.Fatalf("%d bytes are used", a.Usable())
	}
	for i := range uint64(100000) {
		a.Store(stream(1, i), entryOf(i))
	}
	if c, err := a.Census(context.Background()); err != nil || c.Used == 0 ||
		c.Used > a.Usable()/BytesPerCluster*EntriesPerCluster {
		t.Errorf("%+v, %v", c, err)
	}
	for i := a.Usable() / 8; i < 2<<20/8; i++ {
		if a.region.Words()[i] != 0 {
			t.Fatalf("word %d was written", i)
		}
	}
}
