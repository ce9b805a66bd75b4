package table

import (
	"context"
	"testing"

	"trefoil/cluster"
	"trefoil/engine/memory"
	"trefoil/internal/mem"
	"trefoil/internal/newtable"
	"trefoil/window"
)

func newPair(t *testing.T) (*PairOwner, *Notices) {
	notices := new(Notices)
	p := NewPairOwner(notices)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, notices
}

// bytes is the memory of both tables.
func (t *Pair) bytes() uint64 {
	return t.Proofs.Memory().Size + t.Moves.Plan().Clusters*cluster.BytesPerCluster
}

// TestPairSize: both tables together have exactly the size of Hash, and both have entries.
func TestPairSize(t *testing.T) {
	p, _ := newPair(t)
	for _, mib := range []uint64{1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 33, 64, 100, 257} {
		if err := p.Resize(memory.Whole(mib<<20), mem.AutoPages, func(*cluster.Table) {}); err != nil {
			t.Fatal(err)
		}
		if got := p.Table(); got.bytes() != mib<<20 || got.Size() != memory.Whole(mib<<20) ||
			got.Proofs.Slots() < 20000*mib || got.Moves.Capacity() < 20000*mib {
			t.Errorf("%d MiB: %d bytes, %d MiB", mib, got.bytes(), got.Size().MiB())
		}
	}
}

// TestPairResize: a new size keeps the entries of both tables, one that the machine does not have changes
// nothing, and the same one is no new table.
func TestPairResize(t *testing.T) {
	p, notices := newPair(t)
	var used *cluster.Table
	resize := func(mib uint64) error {
		return p.Resize(memory.Whole(mib<<20), mem.SmallPages, func(t *cluster.Table) { used = t })
	}
	const proofKey, moveKey = 0x6c1f_93a4_d07e_285a, 0x1234_5678_9abc_def1
	holds := func() bool {
		_, proof := p.Table().Proofs.Handle().Probe(proofKey)
		_, move := p.Table().Moves.Probe(moveKey)
		return proof && move && used == p.Table().Moves
	}
	if err := resize(3); err != nil {
		t.Fatal(err)
	}
	p.AwaitTouched(context.Background())
	p.Table().Proofs.Handle().Store(proofKey, window.Entry{Phi: 2, Delta: 7, Work: 1500, Move: 12})
	p.Table().Moves.Store(moveKey,
		cluster.Entry{Move: 12, Value: 5, Quality: cluster.Quality{Depth: 9, Bound: cluster.Exact}})
	for _, mib := range []uint64{1, 8, 2, 2} {
		old := p.Table()
		if err := resize(mib); err != nil {
			t.Fatal(err)
		}
		p.AwaitTouched(context.Background())
		if !holds() || (old == p.Table()) != (old.Size() == memory.Whole(mib<<20)) {
			t.Errorf("%d MiB: %v", mib, notices.Take())
		}
	}
	old := p.Table()
	if err := resize(window.MaxMiB); err == nil || p.Table() != old || !holds() {
		t.Errorf("after %d MiB: %v", window.MaxMiB, err)
	}
	p.ClearMoves()
	p.AwaitTouched(context.Background())
	if _, ok := old.Proofs.Handle().Probe(proofKey); !ok || holds() {
		t.Error("ClearMoves clears that table alone")
	}
	p.Clear()
	p.AwaitTouched(context.Background())
	if _, ok := old.Proofs.Handle().Probe(proofKey); ok || old.Full() != 0 {
		t.Error("Clear leaves an entry")
	}
}

// TestClearMovesWhileBothAreCleared: ClearMoves does not end a Clear of both tables early.
func TestClearMovesWhileBothAreCleared(t *testing.T) {
	p, _ := newPair(t)
	if err := p.Resize(memory.Whole(1<<20), mem.SmallPages, func(*cluster.Table) {}); err != nil {
		t.Fatal(err)
	}
	p.AwaitTouched(context.Background())
	const key = 0x6c1f_93a4_d07e_285a
	p.Table().Proofs.Handle().Store(key, window.Entry{Phi: 2, Delta: 7, Work: 1500})
	p.ClearBy(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }) // a Clear that takes long
	p.ClearMoves()
	p.CompleteClear()
	p.AwaitTouched(context.Background())
	if _, ok := p.Table().Proofs.Handle().Probe(key); ok {
		t.Error("an entry for proof search is left")
	}
}

// TestClearMovesWhileProofsAreMoved: the entries for proof search still go to a table of another size if
// ClearMoves interrupts that.
func TestClearMovesWhileProofsAreMoved(t *testing.T) {
	p, _ := newPair(t)
	if err := p.Resize(memory.Whole(3<<20), mem.SmallPages, func(*cluster.Table) {}); err != nil {
		t.Fatal(err)
	}
	p.AwaitTouched(context.Background())
	const key = 0x6c1f_93a4_d07e_285a
	old := p.table.Proofs
	old.Handle().Store(key, window.Entry{Phi: 2, Delta: 7, Work: 1500})
	next := newtable.Window(t, 1, window.Memory(mem.Options{Pages: mem.SmallPages}))
	if err := next.Inherit(old); err != nil {
		t.Fatal(err)
	}
	p.table.Proofs = next // as Resize leaves it, but nothing has been moved yet
	p.ClearMoves()
	p.AwaitTouched(context.Background())
	if _, ok := next.Handle().Probe(key); !ok {
		t.Error("the entry is lost")
	}
	if u := old.Memory(); u.Resident > 0 {
		t.Errorf("the old table still has %d bytes", u.Resident)
	}
}
