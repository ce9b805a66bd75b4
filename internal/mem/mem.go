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
// zeroes memory that was used. Both work in pieces of at most 4 MiB and check their context
// between pieces, because a long system call or clear cannot be interrupted, not even by the
// garbage collector.
//
// In race builds a Region is a slice of the Go heap, because the race detector observes no other
// memory.
package mem

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	// Align is the alignment of a Region in bytes: one huge page.
	Align = 2 << 20

	piece      = 4 << 20  // bytes touched between checks of the context
	oneWorker  = 64 << 20 // bytes below which a single goroutine clears
	maxWorkers = 16
)

// errUnmapped is the error of operations on a Region after Unmap.
var errUnmapped = errors.New("memory: region is unmapped")

// A Region is memory outside the Go heap. Its methods may be called from any goroutine. The caller
// synchronises reads and writes of the memory, and ends them before Unmap.
type Region struct {
	base   unsafe.Pointer
	size   uint64
	held   mapping // for Unmap
	sparse bool

	gate    sync.RWMutex  // held for reading while a piece is worked on
	gone    bool          // under gate
	touched atomic.Uint64 // bytes touched by Prefault
	settled atomic.Bool   // all bytes are
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

// Prefault touches every page for writing, in order, so that no other goroutine has to wait for the
// first touch: a search that comes upon untouched pages runs at a hundredth of its speed. Stored
// data stays, also what is stored meanwhile. It continues where an earlier call stopped. progress,
// unless nil, is called before each piece with the number of bytes touched so far. Prefault
// returns nil when all is touched, else the error that ended it. It does nothing for a sparse region.
func (r *Region) Prefault(ctx context.Context, progress func(touched uint64)) error {
	if r.sparse || r.settled.Load() {
		return nil
	}
	for at := r.touched.Load(); at < r.size; at += piece {
		if progress != nil {
			progress(at)
		}
		if err := r.work(ctx, at, touch); err != nil {
			return err
		}
		r.touched.Store(at + piece)
	}
	r.settled.Store(true)
	return nil
}

// Clear sets every byte to zero, in parallel. It returns nil when all is zero, else the error that
// ended it; then part of the memory may be zero. The memory must not be used meanwhile.
func (r *Region) Clear(ctx context.Context) error {
	workers := 1
	if r.size >= oneWorker {
		workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	var (
		next  atomic.Uint64
		group sync.WaitGroup
		first sync.Once
		err   error
	)
	for range workers {
		group.Go(func() {
			for {
				at := next.Add(piece) - piece
				if at >= r.size {
					return
				}
				if e := r.work(ctx, at, func(b []byte) { clear(b) }); e != nil {
					first.Do(func() { err = e })
					return
				}
			}
		})
	}
	group.Wait()
	if err == nil {
		r.settled.Store(!r.sparse)
	}
	return err
}

// work calls do with the piece that starts at byte at, unless the context is done or the region is
// unmapped.
func (r *Region) work(ctx context.Context, at uint64, do func([]byte)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.gate.RLock()
	defer r.gate.RUnlock()
	if r.gone {
		return errUnmapped
	}
	do(unsafe.Slice((*byte)(unsafe.Add(r.base, at)), min(piece, r.size-at)))
	return nil
}

// touch makes every page of b present and writable. It changes no byte, also beside other writers.
func touch(b []byte) {
	if !populate(b) {
		touchPages(b)
	}
}

// touchPages is touch without a system call for it. An atomic addition of zero is a write, so it
// allocates the page, and it loses no concurrent store. A read would map the shared page of zeros.
func touchPages(b []byte) {
	for at := 0; at+4 <= len(b); at += os.Getpagesize() {
		atomic.AddUint32((*uint32)(unsafe.Pointer(&b[at])), 0)
	}
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
