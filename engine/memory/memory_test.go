package memory

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"trefoil/internal/mem"
)

const mib = 1 << 20

// budget returns a budget of that many MiB in all. The process has own MiB by now, besides base.
func budget(all, base int) (b *Budget, setOwn func(mib int)) {
	own := base
	b = &Budget{Measure: func() mem.Room {
		return mem.Room{Free: uint64(all+base-own) * mib, Source: "test", Own: uint64(own) * mib, Map: mem.Unlimited}
	}}
	b.Keep(Request{}, Use{})
	return b, func(m int) { own = base + m }
}

// hash asks for a table of a size in MiB in place of the present one, beside threads of 6 MiB, with an audit of three
// quarters of its size.
func hash(size, present, threads uint64) (Request, Use) {
	return Request{Option: Hash, Hash: size * mib, Pages: mem.SmallPages, Threads: threads, Audit: 768},
		Use{Table: present * mib, Ordinary: present * mib, Worker: 6 * mib, Observed: true}
}

// TestFit: what fits is accepted, up to the last byte; what does not is refused with what would fit and what
// takes the rest. Less than what is in use is always accepted.
func TestFit(t *testing.T) {
	b, _ := budget(100, 20)
	for _, c := range []struct {
		size, present, threads uint64
		err                    string
	}{
		{40, 0, 5, ""},
		{41, 0, 5, "hash of 41 MiB refused: at most 40 MiB fit beside Threads 30 MiB, HashAudit 30 MiB (100 MiB in all, by test)"},
		{1000, 0, 16, "hash of 1000 MiB refused: at most 2 MiB fit beside Threads 96 MiB, HashAudit 750 MiB (100 MiB in all, by test)"},
		{1, 0, 17, "hash of 1 MiB refused: 0 KiB are left beside Threads 102 MiB, HashAudit 768 KiB (100 MiB in all, by test)"},
		{1000, 1000, 5, ""},
		{1000, 1001, 5, ""},
	} {
		err := b.Fit(hash(c.size, c.present, c.threads))
		if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%+v: %v\nwant %s", c, err, c.err)
		}
	}
	r, u := hash(1000, 0, 5)
	r.Option = HashAudit
	b, _ = budget(100, 20)
	const want = "HashAudit of 750 MiB refused: 0 KiB are left beside Hash 1000 MiB, Threads 30 MiB " +
		"(100 MiB in all, by test)"
	if err := b.Fit(r, u); err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestOrder: of two options it does not matter which is set first.
func TestOrder(t *testing.T) {
	threads := func(n, size uint64) (Request, Use) {
		r, u := hash(size, 0, n)
		r.Option = Threads
		return r, u
	}
	for size := uint64(1); size < 60; size++ {
		for n := uint64(1); n < 17; n++ {
			b, _ := budget(100, 0)
			first := b.Fit(hash(size, 0, 1)) == nil && b.Fit(threads(n, size)) == nil
			b, _ = budget(100, 0)
			second := b.Fit(threads(n, 1)) == nil && b.Fit(hash(size, 0, n)) == nil
			if first != second {
				t.Fatalf("Hash %d, Threads %d: %v; the other way round %v", size, n, first, second)
			}
		}
	}
}

// TestOwn: what parts have in memory is available to them; what else the process has is not.
func TestOwn(t *testing.T) {
	b, setOwn := budget(100, 20)
	if err := b.Fit(hash(20, 0, 5)); err != nil { // 65 MiB in all
		t.Fatal(err)
	}
	for _, c := range []struct{ own, room int }{{0, 35}, {30, 35}, {65, 35}, {70, 30}, {95, 5}} {
		setOwn(c.own)
		if got := b.Room(); got != uint64(c.room)*mib {
			t.Errorf("with %d MiB of its own: %d MiB are left, want %d", c.own, got>>20, c.room)
		}
	}
	setOwn(70)
	if err := b.Fit(hash(40, 20, 5)); err == nil { // it would, without the other 5 MiB
		t.Error("garbage counts as available")
	}
	if err := b.Fit(hash(37, 20, 5)); err != nil {
		t.Error(err)
	}
}

