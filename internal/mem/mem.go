// Package mem gives the tables their memory: large, aligned, zeroed and outside
// the Go heap, where the garbage collector neither counts nor scans it, where
// the system may back it with huge pages, and where a size that cannot be had
// is an error instead of the end of the process.
//
// A Region is one mapping. Its first byte stands on a 2 MiB boundary, so that a
// huge page can lie under every full 2 MiB of it; unusable guard pages stand
// before and after it.
//
//	reserved   | guard …  | 2 MiB | 2 MiB | … | rest | … guard |
//	                      ^ Pointer()                ^ Pointer()+Size()
//
// Pages are zero when they are first touched, and that first touch is slow. Map
// therefore touches nothing: Prefault does it later, in the background and beside
// readers and writers, and Clear zeroes what has been used. Both work in pieces of
// at most 4 MiB and look at their context between pieces, because a single long
// system call or clear can be interrupted by nobody, not even by the collector.
//
// In race builds a Region is a slice of the Go heap, aligned by hand, because the
// race detector sees no other memory.
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

	piece      = 4 << 20  // bytes touched between two looks at the context
	fewWorkers = 64 << 20 // bytes below which one goroutine clears alone
	maxWorkers = 16
)

// ErrUnmapped is what an operation on a Region returns after Unmap.
var ErrUnmapped = errors.New("memory: region is unmapped")

// A Region is memory outside the Go heap. Its methods may be called from any
// goroutine. Reading and writing the memory is the user's business, and so is
// having stopped that before Unmap.
type Region struct {
	base   unsafe.Pointer
	size   uint64
	held   mapping // what the operating system needs to give it back
	sparse bool

	gate    sync.RWMutex  // held for reading while a piece is worked on
	gone    bool          // under gate
	touched atomic.Uint64 // bytes, by Prefault
	settled atomic.Bool   // all are
}

type config struct{ sparse bool }

// An Option changes what Map does.
type Option func(*config)

// Sparse reserves address space only: nothing is charged until it is touched,
// small pages are used, and Prefault does nothing. It is how a table larger than
// the machine can be tested. Map fails where the system has no such thing.
func Sparse() Option { return func(c *config) { c.sparse = true } }

// Map returns a zeroed Region of exactly that many bytes, none of them touched,
// or an error that names the size and the system's reason.
func Map(bytes uint64, opts ...Option) (*Region, error) {
	var c config
	for _, o := range opts {
		o(&c)
	}
	if bytes == 0 || bytes > math.MaxInt-2*Align {
		return nil, fmt.Errorf("memory: %d bytes are outside 1 to %d", bytes, math.MaxInt-2*Align)
	}
	base, held, err := reserve(uintptr(bytes), c.sparse)
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

// Settled reports whether every page has been touched by Prefault or Clear.
func (r *Region) Settled() bool { return r.settled.Load() }

// Unmap gives the memory back. It waits for the piece at hand of a running
// Prefault or Clear, which then end with ErrUnmapped. A second call does nothing.
func (r *Region) Unmap() error {
	r.gate.Lock()
	defer r.gate.Unlock()
	if r.gone {
		return nil
	}
	r.gone = true
	return r.held.release()
}

// Prefault touches every page for writing, in order, so that nobody else has to
// wait for the first touch: a search that comes upon untouched pages runs at a
// hundredth of its speed. It keeps what is stored there, before and meanwhile, and
// begins where an earlier call stopped. Before each piece it tells how many bytes
// are touched so far, unless tell is nil. It returns nil when all is touched, else
// why it stopped. A sparse region is left alone.
func (r *Region) Prefault(ctx context.Context, tell func(touched uint64)) error {
	if r.sparse || r.settled.Load() {
		return nil
	}
	for at := r.touched.Load(); at < r.size; at += piece {
		if tell != nil {
			tell(at)
		}
		if err := r.work(ctx, at, touch); err != nil {
			return err
		}
		r.touched.Store(at + piece)
	}
	r.settled.Store(true)
	return nil
}

// Clear sets every byte to zero with as many goroutines as help. It returns nil
// when all is zero, else why it stopped; then some of it may be zero. Nobody may
// use the memory meanwhile.
func (r *Region) Clear(ctx context.Context) error {
	workers := 1
	if r.size >= fewWorkers {
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

// work applies do to the piece that starts at byte at, unless the context is
// done or the region is gone.
func (r *Region) work(ctx context.Context, at uint64, do func([]byte)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.gate.RLock()
	defer r.gate.RUnlock()
	if r.gone {
		return ErrUnmapped
	}
	do(unsafe.Slice((*byte)(unsafe.Add(r.base, at)), min(piece, r.size-at)))
	return nil
}

// touch makes every page of b present and writable without changing a byte,
// also while others write there.
func touch(b []byte) {
	if !populate(b) {
		touchPages(b)
	}
}

// touchPages is touch where the system has no call for it. An atomic addition of
// zero is a write, so the page becomes our own, and loses no store that happens at
// the same time. Reading would map the shared page of zeros.
func touchPages(b []byte) {
	for at := 0; at+4 <= len(b); at += os.Getpagesize() {
		atomic.AddUint32((*uint32)(unsafe.Pointer(&b[at])), 0)
	}
}

// Usage says how many bytes of the region are in memory now, and how many of
// these are on huge pages. ok is false where the system does not tell.
func (r *Region) Usage() (resident, huge uint64, ok bool) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	if r.gone {
		return 0, 0, false
	}
	return usage(uintptr(r.base), uintptr(r.size))
}

// HugeBytes returns how many bytes lie on huge pages now, and whether this is
// known at all.
func (r *Region) HugeBytes() (uint64, bool) {
	_, huge, ok := r.Usage()
	return huge, ok
}

// align returns the first multiple of Align at or after p.
func align(p uintptr) uintptr { return (p + Align - 1) &^ (Align - 1) }
