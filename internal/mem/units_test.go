package mem

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"
)

// TestPart: a part is whole KiB, at least Least, and at most the table.
func TestPart(t *testing.T) {
	for _, c := range []struct{ part, table, want uint64 }{
		{0, 1<<20 + 5, 1<<20 + 5}, {100<<10 + 5, 1 << 20, 100 << 10}, {1, 1 << 20, Least}, {Least + 1, 1 << 20, Least},
		{1 << 40, 1 << 20, 1 << 20}, {Least, Least - 1, Least - 1},
	} {
		if got := (Options{Bytes: c.part}).Part(c.table); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.part, c.table, got, c.want)
		}
	}
	for bytes, want := range map[uint64]string{0: "0 KiB", 1<<20 - 1: "1023 KiB", 1 << 20: "1 MiB", 5<<20 + 1: "5 MiB"} {
		if got := Size(bytes); got != want {
			t.Errorf("%d: %s, want %s", bytes, got, want)
		}
	}
}

// TestFitsBesideTheOld: what the old table gives back counts where the rest does not suffice, and the error names it.
func TestFitsBesideTheOld(t *testing.T) {
	l, asked := &layout{rest: SmallPages}, 0
	back := func(bytes uint64) func() uint64 { return func() uint64 { asked++; return bytes } }
	m := Measure()
	if err := fits(m.Free/2, l, back(0)); err != nil || asked > 0 {
		t.Errorf("half of what is free: %v, the old table was asked %d times", err, asked)
	}
	const huge = 1 << 50
	err := fits(huge, l, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "hash of 1073741824 MiB refused: ") ||
		strings.Contains(err.Error(), "old") {
		t.Error(err)
	}
	if m.Map < math.MaxInt64 {
		t.Skip("address space is limited")
	}
	if err := fits(huge, l, back(huge)); err != nil || asked != 1 {
		t.Errorf("%v, the old table was asked %d times", err, asked)
	}
	if err := fits(huge, l, back(3<<20)); err == nil || !strings.Contains(err.Error(), ", plus 3 MiB of the old table") {
		t.Error(err)
	}
}

// TestMapNamesTheBounds: a size that no region has is refused with the bounds.
func TestMapNamesTheBounds(t *testing.T) {
	want := fmt.Sprintf("memory: 0 bytes are outside 1 to %d", uint64(math.MaxInt-bytes1GiB-Align))
	if _, err := Map(0); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestUsageText: the usage of two regions is the sum, and its text has each kind of page.
func TestUsageText(t *testing.T) {
	u := Usage{Known: true, Size: 1, Resident: 2, Transparent: 3, Pages1GiB: 4, Pages2MiB: 5, Nodes: 1, Note: "a"}
	v := Usage{Known: true, Size: 10, Resident: 20, Transparent: 30, Pages1GiB: 40, Pages2MiB: 50, Nodes: 2, Note: "b"}
	if got := u.Plus(v); got != (Usage{true, 11, 22, 33, 44, 55, 2, "a"}) {
		t.Errorf("%+v", got)
	}
	if got := (Usage{}).Plus(v); got.Known || got.Note != "b" {
		t.Errorf("%+v", got)
	}
	for want, u := range map[string]Usage{
		"huge pages unknown to this system":                      {},
		"huge pages 0 MiB (0 %)":                                 {Known: true},
		"huge pages 6 MiB (75 %, 2 of 2 MiB, 2 MiB transparent)": {Known: true, Size: 8 << 20, Transparent: 2 << 20, Pages2MiB: 4 << 20},
		"huge pages 1024 MiB (100 %, 1 of 1 GiB)":                {Known: true, Size: 1 << 30, Pages1GiB: 1 << 30},
		"huge pages 2 MiB (100 %, transparent), interleaved over 2 NUMA nodes, why": {Known: true, Size: 2 << 20,
			Transparent: 2 << 20, Nodes: 2, Note: "why"},
	} {
		if got := u.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := Pages(len(pagesNames)).String(); got != "pages(5)" {
		t.Error(got)
	}
}

// TestWorkers: a small region has one worker, and none has more than maxWorkers.
func TestWorkers(t *testing.T) {
	for _, c := range []struct {
		size    uint64
		n, want int
	}{{oneWorker - 1, 8, 1}, {oneWorker, 2, 2}, {oneWorker, 0, 1}, {oneWorker, maxWorkers + 1, maxWorkers}} {
		if got := (&Region{size: c.size}).workers(c.n); got != c.want {
			t.Errorf("%d bytes, %d: %d, want %d", c.size, c.n, got, c.want)
		}
	}
}

// TestFault: a fault in a goroutine of inPieces reaches the caller, with its address; other panics are no faults.
func TestFault(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	r := mustMap(t, 2<<20)
	if reflect.TypeOf(r.held).Size() == unsafe.Sizeof([]byte{}) {
		t.Skip("memory is part of the Go heap here: no guards")
	}
	guard := unsafe.Add(r.Pointer(), -8)
	if r.Has(uintptr(guard)) || !r.Has(uintptr(r.Pointer())) || !r.Has(uintptr(r.Pointer())+2<<20-1) ||
		r.Has(uintptr(r.Pointer())+2<<20) {
		t.Error("Has")
	}
	panicked := func(do func()) (p any) {
		defer func() { p = recover() }()
		do()
		return nil
	}
	read := func([]byte) { _ = *(*uint64)(guard) }
	for what, do := range map[string]func(){
		"here":           func() { read(nil) },
		"in a goroutine": func() { _, _ = r.inPieces(context.Background(), 0, r.size, 2, pieces, read, nil) },
	} {
		p := panicked(do)
		if address, ok := Fault(p); !ok || address != uintptr(guard) {
			t.Errorf("%s: %v at %#x, want %#x", what, p, address, guard)
		}
	}
	for _, p := range []any{"a text", panicked(func() { _ = make([]int, len(t.Name()))[100] })} {
		if address, ok := Fault(p); ok || address != 0 {
			t.Errorf("%v is a fault", p)
		}
	}
}
