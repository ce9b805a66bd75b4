// Package tabletest tests what the tables of the packages cluster, remainder and window promise alike: how
// they get their memory, are touched, cleared and closed, and how the tables that are saved go to files and
// to tables of other sizes.
package tabletest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"

	"trefoil/internal/mem"
)

// Table is the face that all tables have.
type Table interface {
	Memory() mem.Usage
	Ordinary() uint64
	Freed() uint64
	Prefault(context.Context) error
	Clear(context.Context) error
	Close() error
	Full() int
}

// A Kind makes and uses tables of one package.
type Kind[T Table] struct {
	New func(mib uint64, o mem.Options) (T, error)
	// Store stores the entry of key i, whose contents follow from i.
	Store func(t T, i uint64)
	// Probe looks for the entry of key i, and says whether it is as it was stored.
	Probe func(t T, i uint64) (found, intact bool)
	// Entries is how many entries a MiB has.
	Entries uint64
}

// make returns a new table, which is closed at the end of the test.
func (k Kind[T]) make(t *testing.T, mib uint64, o mem.Options) T {
	t.Helper()
	table, err := k.New(mib, o)
	CloseAtEnd(t, table, err)
	return table
}

// CloseAtEnd closes a table at the end of the test, which ends at once if the table could not be made.
func CloseAtEnd(t testing.TB, table io.Closer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
}

// filled returns a table with the entries of the keys from first to before end.
func (k Kind[T]) filled(t *testing.T, mib, first, end uint64) T {
	t.Helper()
	table := k.make(t, mib, mem.Options{})
	for i := first; i < end; i++ {
		k.Store(table, i)
	}
	return table
}

// has counts the keys from first to before end that a table has, and fails if an entry is not as it was
// stored.
func (k Kind[T]) has(t *testing.T, table T, first, end uint64) (n uint64) {
	t.Helper()
	for i := first; i < end; i++ {
		found, intact := k.Probe(table, i)
		if found {
			n++
		}
		if found && !intact {
			t.Errorf("the entry of key %d is not as it was stored", i)
		}
	}
	return n
}

// few is a number of entries that a table of a MiB has room for, but for some thousandths of them.
func (k Kind[T]) few() uint64 { return k.Entries / 100 }

// most returns n less the entries that may be lost in a table that has room for all.
func most(n uint64) uint64 { return n - n/100 }

// Run tests the memory of tables, and Prefault, Clear, Full and Close.
func (k Kind[T]) Run(t *testing.T) {
	for name, test := range map[string]func(*testing.T){
		"Refuses": k.refuses, "Bytes": k.bytes, "Pages": k.pages, "Releasing": k.releasing, "Prefault": k.prefault,
		"Clear": k.clear, "Close": k.close, "Full": k.full, "Beside": k.beside,
	} {
		t.Run(name, test)
	}
}

// maxMiB is 32 TiB.
const maxMiB = 1 << 25

// refuses: a size that is out of range, or too large for the machine, is an error with the number.
func (k Kind[T]) refuses(t *testing.T) {
	for mib, word := range map[uint64]string{0: "0 ", maxMiB: "available"} {
		table, err := k.New(mib, mem.Options{})
		if err == nil {
			_ = table.Close()
		}
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%d MiB: %v, want an error with %q", mib, err, word)
		}
	}
}

// bytes: a table can have less than its size, at least Least, and never more; all of it can be used.
func (k Kind[T]) bytes(t *testing.T) {
	const least = mem.Least >> 10
	for kib, want := range map[uint64]uint64{
		1: least, least: least, 300: 300, 2 << 10: 2 << 10, 5 << 10: 3 << 10, 0: 3 << 10,
	} {
		table := k.make(t, 3, mem.Options{Bytes: kib << 10})
		if u := table.Memory(); u.Size != want<<10 || table.Ordinary() > u.Size {
			t.Errorf("%d KiB of 3 MiB: %d bytes, %d of them ordinary, want %d KiB", kib, u.Size, table.Ordinary(), want)
		}
		if want > 1<<10 {
			continue // Full fills a table
		}
		entries := k.Entries * want >> 10
		for i := range 4 * entries {
			k.Store(table, i)
		}
		n := uint64(0)
		for i := range 4 * entries {
			if found, intact := k.Probe(table, i); found && intact { // others are false hits, which a full table has
				n++
			}
		}
		if n < entries*8/10 || n > entries+entries/1000 {
			t.Errorf("%d KiB of 3 MiB: %d entries, want nearly %d", kib, n, entries)
		}
	}
}

// pages: a table has the kind of pages that was asked for, or says why not.
func (k Kind[T]) pages(t *testing.T) {
	plain := k.make(t, 1, mem.Options{Pages: mem.TransparentPages}).Memory()
	u := k.make(t, 1, mem.Options{Pages: mem.Pages1GiB}).Memory()
	if runtime.GOOS == "linux" && u.Known && u.Note == plain.Note {
		t.Errorf("nothing is said of pages of 1 GiB, which are too large: %+v", u)
	}
	table := k.make(t, 4, mem.Options{Pages: mem.SmallPages})
	if err := table.Prefault(t.Context()); err != nil {
		t.Fatal(err)
	}
	if u := table.Memory(); u.Huge() > 0 || u.Known && u.Resident < 4<<20*9/10 || table.Ordinary() != u.Size {
		t.Errorf("small pages: %+v, %d bytes are ordinary", u, table.Ordinary())
	}
}

