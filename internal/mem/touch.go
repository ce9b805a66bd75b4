package mem

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	piece      = 4 << 20  // bytes between checks of the context, except in pages of 1 GiB
	oneWorker  = 64 << 20 // bytes below which one goroutine does the work
	maxWorkers = 16
)

// Prefault touches every page for writing, so that no other goroutine has to wait for the first touch: a
// search that comes upon untouched pages runs at a hundredth of its speed. Stored data stays, also what is
// stored meanwhile. It continues where an earlier call stopped. All processors but one take part, at most
// 16. progress, unless nil, is called by one goroutine at a time with the size of the touched part at the
// beginning; the first call is before any touch. Prefault returns nil when all is touched, else the error
// that ended it. It does nothing for a sparse region.
func (r *Region) Prefault(ctx context.Context, progress func(touched uint64)) error {
	if r.sparse || r.settled.Load() {
		return nil
	}
	touched, err := r.inPieces(ctx, r.touched.Load(), r.size, r.workers(processors()-1), r.wholePages, r.touch, progress)
	r.touched.Store(touched)
	r.settled.Store(err == nil)
	return err
}

// Fill is Prefault for memory that gets its first contents: when a piece is touched, fill is called with
// it and the byte at which it begins, and progress with the size of the first part that is filled.
// The caller says from which byte on. Fill returns the size of the first part that is filled, and nil when
// that is all. Of a sparse region nothing is touched before fill.
func (r *Region) Fill(ctx context.Context, from uint64, fill func(at uint64, piece []byte),
	progress func(filled uint64)) (uint64, error) {
	filled, err := r.inPieces(ctx, from, r.size, r.workers(processors()-1), pieces, func(b []byte) {
		if !r.sparse {
			r.touch(b)
		}
		fill(uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))-uintptr(r.base)), b)
	}, progress)
	if err == nil {
		r.settled.Store(!r.sparse)
	}
	return filled, err
}

// Clear sets every byte to zero, in parallel. It returns nil when all is zero, else the error that
// ended it; then part of the memory may be zero. The memory must not be used meanwhile.
func (r *Region) Clear(ctx context.Context) error {
	err := r.ClearFirst(ctx, r.size)
	if err == nil {
		r.settled.Store(!r.sparse)
	}
	return err
}

// ClearFirst is Clear for the first bytes of the region; no more than its size.
func (r *Region) ClearFirst(ctx context.Context, bytes uint64) error {
	zero := func(b []byte) { clear(b) }
	if bytes <= piece {
		return r.work(ctx, 0, bytes, zero)
	}
	_, err := r.inPieces(ctx, 0, bytes, r.workers(processors()), pieces, zero, nil)
	return err
}

// processors is the number of processors that goroutines of this process can use at once.
func processors() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// workers returns how many goroutines work on the region where n could.
func (r *Region) workers(n int) int {
	if r.size < oneWorker {
		return 1
	}
	return max(1, min(n, maxWorkers))
}

// pieces and wholePages are sizes of pieces for inPieces. Two goroutines that touch one page wait for
// each other, so wholePages does not divide pages of 1 GiB.
func pieces(uint64) uint64 { return piece }

func (r *Region) wholePages(at uint64) uint64 {
	if at < r.layout.on1GiB() {
		return bytes1GiB
	}
	return piece
}

// inPieces calls do with each piece of the region from byte from to byte to; sizeAt returns the size of the
// piece that begins at a byte. The pieces are handed out in order to a number of goroutines. It returns how
// many bytes, from the first on, are done, and the error that ended the work before its end. If this
// goroutine panics on faults, so does inPieces on the faults of the others. progress, unless nil, is called
// with that number of bytes before each piece and at the end.
func (r *Region) inPieces(ctx context.Context, from, to uint64, workers int,
	sizeAt func(at uint64) uint64, do func([]byte), progress func(done uint64)) (uint64, error) {
	var (
		mu    sync.Mutex
		group sync.WaitGroup
		ended error
		fault any // of a goroutine
		pass  = panicsOnFault()
		next  = from
		held  = slices.Repeat([]uint64{from}, workers) // the piece of each worker; all before them is done
	)
	take := func(worker int) (at uint64) {
		mu.Lock()
		defer mu.Unlock()
		at = next
		held[worker], next = at, min(at+sizeAt(at), to)
		if progress != nil {
			progress(slices.Min(held))
		}
		return at
	}
	for worker := range workers {
		group.Go(func() {
			if pass {
				debug.SetPanicOnFault(true)
				defer func() {
					if r := recover(); r != nil {
						if _, ok := Fault(r); !ok {
							panic(r)
						}
						mu.Lock()
						defer mu.Unlock()
						fault = r
					}
				}()
			}
			for at := take(worker); at < to; at = take(worker) {
				if err := r.work(ctx, at, min(sizeAt(at), to-at), do); err != nil {
					mu.Lock()
					defer mu.Unlock()
					ended = err
					return
				}
			}
		})
	}
	group.Wait()
	if fault != nil {
		panic(fault)
	}
	return slices.Min(held), ended
}

// work calls do with the piece that begins at byte at, unless the context is done or the region is
// unmapped.
func (r *Region) work(ctx context.Context, at, size uint64, do func([]byte)) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	r.gate.RLock()
	defer r.gate.RUnlock()
	switch {
	case r.gone:
		return errUnmapped
	case r.replaced.Load():
		return errReplaced
	}
	do(unsafe.Slice((*byte)(unsafe.Add(r.base, at)), min(size, r.size-at)))
	return nil
}

// touch touches a piece of the region, or the whole page of 1 GiB around the piece.
func (r *Region) touch(b []byte) {
	at := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))) - uintptr(r.base))
	if at < r.layout.on1GiB() {
		b = unsafe.Slice((*byte)(unsafe.Add(r.base, at-at%bytes1GiB)), bytes1GiB)
	}
	touch(b, at < r.layout.reserved())
}

// touchPages is touch without a system call for it. An atomic addition of zero is a write, so it
// allocates the page, and it loses no concurrent store. A read would map the shared page of zeros.
func touchPages(b []byte) {
	for at := 0; at+4 <= len(b); at += os.Getpagesize() {
		atomic.AddUint32((*uint32)(unsafe.Pointer(&b[at])), 0)
	}
}
