// Package mem allocates the memory of the tables: large, aligned, zeroed and outside the Go heap.
// There the garbage collector neither counts nor scans it, the system can back it with huge pages,
// and a size that is not available is an error instead of the end of the process.
//
// A Region is one range of addresses. It begins on a boundary of its largest pages, at least of
// 2 MiB, so that every full 2 MiB of it can be a huge page, and has inaccessible guard pages before
// and after it. See Pages for the kinds of its pages; it can have several:
//
//	reserved   | guard … | 1 GiB | 1 GiB | … | 2 MiB | 2 MiB | … | rest | … guard |
//	                     ^ Pointer()                                    ^ Pointer()+Size()
//
// On a machine with several NUMA nodes the pages are interleaved over them, because all workers use the
// whole table.
//
// Pages are zero when they are first touched, and the first touch is slow. Map therefore touches
// nothing: Prefault does so later, in the background and beside readers and writers, and Clear
// zeroes memory that was used. Both use several goroutines, work in pieces of at most 4 MiB (or a
// page of 1 GiB, which is touched as a whole) and check their context between pieces, because a long
// system call or clear cannot be interrupted, not even by the garbage collector.
//
// In race builds a Region is a slice of the Go heap, because the race detector observes no other
// memory.
package mem

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Align is the alignment of a Region in bytes: one huge page.
const Align = 2 << 20

// errUnmapped is the error of operations on a Region after Unmap.
var errUnmapped = errors.New("memory: region is unmapped")

// A Region is memory outside the Go heap. Its methods may be called from any goroutine. The caller
// synchronises reads and writes of the memory, and ends them before Unmap.
type Region struct {
	base   unsafe.Pointer
	size   uint64
	layout layout   // as the system has granted it
	held   releaser // for Unmap
	sparse bool

	gate      sync.RWMutex  // held for reading while a piece is worked on
	gone      bool          // under gate
	discarded uint64        // under gate: bytes at the beginning
	touched   atomic.Uint64 // bytes touched by Prefault
	settled   atomic.Bool   // all bytes are
	replaced  atomic.Bool   // see Replace
}

// Map returns a zeroed Region of exactly that size on transparent huge pages, untouched, or an error with
// the size and the system's reason.
func Map(bytes uint64) (*Region, error) {
	return mapLayout(bytes, layoutOf(bytes, TransparentPages), false)
}

// MapSparse reserves address space only: memory is charged when it is touched, pages are small, and
// Prefault does nothing. It is for tests of tables larger than the machine. It fails on systems
// without sparse memory.
func MapSparse(bytes uint64) (*Region, error) {
	return mapLayout(bytes, layout{rest: SmallPages}, true)
}

func mapLayout(bytes uint64, l layout, sparse bool) (*Region, error) {
	if bytes == 0 || bytes > math.MaxInt-bytes1GiB-Align {
		return nil, fmt.Errorf("memory: %d bytes are outside 1 to %d", bytes, math.MaxInt-bytes1GiB-Align)
	}
	base, held, err := mapRegion(uintptr(bytes), &l, sparse)
	if err != nil {
		return nil, fmt.Errorf("memory: %d bytes: %w", bytes, err)
	}
	return &Region{base: base, size: bytes, layout: l, held: held, sparse: sparse}, nil
}

// Pointer returns the address of the first byte, a multiple of Align.
func (r *Region) Pointer() unsafe.Pointer { return r.base }

// Size returns the size in bytes.
func (r *Region) Size() uint64 { return r.size }

// Words returns the region as 64-bit words; a last partial word is left out.
func (r *Region) Words() []uint64 { return unsafe.Slice((*uint64)(r.base), r.size/8) }

// Unmap returns the memory to the system. It waits for the current piece of a running Prefault or
// Clear, which then end with an error. A second call does nothing.
func (r *Region) Unmap() error {
	r.gate.Lock()
	defer r.gate.Unlock()
	if r.gone {
		return nil
	}
	r.gone = true
	return r.held.release()
}

// Discard returns the memory of the first bytes to the system, as far as they fill pieces of 4 MiB or pages
// of 1 GiB; they must not be used any more. Memory that has been discarded before is skipped. An error,
// with memory that the system returns only as a whole, is harmless: Unmap returns the rest.
func (r *Region) Discard(bytes uint64) error {
	r.gate.Lock()
	defer r.gate.Unlock()
	bytes = min(bytes, r.size)
	bytes -= bytes % r.wholePages(bytes)
	if r.gone || bytes <= r.discarded {
		return nil
	}
	from := r.discarded
	r.discarded = bytes
	return discard(unsafe.Slice((*byte)(unsafe.Add(r.base, from)), bytes-from))
}

// Hold calls f, unless the byte at that offset has been discarded, or the region unmapped; neither happens
// meanwhile.
func (r *Region) Hold(at uint64, f func()) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	if !r.gone && at >= r.discarded {
		f()
	}
}

// Usage says how the region lies in memory now.
func (r *Region) Usage() Usage {
	r.gate.RLock()
	defer r.gate.RUnlock()
	u := Usage{Size: r.size, Nodes: len(r.layout.nodes), Note: r.layout.note}
	switch {
	case r.gone:
	case !reservedApart && r.layout.reserved() > 0: // large pages are never swapped
		u.Known, u.Resident, u.Pages2MiB = true, r.layout.reserved(), r.layout.reserved()
	default:
		usage(uintptr(r.base), &u)
	}
	return u
}

// align returns the first multiple of a power of two from n on.
func align(n, to uintptr) uintptr { return (n + to - 1) &^ (to - 1) }