// releasing: the memory of an old table counts as available, until it is closed.
func (k Kind[T]) releasing(t *testing.T) {
	old := k.make(t, 8, mem.Options{})
	if err := old.Prefault(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := old.Freed(); n < 8<<20*9/10 && old.Memory().Pages2MiB == 0 {
		t.Errorf("a table of 8 MiB frees %d bytes", n)
	}
	_, err := k.New(maxMiB, mem.Options{Releasing: old})
	if err == nil || !strings.Contains(err.Error(), "MiB of the old table") {
		t.Errorf("32 TiB: %v", err)
	}
	k.make(t, 4, mem.Options{Releasing: old})
	if err := old.Close(); err != nil || old.Freed() != 0 {
		t.Errorf("a closed table frees %d bytes: %v", old.Freed(), err)
	}
}

// prefault: entries that are stored before it, and beside it, stay; another call goes on after one that was
// stopped.
func (k Kind[T]) prefault(t *testing.T) {
	const mib = 16
	n := k.few()
	table := k.filled(t, mib, 0, n)
	if err := table.Prefault(Ended(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	var beside sync.WaitGroup
	stored := make([]uint64, 0, n)
	beside.Go(func() {
		for i := n; i < 2*n; i++ {
			if k.Store(table, i); k.has(t, table, i, i+1) > 0 { // else that part is not in use yet
				stored = append(stored, i)
			}
		}
	})
	if err := table.Prefault(t.Context()); err != nil {
		t.Error(err)
	}
	beside.Wait()
	kept := k.has(t, table, 0, n)
	for _, i := range stored {
		kept += k.has(t, table, i, i+1)
	}
	if want := n + uint64(len(stored)); kept < most(want) {
		t.Errorf("%d of %d entries are left", kept, want)
	}
	if u := table.Memory(); u.Known && u.Resident < mib<<20*9/10 {
		t.Errorf("%d bytes are resident", u.Resident)
	}
}

// clear: it empties a table, does nothing if nothing was stored since, and can be stopped and repeated.
func (k Kind[T]) clear(t *testing.T) {
	table, stop := k.make(t, 3, mem.Options{}), Ended(t)
	if err := table.Clear(stop); err != nil {
		t.Errorf("a new table is skipped, even for a context that has ended: %v", err)
	}
	for round := range uint64(2) {
		first := round * k.few()
		for i := first; i < first+k.few(); i++ {
			k.Store(table, i)
		}
		if n := k.has(t, table, first, first+k.few()); n < most(k.few()) {
			t.Errorf("%d entries of %d", n, k.few())
		}
		if err := table.Clear(stop); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		if err := table.Clear(t.Context()); err != nil {
			t.Error(err)
		}
		if n, full := k.has(t, table, 0, first+k.few()), table.Full(); n != 0 || full != 0 {
			t.Errorf("%d entries after Clear, %d permille are full", n, full)
		}
		if err := table.Clear(stop); err != nil {
			t.Errorf("a table that was cleared is skipped, even for a context that has ended: %v", err)
		}
	}
}

// close: a second call does nothing, a Prefault beside it ends, and the memory is gone.
func (k Kind[T]) close(t *testing.T) {
	table := k.filled(t, 64, 0, k.few())
	var beside sync.WaitGroup
	beside.Go(func() { _ = table.Prefault(t.Context()) })
	for range 2 {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
	beside.Wait()
	if u := table.Memory(); u.Resident > 0 {
		t.Errorf("%d bytes are resident after Close", u.Resident)
	}
	if err := table.Prefault(t.Context()); err != nil && !strings.Contains(err.Error(), "unmapped") {
		t.Error(err)
	}
}

// full: from 0 to nearly 1000 permille.
func (k Kind[T]) full(t *testing.T) {
	table, last := k.make(t, 1, mem.Options{}), 0
	for i := range 4 * k.Entries {
		if i%k.Entries == k.Entries/2 {
			if f := table.Full(); f < last || i < k.Entries && (f < 250 || f > 550) {
				t.Errorf("%d permille are full after %d, %d of %d entries were stored", f, last, i, k.Entries)
			} else {
				last = f
			}
		}
		k.Store(table, i)
	}
	if f := table.Full(); f < 950 || f > 1000 {
		t.Errorf("stored four times its size, a table is %d permille full", f)
	}
}

// beside: stores, probes and Full at once. The race detector sees them too.
func (k Kind[T]) beside(t *testing.T) {
	table, n := k.make(t, 1, mem.Options{}), k.few()
	var group sync.WaitGroup
	for g := range uint64(4) {
		group.Go(func() {
			for i := range n {
				k.Store(table, (i+g*n/4)%n)
				k.has(t, table, n-1-i, n-i)
			}
			if f := table.Full(); f < 0 || f > 1000 {
				t.Error(fmt.Sprint(f, " permille are full"))
			}
		})
	}
	group.Wait()
	if found := k.has(t, table, 0, n); found < most(n) {
		t.Errorf("%d of %d entries", found, n)
	}
}
