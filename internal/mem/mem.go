// Package mem allocates the memory of the tables: large, aligned, zeroed and outside the Go heap.
// There the garbage collector neither counts nor scans it, the system can back it with huge pages,
// and a size that is not available is an error instead of the end of the process.
//
// A Region is one mapping. It begins on a 2 MiB boundary, so that every full 2 MiB of it can be a
// huge page, and has inaccessible guard pages before and after it.
//
//	reserved   | guard …  | 2 MiB | 2 MiB | … | rest | … guard |
//	                      ^ Pointer()                ^ Pointer()+Size()
//
// Pages are zero when they are first touched, and the first touch is slow. Map therefore touches
// nothing: Prefault does so later, in the background and beside readers and writers, and Clear
// zeroes memory that was used. Both use several goroutines, work in pieces of at most 4 MiB and
// check their context between pieces, because a long system call or clear cannot be interrupted,
// not even by the garbage collector.
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
	held   releaser // for Unmap
	sparse bool

	gate      sync.RWMutex  // held for reading while a piece is worked on
	gone      bool          // under gate
	discarded uint64        // under gate: bytes at the beginning
	touched   atomic.Uint64 // bytes touched by Prefault
	settled   atomic.Bool   // all bytes are
}

type config struct{ sparse bool }

// An Option changes what Map does.
type Option func(*config)

// Sparse reserves address space only: memory is charged when it is touched, pages are small, and
// Prefault does nothing. It is for tests of tables larger than the machine. Map fails on systems
// without sparse memory.
func Sparse() Option { return func(c *config) { c.sparse = true } }

// Map returns a zeroed Region of exactly that size, none of it touched, or an error with the size and
// the system's reason.
func Map(bytes uint64, opts ...Option) (*Region, error) {
	var c config
	for _, o := range opts {
		o(&c)
	}
	if bytes == 0 || bytes > math.MaxInt-2*Align {
		return nil, fmt.Errorf("memory: %d bytes are outside 1 to %d", bytes, math.MaxInt-2*Align)
	}
	base, held, err := mapRegion(uintptr(bytes), c.sparse)
	if err != nil {
		return nil, fmt.Errorf("memory: %d bytes: %w", bytes, err)
	}
	return &Region{base: base, size: bytes, held: held, sparse: c.sparse}, nil
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

// Discard returns the memory of the first bytes to the system, as far as they fill pieces of 4 MiB; they
// must not be used any more. What has been discarded before is skipped. An error, with memory that the
// system returns only as a whole, is harmless: Unmap returns the rest.
func (r *Region) Discard(bytes uint64) error {
	r.gate.Lock()
	defer r.gate.Unlock()
	bytes = min(bytes, r.size) / piece * piece
	if r.gone || bytes <= r.discarded {
		return nil
	}
	from := r.discarded
	r.discarded = bytes
	return discard(unsafe.Slice((*byte)(unsafe.Add(r.base, from)), bytes-from))
}

// Usage returns how many bytes of the region are in memory now, and how many of these are on huge
// pages. It is not ok if the system does not report it.
func (r *Region) Usage() (resident, huge uint64, ok bool) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	if r.gone {
		return 0, 0, false
	}
	return usage(uintptr(r.base), uintptr(r.size))
}

// HugeBytes returns how many bytes are on huge pages now; false if the system does not report it.
func (r *Region) HugeBytes() (uint64, bool) {
	_, huge, ok := r.Usage()
	return huge, ok
}

// align returns the first multiple of Align at or after p.
func align(p uintptr) uintptr { return (p + Align - 1) &^ (Align - 1) }
