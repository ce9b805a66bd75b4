package table

import (
	"context"
	"testing"
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
