package cluster

import (
	"context"
	"testing"

	"trefoil/internal/tabletest"
)

// TestStoppedRehash: a rehash that was stopped after its first piece goes on with the second, and the memory of the old
// table that was moved is not read again. Meanwhile, and when another table takes over, every entry is found.
func TestStoppedRehash(t *testing.T) {
	const keys = 1000
	finds := func(table *Table) {
		t.Helper()
		for i := range uint64(keys) {
			if e, ok := table.Probe(stream(3, i)); !ok || e.Entry != entryOf(stream(3, i)) {
				t.Fatalf("entry %d: %v", i, e)
			}
		}
	}
	table := mustNew(t, 32, Mul32)
	for i := range uint64(keys) {
		table.Store(stream(3, i), entryOf(stream(3, i)))
	}
	for _, mib := range []uint64{24, 17} {
		next := mustNew(t, mib, Mul32)
		if err := next.Inherit(table); err != nil {
			t.Fatal(err)
		}
		finds(next)
		err := next.Rehash(&tabletest.EndsAfter{Context: t.Context(), Looks: 1})
		if err != context.Canceled || !next.rehashing() {
			t.Fatal(err)
		}
		finds(next)
		table = next
	}
	for table.rehashing() {
		if err := table.Rehash(&tabletest.EndsAfter{Context: t.Context(), Looks: 1}); err != nil && err != context.Canceled {
			t.Fatal(err)
		}
		finds(table)
	}
}
