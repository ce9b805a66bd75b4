package table

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"trefoil/cluster"
	"trefoil/engine/memory"
	"trefoil/internal/mem"
	"trefoil/window"
)

// TestLookAndResize: a table is not closed, nor its memory taken by the next one, while somebody looks at it; and there
// is nothing to look at while it is replaced.
func TestLookAndResize(t *testing.T) {
	moves, proofs, both := NewClusterOwner(new(Notices)), NewWindowOwner(new(Notices)), NewPairOwner(new(Notices))
	size := func(mib uint64) memory.Size { return memory.Whole(mib << 20) }
	lookAndResize(t, moves.Owner, func(mib uint64) error {
		return moves.Resize(t.Context(), Spec{Size: size(mib), KeyBits: cluster.MaxKeyBits, Pages: mem.SmallPages},
			func(*cluster.Table) {})
	}, func(c *cluster.Table) { c.Probe(0x6c1f_93a4_d07e_285a) })
	lookAndResize(t, proofs.Owner, func(mib uint64) error { return proofs.Resize(size(mib), mem.SmallPages) },
		func(w *window.Table) { w.Handle().Probe(7) })
	lookAndResize(t, both.Owner, func(mib uint64) error {
		return both.Resize(size(mib), mem.SmallPages, func(*cluster.Table) {})
	}, func(p *Pair) { p.Proofs.Handle().Probe(7) })
}

// lookAndResize resizes a table while probe, which needs its memory, looks at it.
func lookAndResize[T Table](t *testing.T, o *Owner[T], resize func(mib uint64) error, probe func(T)) {
	t.Helper()
	if o.Look(func(T) { t.Error("a table before the first") }) {
		t.Error("there is a table before the first")
	}
	if err := resize(1); err != nil {
		t.Fatal(err)
	}
	o.AwaitTouched(context.Background())
	first, done := o.Table(), make(chan error)
	if !o.Look(func(table T) {
		go func() { done <- resize(2) }()
		for range 20 { // a table that is closed has no memory
			time.Sleep(time.Millisecond)
			probe(table)
		}
	}) {
		t.Error("no table")
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !o.Look(func(table T) {
		if table == first {
			t.Error("the old table")
		}
		probe(table)
	}) {
		t.Error("no new table")
	}
	if err := o.Close(); err != nil || o.Look(func(T) {}) {
		t.Errorf("there is a table after the last, %v", err)
	}
}

// slow is a table that takes entries over until it is released.
type slow struct{ *fake }

func (s slow) Rehash(ctx context.Context) error { return s.Clear(ctx) }

// TestHowLongSearchesWait: as long as clearing takes if there is no limit, but at most fillTimeout for entries that
// are taken over.
func TestHowLongSearchesWait(t *testing.T) {
	for _, c := range []struct {
		clearing      bool
		timeout, want time.Duration
	}{
		{true, 0, 10 * time.Second}, {true, 2 * time.Second, 2 * time.Second}, {true, time.Minute, 10 * time.Second},
		{false, 0, fillTimeout}, {false, time.Minute, fillTimeout}, {false, fillTimeout / 2, fillTimeout / 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log []string
			o := NewOwner(new(Notices), func(slow) string { return "" })
			table := slow{newFake("a", &log)}
			o.Succeed(table)
			if c.clearing {
				o.Clear()
			}
			if o.beingCleared() != c.clearing {
				t.Errorf("%+v: it is being cleared", c)
			}
			time.AfterFunc(10*time.Second, func() { close(table.release) })
			start := time.Now()
			o.AwaitReady(t.Context(), c.timeout)
			if waited := time.Since(start); waited != c.want {
				t.Errorf("%+v: %v", c, waited)
			}
			if time.Sleep(time.Minute); o.beingCleared() {
				t.Errorf("%+v: it is still being cleared", c)
			}
			if err := o.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWindowKinds: another size or kind of pages makes another table, with the entries of the old one.
func TestWindowKinds(t *testing.T) {
	w := NewWindowOwner(new(Notices))
	for i, c := range []struct {
		mib   uint64
		pages mem.Pages
		made  bool
	}{
		{2, mem.SmallPages, true}, {2, mem.SmallPages, false},
		{2, mem.TransparentPages, true}, {3, mem.TransparentPages, true},
	} {
		old := w.Table()
		if err := w.Resize(memory.Whole(c.mib<<20), c.pages); err != nil {
			t.Fatal(err)
		}
		w.AwaitTouched(t.Context())
		if _, kept := w.Table().Handle().Probe(someKey); (w.Table() != old) != c.made || kept != (i > 0) ||
			w.Size() != memory.Whole(c.mib<<20) {
			t.Errorf("%+v: made %v, kept %v, size %v", c, w.Table() != old, kept, w.Size())
		}
		w.Table().Handle().Store(someKey, window.Entry{Phi: 2, Delta: 7, Work: 1500})
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestPairSums: memory and fullness of a pair are the sums for both tables, by their sizes.
func TestPairSums(t *testing.T) {
	p, _ := newPair(t)
	if err := p.Resize(memory.Whole(4<<20), mem.SmallPages, func(*cluster.Table) {}); err != nil {
		t.Fatal(err)
	}
	p.AwaitTouched(t.Context())
	both := p.Table()
	if got, want := both.Ordinary(), both.Proofs.Ordinary()+both.Moves.Ordinary(); got != want || got < 4<<20 {
		t.Errorf("%d bytes, want %d", got, want)
	}
	for i := range uint64(100_000) {
		both.Moves.Store(i*0x9e3779b97f4a7c15, someEntry)
	}
	if full := both.Moves.Full(); full < 400 || both.Full() != full/4 {
		t.Errorf("%d permille of a quarter are %d", full, both.Full())
	}
}
