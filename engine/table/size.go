package table

import (
	"fmt"

	"trefoil/internal/mem"
)

// Size is how large a table is to be, in bytes.
type Size struct {
	Asked uint64 // whole MiB
	Bytes uint64 // of them, that fit
}

// Whole is a table of all the bytes that are asked for.
func Whole(bytes uint64) Size { return Size{bytes, bytes} }

// AtMost returns the part of a size that has at most that many bytes: in whole MiB, or in whole KiB below one, but at
// least mem.Smallest, which is made even where nothing fits.
func (s Size) AtMost(bytes uint64) Size {
	if bytes >= s.Asked {
		return Whole(s.Asked)
	}
	unit := uint64(1 << 10)
	if bytes > 1<<20 {
		unit = 1 << 20
	}
	s.Bytes = max(bytes-bytes%unit, mem.Smallest)
	return s
}

// MiB is the size that was asked for, in the unit in which tables are made and the user counts.
func (s Size) MiB() uint64 { return s.Asked >> 20 }

// String says how large the table is, and of how much if that is not all.
func (s Size) String() string {
	switch {
	case s.Bytes == s.Asked:
		return fmt.Sprintf("%d MiB", s.MiB())
	case s.Bytes < 1<<20:
		return fmt.Sprintf("%d KiB of %d MiB", s.Bytes>>10, s.MiB())
	}
	return fmt.Sprintf("%d MiB of %d", s.Bytes>>20, s.MiB())
}