// TestMapped: what is mapped has a limit of its own, which parts that are mapped have met.
func TestMapped(t *testing.T) {
	free := uint64(mem.Unlimited)
	b := &Budget{Measure: func() mem.Room {
		return mem.Room{Free: free, Map: 10 * mib, Mapped: "ulimit -v"}
	}}
	u := Use{Table: 50 * mib, Ordinary: 50 * mib, Worker: 6 * mib, Workers: 1}
	r := Request{Option: Threads, Hash: 50 * mib, Threads: 2}
	if err := b.Fit(r, u); err != nil {
		t.Error(err)
	}
	if room := b.Room(); room != 4*mib {
		t.Errorf("room for %d bytes beside a worker that is still to be mapped", room)
	}
	free = 68 * mib                           // all of which they may use
	for _, r.Threads = range []uint64{3, 4} { // 4 would not fit without the limit either
		want := fmt.Sprintf("%d threads refused: at most 2 fit beside Hash 50 MiB (66 MiB in all, by ulimit -v)", r.Threads)
		if err := b.Fit(r, u); err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// TestFixed: what is loaded counts until it is freed; it gets less if it can do with that.
func TestFixed(t *testing.T) {
	b, _ := budget(100, 0)
	if err := b.Fit(hash(20, 0, 5)); err != nil {
		t.Fatal(err)
	}
	if err := b.Fix("EvalDir", 30*mib); err != nil {
		t.Error(err)
	}
	if err := b.Fix("EvalDir", 35*mib); err != nil { // instead of the 30
		t.Error(err)
	}
	err := b.Fix("BookFile", mib)
	refusal := (*Refusal)(nil)
	if !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(),
		"BookFile of 1 MiB refused: 0 KiB are left beside Hash 20 MiB, Threads 30 MiB, HashAudit 15 MiB, EvalDir 35 MiB") {
		t.Error(err)
	}
	if err := b.Fit(hash(21, 20, 5)); err == nil {
		t.Error("EvalDir does not count")
	}
	if bytes, err := b.FixAtMost("go mate", 512<<10, 256<<10); bytes != 256<<10 || err == nil {
		t.Errorf("%d bytes, %v", bytes, err)
	}
	b.Free("go mate")
	b.Free("EvalDir")
	if bytes, err := b.FixAtMost("go mate", 36*mib, 256<<10); bytes != 35*mib || err == nil || b.Room() != 0 {
		t.Errorf("%d bytes, %v", bytes, err)
	}
	if bytes, err := b.FixAtMost("go mate", 34*mib, 256<<10); bytes != 34*mib || err != nil || b.Room() != mib {
		t.Errorf("%d bytes, %v, room for %d bytes", bytes, err, b.Room())
	}
}

// TestParts: the table that there is takes the memory that it has beside its reserved pages, however many of
// these are free now; a table of another size takes what it would get. Only a game with these options has an audit
// and statistics; an audit is mapped if it is of that table.
func TestParts(t *testing.T) {
	u := Use{Table: 16 * mib, Ordinary: 3 * mib, Worker: mib, Workers: 2, Observed: true, Audit: 768}
	r := Request{Hash: 16 * mib, Pages: mem.SmallPages, Threads: 4, Audit: 768, Stats: mib}
	want := []Part{{Hash, 3 * mib, 3 * mib}, {Threads, 4 * mib, 2 * mib}, {HashAudit, 12 * mib, 12 * mib},
		{HashStats, mib, 0}}
	if got := r.Parts(u); !slices.Equal(got, want) {
		t.Errorf("the present table: %+v, want %+v", got, want)
	}
	r.Hash, r.Threads = 20*mib, 1
	want = []Part{{Hash, 20 * mib, 0}, {Threads, mib, mib}, {HashAudit, 15 * mib, 0}, {HashStats, mib, 0}}
	if got := r.Parts(u); !slices.Equal(got, want) {
		t.Errorf("another table: %+v, want %+v", got, want)
	}
	u.Observed = false
	if got := r.Parts(u); !slices.Equal(got, want[:2]) || r.Bytes(u) != 21*mib {
		t.Errorf("without observation: %+v, %d bytes", got, r.Bytes(u))
	}
}

// TestAtMost: sizes that are not all of what was asked for are whole MiB, or KiB below one.
func TestAtMost(t *testing.T) {
	for kib, want := range map[uint64]string{
		1 << 30: "16 MiB", 16 << 10: "16 MiB", 16<<10 - 1: "15 MiB of 16", 1<<10 + 5: "1 MiB of 16",
		1 << 10: "1 MiB of 16", 1<<10 - 1: "1023 KiB of 16 MiB", 256: "256 KiB of 16 MiB", 0: "256 KiB of 16 MiB",
	} {
		if got := Whole(16 << 20).AtMost(kib << 10).String(); got != want {
			t.Errorf("%d KiB: %s, want %s", kib, got, want)
		}
	}
	if got := Whole(16 << 20).AtMost(16<<20 - 1).Bytes; got != 15<<20 {
		t.Errorf("%d bytes", got)
	}
}

// TestThisProcess: the zero budget measures, and limits the heap to what is free.
func TestThisProcess(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	var b Budget
	b.Keep(Request{}, Use{})
	if err := b.Fit(hash(1, 0, 0)); err != nil {
		t.Error(err)
	}
	if err := b.Fit(hash(1<<40, 0, 0)); err == nil && b.Room() != mem.Unlimited {
		t.Error("2^60 bytes fit")
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 && b.Room() != mem.Unlimited {
		t.Error("the heap has no limit")
	}
}
