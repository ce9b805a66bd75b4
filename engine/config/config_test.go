package config

import (
	"testing"

	"trefoil/engine/memory"
)

// TestHashPart: the table that there is takes the memory that it has beside its reserved pages, however many of
// these are free now; a table of another size takes what it would get.
func TestHashPart(t *testing.T) {
	o := New(Uses{})
	const mib = 1 << 20
	want := memory.Part{Option: memory.Hash, Bytes: 3 * mib, Mapped: 3 * mib}
	if got := o.HashPart(16<<10, 16<<10, 3*mib); got != want {
		t.Errorf("the present table: %+v, want %+v", got, want)
	}
	if got := o.HashPart(20<<10, 16<<10, 3*mib); got.Bytes > 20*mib || got.Mapped != 0 {
		t.Errorf("another table: %+v", got)
	}
}
