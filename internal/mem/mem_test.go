package mem

import (
	"context"
	"errors"
	"math"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

func mustMap(t *testing.T, bytes uint64) *Region {
	t.Helper()
	r, err := Map(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Unmap(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestMapIsAlignedZeroedAndExact(t *testing.T) {
	for _, bytes := range []uint64{1, 8, 4096, 1 << 20, 2 << 20, 3<<20 + 40, 9 << 20} {
		r := mustMap(t, bytes)
		if a := uintptr(r.Pointer()); a%Align != 0 {
			t.Errorf("%d bytes: address %#x is no multiple of %#x", bytes, a, Align)
		}
		if r.Size() != bytes || uint64(len(r.Words())) != bytes/8 {
			t.Errorf("%d bytes: size %d, %d words", bytes, r.Size(), len(r.Words()))
		}
		for i, w := range r.Words() {
			if w != 0 {
				t.Fatalf("%d bytes: word %d is %#x", bytes, i, w)
			}
		}
	}
}

func TestMapRefuses(t *testing.T) {
	for _, bytes := range []uint64{0, math.MaxInt, math.MaxUint64} {
		if _, err := Map(bytes); err == nil {
			t.Errorf("%d bytes: no error", bytes)
		}
	}
}

func TestGuardsStandAroundTheRegion(t *testing.T) {
	r := mustMap(t, 2<<20)
	if reflect.TypeOf(r.held).Size() == unsafe.Sizeof([]byte{}) {
		t.Skip("memory is part of the Go heap here: no guards")
	}
	faults := func(p unsafe.Pointer) (yes bool) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() { yes = recover() != nil }()
		atomic.AddUint32((*uint32)(p), 0)
		return
	}
	if faults(r.Pointer()) || faults(unsafe.Add(r.Pointer(), r.Size()-4)) {
		t.Error("the region itself faults")
	}
	if !faults(unsafe.Add(r.Pointer(), -4)) {
		t.Error("no guard before the region")
	}
	if !faults(unsafe.Add(r.Pointer(), r.Size())) {
		t.Error("no guard after the region")
	}
}

// TestTouchKeepsStores: both implementations of touch keep concurrent stores.
func TestTouchKeepsStores(t *testing.T) {
	byHand := func(r *Region) {
		for at := uint64(0); at < r.size; at += piece {
			touchPages(unsafe.Slice((*byte)(unsafe.Add(r.base, at)), min(piece, r.size-at)))
		}
	}
	for name, prefault := range map[string]func(*Region){
		"Prefault":  func(r *Region) { _ = r.Prefault(context.Background(), nil) },
		"atomic +0": byHand,
	} {
		r := mustMap(t, 9<<20)
		words := r.Words()
		var group sync.WaitGroup
		for g := range uint64(2) {
			group.Go(func() {
				// From the end, so that writer and touch meet in the middle.
				for i := len(words) - 1 - int(g); i >= 0; i -= 2 {
					atomic.StoreUint64(&words[i], uint64(i)+1)
				}
			})
		}
		prefault(r)
		group.Wait()
		for i := range words {
			if words[i] != uint64(i)+1 {
				t.Fatalf("%s: word %d is %d", name, i, words[i])
			}
		}
	}
}

func TestPrefaultSettles(t *testing.T) {
	r := mustMap(t, 17<<20) // below oneWorker, so that the order of the reports is known
	if r.settled.Load() {
		t.Error("settled before anything was touched")
	}
	// The first call is stopped when two pieces are touched, the second goes on there.
	ctx, cancel := context.WithCancel(context.Background())
	var reported []uint64
	if err := r.Prefault(ctx, func(touched uint64) {
		if reported = append(reported, touched); len(reported) == 3 {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) || r.settled.Load() {
		t.Errorf("stopped Prefault: %v, settled %v", err, r.settled.Load())
	}
	if err := r.Prefault(context.Background(),
		func(touched uint64) { reported = append(reported, touched) }); err != nil || !r.settled.Load() {
		t.Errorf("after Prefault: %v, settled %v", err, r.settled.Load())
	}
	if want := []uint64{0, piece, 2 * piece, 2 * piece, 3 * piece, 4 * piece, 17 << 20}; !slices.Equal(reported, want) {
		t.Errorf("reported %d, want %d", reported, want)
	}
	if u := r.Usage(); u.Known && u.Resident != r.Size() {
		t.Errorf("%d of %d bytes resident", u.Resident, r.Size())
	}
}

// TestPiecesInOrder: with any number of goroutines the bytes that progress reports are done, all
// others may be reported later, and a stopped call says where the next one must begin.
func TestPiecesInOrder(t *testing.T) {
	r := mustMap(t, 40*piece+8)
	begin := uintptr(r.Pointer())
	for workers := 1; workers <= 5; workers++ {
		var (
			mu   sync.Mutex
			done [41]bool
			last uint64
		)
		ctx, cancel := context.WithCancel(context.Background())
		do := func(b []byte) {
			mu.Lock()
			defer mu.Unlock()
			n := (uintptr(unsafe.Pointer(&b[0])) - begin) / piece
			if done[n] = true; n == 20 {
				cancel()
			}
		}
		check := func(bytes uint64) {
			mu.Lock()
			defer mu.Unlock()
			if n := (bytes + piece - 1) / piece; bytes < last || slices.Contains(done[:n], false) {
				t.Errorf("%d workers: %d bytes reported after %d, done are %v", workers, bytes, last, done)
			}
			last = bytes
		}
		from, err := r.inPieces(ctx, 0, r.Size(), workers, pieces, do, check)
		if !errors.Is(err, context.Canceled) || from != last {
			t.Errorf("%d workers, stopped: %d bytes, %v", workers, from, err)
		}
		if all, err := r.inPieces(context.Background(), from, r.Size(), workers, pieces, do, check); err != nil ||
			all != r.Size() || last != all {
			t.Errorf("%d workers: %d bytes, %v", workers, all, err)
		}
	}
}

func TestClear(t *testing.T) {
	for _, bytes := range []uint64{1 << 20, 5<<20 + 8, oneWorker + 3<<20} {
		r := mustMap(t, bytes)
		for i := range r.Words() {
			r.Words()[i] = ^uint64(0)
		}
		if err := r.Clear(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i, w := range r.Words() {
			if w != 0 {
				t.Fatalf("%d bytes: word %d is %#x after Clear", bytes, i, w)
			}
		}
	}
}

func TestWorkStops(t *testing.T) {
	r := mustMap(t, oneWorker)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	r.Words()[0] = 1
	if err := r.Clear(done); !errors.Is(err, context.Canceled) || r.Words()[0] != 1 {
		t.Errorf("Clear of a done context: %v, word 0 is %d", err, r.Words()[0])
	}
	if err := r.Prefault(done, nil); !errors.Is(err, context.Canceled) || r.settled.Load() {
		t.Errorf("Prefault of a done context: %v, settled %v", err, r.settled.Load())
	}
	if err := r.Unmap(); err != nil {
		t.Error(err)
	}
	if err := r.Unmap(); err != nil {
		t.Error("second Unmap:", err)
	}
	if err := r.Prefault(context.Background(), nil); !errors.Is(err, errUnmapped) {
		t.Errorf("Prefault after Unmap: %v", err)
	}
	if err := r.Clear(context.Background()); !errors.Is(err, errUnmapped) {
		t.Errorf("Clear after Unmap: %v", err)
	}
	if r.Usage().Known {
		t.Error("Usage known after Unmap")
	}
}

func TestUnmapDuringPrefault(t *testing.T) {
	for range 8 {
		r, err := Map(48 << 20)
		if err != nil {
			t.Fatal(err)
		}
		end := make(chan error)
		go func() { end <- r.Prefault(context.Background(), nil) }()
		if err := r.Unmap(); err != nil {
			t.Error(err)
		}
		if err := <-end; err != nil && !errors.Is(err, errUnmapped) {
			t.Error(err)
		}
	}
}

func TestSparse(t *testing.T) {
	const bytes = 1 << 40
	if math.MaxInt>>20 < bytes>>20 {
		t.Skip("a 32-bit address space has no room for 1 TiB")
	}
	r, err := MapSparse(bytes)
	if err != nil {
		t.Skip("this system forbids sparse memory: ", err)
	}
	defer r.Unmap()
	for at := uint64(0); at < bytes; at += bytes / 64 {
		*(*uint64)(unsafe.Add(r.Pointer(), at)) = at
	}
	if err := r.Prefault(context.Background(), nil); err != nil {
		t.Error(err)
	}
	if u := r.Usage(); u.Known && (u.Resident > 1<<20 || u.Huge() > 0) {
		t.Errorf("64 words touched, but %+v", u)
	}
}

func TestPrefetchTakesAnyAddress(t *testing.T) {
	r := mustMap(t, 4096)
	Prefetch(nil)
	Prefetch(r.Pointer())
	if n := testing.AllocsPerRun(100, func() { Prefetch(r.Pointer()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestReserve: the reserve is a quarter of what the process can have, at most 64 MiB, and is subtracted except
// from an unknown size.
func TestReserve(t *testing.T) {
	for _, c := range []struct {
		free, own, want uint64
		says            string
	}{
		{Unlimited, 1 << 30, Unlimited, "unknown"},
		{1 << 30, 0, 960 << 20, "1.0 GiB by x less 64 MiB"},
		{64 << 20, 0, 48 << 20, "0.1 GiB by x less 16 MiB"},
		{64 << 20, 64 << 20, 32 << 20, "0.1 GiB by x less 32 MiB"},
		{1 << 20, 100 << 20, 0, "0.0 GiB by x less 25 MiB"},
	} {
		r := Room{reserve: reserveOf(plus(c.free, c.own))}
		got := lessReserve(c.free, r.reserve)
		if says := r.explain(got, "x"); got != c.want || says != c.says {
			t.Errorf("%d: %d (%s), want %d (%s)", c.free, got, says, c.want, c.says)
		}
	}
}

func TestMachine(t *testing.T) {
	f := Machine()
	if f.Processor == "" || f.HugePages == "" || f.Explain == "" {
		t.Errorf("empty text in %+v", f)
	}
	if f.Total != 0 && f.Available > f.Total && f.Available != math.MaxUint64 {
		t.Errorf("more available than there is: %+v", f)
	}
	if strings.ContainsAny(f.HugePages, "[]\n") {
		t.Errorf("huge page mode %q", f.HugePages)
	}
	t.Logf("%+v, page size %d", f, os.Getpagesize())
}

// BenchmarkFirstTouch touches 3 GiB with 1, 2, 4, … goroutines.
func BenchmarkFirstTouch(b *testing.B) {
	const bytes = 3 << 30
	if err := Fits(bytes); err != nil {
		b.Skip(err)
	}
	for workers := 1; workers < 2*processors(); workers *= 2 {
		b.Run(strconv.Itoa(workers), func(b *testing.B) {
			b.SetBytes(bytes)
			for range b.N {
				r, err := Map(bytes)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.inPieces(b.Context(), 0, r.Size(), workers, r.wholePages, r.touch, nil); err != nil {
					b.Fatal(err)
				}
				if err := r.Unmap(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPrefetch(b *testing.B) {
	r, err := Map(4096)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Unmap()
	for b.Loop() {
		Prefetch(r.Pointer())
	}
}

// TestFill: every piece is filled once, what is reported is filled, and another call continues.
func TestFill(t *testing.T) {
	r := mustMap(t, 3*piece+8)
	done, cancel := context.WithCancel(context.Background())
	fill := func(at uint64, b []byte) {
		for i := range b {
			b[i]++
		}
		if at == piece {
			cancel()
		}
		if unsafe.Pointer(&b[0]) != unsafe.Add(r.Pointer(), at) {
			t.Errorf("byte %d is another one", at)
		}
	}
	filled, err := r.Fill(done, 0, fill, nil)
	if !errors.Is(err, context.Canceled) || filled != 2*piece {
		t.Errorf("%d bytes, %v", filled, err)
	}
	filled, err = r.Fill(context.Background(), filled, fill, func(n uint64) {
		if n > 0 && *(*byte)(unsafe.Add(r.Pointer(), n-1)) != 1 {
			t.Errorf("%d bytes are reported too early", n)
		}
	})
	if err != nil || filled != r.Size() || !r.settled.Load() {
		t.Errorf("%d bytes, %v", filled, err)
	}
	for i, b := range unsafe.Slice((*byte)(r.Pointer()), r.Size()) {
		if b != 1 {
			t.Fatalf("byte %d was filled %d times", i, b)
		}
	}
}

// TestDiscard: what is discarded is returned to the system at once, the rest by Unmap.
func TestDiscard(t *testing.T) {
	r := mustMap(t, 5*piece+8)
	if err := r.Prefault(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	r.Words()[len(r.Words())-1] = 7
	for _, bytes := range []uint64{piece - 1, 2*piece + 5, piece, 3 * piece} {
		if err := r.Discard(bytes); err != nil {
			t.Fatal(err)
		}
	}
	if u := r.Usage(); u.Known && u.Resident > 2*piece+1<<20 {
		t.Errorf("%d bytes are resident", u.Resident)
	}
	if r.Words()[len(r.Words())-1] != 7 {
		t.Error("the rest has changed")
	}
	if err := r.Unmap(); err != nil {
		t.Error(err)
	}
	if err := r.Discard(4 * piece); err != nil {
		t.Error("after Unmap:", err)
	}
}
