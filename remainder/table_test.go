package remainder

import (
	"flag"
	"testing"
	"unsafe"

	"trefoil/internal/tabletest"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// mix is the finaliser of splitmix64: a bijection that looks random.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

func mustNew(t testing.TB, shape Shape, maxKey uint64) *Table {
	t.Helper()
	table, err := New(shape, maxKey)
	tabletest.CloseAtEnd(t, table, err)
	return table
}

func mustPlan(t testing.TB, bytes uint64, perBucket int, maxKey uint64) *Table {
	t.Helper()
	shape, err := Plan(bytes, perBucket, maxKey)
	if err != nil {
		t.Fatal(err)
	}
	return mustNew(t, shape, maxKey)
}

// TestBuckets: buckets are contiguous, fill the memory exactly, and none straddles a cache line.
func TestBuckets(t *testing.T) {
	for _, perBucket := range []int{1, 2, 4} {
		table := mustNew(t, Shape{1001, perBucket, 40}, 1001<<40-1)
		if got := uint64(len(table.region.Words())); got != 1001*uint64(perBucket) {
			t.Errorf("%d entries per bucket: %d words", perBucket, got)
		}
		for key := range uint64(3000) {
			at := uint64(uintptr(table.bucket(key)) - uintptr(table.base))
			if at != key%1001*uint64(perBucket)*8 || at/64 != (at+uint64(perBucket)*8-1)/64 {
				t.Fatalf("%d entries per bucket: key %d has its bucket at byte %d", perBucket, key, at)
			}
		}
		if uintptr(table.base)%64 != 0 {
			t.Errorf("the table begins at %v", table.base)
		}
	}
}

// TestWord: a word is value << k | low key bits.
func TestWord(t *testing.T) {
	table := mustNew(t, Shape{1001, 1, 40}, 1<<49-1)
	key, value := uint64(1<<49-1), uint64(0xABCDEF)
	table.Store(Key{0, key}, value)
	if w := table.region.Words()[key%1001]; w != value<<40|key&(1<<40-1) {
		t.Errorf("word %#x", w)
	}
	if table.maxKey != (Key{0, 1<<49 - 1}) || table.Shape().MaxValue() != 1<<24-1 ||
		table.Shape() != (Shape{1001, 1, 40}) {
		t.Errorf("%+v, keys to %v", table.Shape(), table.maxKey)
	}
}

func TestFull(t *testing.T) {
	for _, perBucket := range []int{1, 2, 4} {
		table := mustPlan(t, 1<<20, perBucket, connect4Key)
		if f := table.Full(); f != 0 {
			t.Errorf("an empty table is %d permille full", f)
		}
		for i := range uint64(1 << 16) {
			table.Store(Key{0, mix(i) % connect4Key}, 1)
		}
		// Half as many keys as words: (1 - e^-0.5) = 0.393 for one way, more for others.
		if f := table.Full(); f < 350 || f > 500 {
			t.Errorf("%d entries per bucket: stored half its size, a table is %d permille full", perBucket, f)
		}
		for i := range uint64(1 << 20) {
			table.Store(Key{0, mix(i) % connect4Key}, 1)
		}
		if f := table.Full(); f < 990 {
			t.Errorf("%d entries per bucket: stored eight times its size, a table is %d permille full", perBucket, f)
		}
	}
	small := mustNew(t, Shape{3, 1, 40}, 100)
	small.Store(Key{0, 1}, 1)
	if f := small.Full(); f != 333 {
		t.Errorf("one word of three: %d permille", f)
	}
	small.Store(Key{0, 0}, 1)
	small.Store(Key{0, 2}, 1)
	if f := small.Full(); f != 1000 {
		t.Errorf("three words of three: %d permille", f)
	}
}

func TestNoAllocations(t *testing.T) {
	for _, perBucket := range []int{1, 2, 4} {
		table := mustPlan(t, 1<<20, perBucket, connect4Key)
		pairs := mustPairs(t, 1<<17+1, connect4Key)
		i := uint64(0)
		if n := testing.AllocsPerRun(1000, func() {
			i++
			key := mix(i) % connect4Key
			table.Prefetch(key)
			table.Store(Key{0, key}, 9)
			pairs.Store(key, 9)
			a, _ := table.Probe(Key{0, key})
			if b, _ := pairs.Probe(key); a != 9 || b != 9 {
				t.Errorf("key %d: %d, %d", key, a, b)
			}
			table.Full()
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

// TestChecked: race builds panic for arguments with which the table would not be exact.
func TestChecked(t *testing.T) {
	if !checked {
		t.Skip("needs the race detector: go test -race")
	}
	table := mustNew(t, Shape{1001, 1, 40}, 1000)
	for name, f := range map[string]func(){
		"key to store": func() { table.Store(Key{0, 1001}, 1) },
		"key to probe": func() { table.Probe(Key{0, 1001}) },
		"no value":     func() { table.Store(Key{0, 1}, 0) },
		"large value":  func() { table.Store(Key{0, 1}, 1<<24) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s went unnoticed", name)
				}
			}()
			f()
		}()
	}
}

// A word has 8 bytes: otherwise one of these constants overflows at compile time.
const (
	_ = uint(unsafe.Sizeof(uint64(0)) - wordBytes)
	_ = uint(wordBytes - unsafe.Sizeof(uint64(0)))
)
