package table

import (
	"fmt"

	"trefoil/internal/mem"
)

// Size is how large a table is to be.
type Size struct {
	MiB uint64 // asked for
	KiB uint64 // of them, that fit; 0 is all
}

// Smallest is the number of KiB of the smallest table, which is made even where nothing fits.
const Smallest = mem.Smallest >> 10

// All returns the size in KiB.
func (s Size) All() uint64 {
	if s.KiB > 0 {
		return s.KiB
	}
	return s.MiB << 10
}

// smaller returns half of a size, in whole MiB down to one.
func (s Size) smaller() Size { return s.atMost(s.All() / 2) }

// atMost returns a part of a size of at most kib KiB, but at least Smallest.
func (s Size) atMost(kib uint64) Size {
	if kib > 1<<10 {
		kib -= kib % (1 << 10)
	}
	s.KiB = max(kib, Smallest)
	return s
}

// AtMost returns the part of mib MiB that is a table of at most kib KiB, in whole MiB down to one, but at least
// Smallest.
func AtMost(mib, kib uint64) Size {
	if kib >= mib<<10 {
		return Size{MiB: mib}
	}
	return Size{MiB: mib}.atMost(kib)
}

// String says how large the table is, and of how much if that is not all.
func (s Size) String() string {
	switch {
	case s.KiB == 0:
		return fmt.Sprintf("%d MiB", s.MiB)
	case s.KiB < 1<<10:
		return fmt.Sprintf("%d KiB of %d MiB", s.KiB, s.MiB)
	}
	return fmt.Sprintf("%d MiB of %d", s.KiB>>10, s.MiB)
}
