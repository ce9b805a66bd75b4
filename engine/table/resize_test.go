package table

import (
	"context"
	"errors"
	"testing"
	"time"

	"trefoil/cluster"
	"trefoil/engine/memory"
	"trefoil/internal/mem"
	"trefoil/window"
)

// TestResizeWhileCleared: entries that are being cleared do not reach a table of another size.
func TestResizeWhileCleared(t *testing.T) {
	const key = 0x6c1f_93a4_d07e_285a
	move := cluster.Entry{Move: 12, Value: 5, Quality: cluster.Quality{Depth: 9, Bound: cluster.Exact}}
	proof := window.Entry{Phi: 2, Delta: 7, Work: 1500}
	moves, proofs, both := NewClusterOwner(new(Notices)), NewWindowOwner(new(Notices)), NewPairOwner(new(Notices))
	resize := func(mib uint64) {
		t.Helper()
		size := memory.Whole(mib << 20)
		err := moves.Resize(context.Background(), Spec{Size: size, KeyBits: cluster.MaxKeyBits, Pages: mem.SmallPages},
			func(*cluster.Table) {})
		err = errors.Join(err, proofs.Resize(size, mem.SmallPages),
			both.Resize(size, mem.SmallPages, func(*cluster.Table) {}))
		if err != nil {
			t.Fatal(err)
		}
		moves.AwaitTouched(t.Context())
		proofs.AwaitTouched(t.Context())
		both.AwaitTouched(t.Context())
	}
	resize(2)
	moves.Table().Store(key, move)
	both.Table().Moves.Store(key, move)
	proofs.Table().Handle().Store(key, proof)
	both.Table().Proofs.Handle().Store(key, proof)
	slow := func(clear func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			select {
			case <-time.After(10 * time.Millisecond):
				return clear(ctx)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	moves.ClearBy(slow(moves.Table().Clear))
	proofs.ClearBy(slow(proofs.Table().Clear))
	both.ClearBy(slow(both.Table().Clear))
	resize(3)
	if _, ok := moves.Table().Probe(key); ok {
		t.Error("the table of alpha-beta has an entry")
	}
	if _, ok := proofs.Table().Handle().Probe(key); ok {
		t.Error("the table of proof search has an entry")
	}
	_, ofMoves := both.Table().Moves.Probe(key)
	if _, ofProofs := both.Table().Proofs.Handle().Probe(key); ofMoves || ofProofs {
		t.Errorf("of a pair of tables that of alpha-beta has an entry: %v, that of proof search: %v", ofMoves, ofProofs)
	}
	stuck := func(ctx context.Context) error {
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Second):
			t.Error("a new table waits until the old one is cleared")
		}
		return ctx.Err()
	}
	moves.ClearBy(stuck)
	proofs.ClearBy(stuck)
	both.ClearBy(stuck)
	resize(4)
	if err := errors.Join(moves.Close(), proofs.Close(), both.Close()); err != nil {
		t.Error(err)
	}
}
