package remainder

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

const workers = 8

// TestThreadsAgainstMaps: eight goroutines fight over a small table. Every key has one
// goroutine that stores it and knows its last value: that is what it has to find, if
// anything. The others may find any value that was stored for the key, and these name
// the complete key.
func TestThreadsAgainstMaps(t *testing.T) {
	operations := 150_000
	switch {
	case *long && !checked:
		operations = 10_000_000
	case *long:
		operations = 1_000_000
	case checked:
		operations = 30_000
	}
	for _, s := range []struct {
		buckets uint64
		bits    uint
	}{{1009, 10}, {1001, 10}, {32767, 20}} {
		for _, ways := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%dx%d,%d", s.buckets, ways, s.bits), func(t *testing.T) {
				table := mustNew(t, Shape{s.buckets, ways, s.bits}, s.buckets<<s.bits-1)
				var hits, foreign atomic.Int64
				var group sync.WaitGroup
				for worker := range uint64(workers) {
					group.Go(func() {
						own, others := fight(t, table, worker, operations)
						hits.Add(own)
						foreign.Add(others)
					})
				}
				group.Wait()
				t.Logf("%d operations, %d hits of own keys, %d of others', none false",
					workers*operations, hits.Load(), foreign.Load())
				if hits.Load() == 0 || foreign.Load() == 0 {
					t.Error("no hits")
				}
			})
		}
	}
}

// named returns a value that names the complete key and a version.
func named(key, version uint64, shape Shape) uint64 {
	check := mix(key) >> 40 // 24 bits
	return (version<<24|check)%shape.MaxValue() + 1
}

// fight is one of the eight: half of its operations store a key of its own, the others
// probe its own and others' keys.
func fight(t *testing.T, table *Table, worker uint64, operations int) (own, others int64) {
	shape := table.Shape()
	rnd := rand.New(rand.NewPCG(worker, shape.Buckets))
	next := keys(rand.New(rand.NewPCG(7, 7)), shape.Buckets, shape.KeyBits) // the same bases for all
	for range worker {
		next()
	}
	last := map[uint64]uint64{}
	for i := range operations {
		key := next()
		if mix(key)%workers == worker {
			if rnd.IntN(2) == 0 {
				last[key] = 1 + uint64(i)&0xFFF
				table.Store(key, named(key, last[key], shape))
			}
			value, ok := table.Probe(key)
			if ok && (last[key] == 0 || value != named(key, last[key], shape)) {
				t.Errorf("%+v: own key %d: got %d, stored was version %d", shape, key, value, last[key])
				return own, others
			}
			if ok {
				own++
			}
			continue
		}
		if value, ok := table.Probe(key); ok {
			others++
			if (value-1)&(1<<24-1) != mix(key)>>40 {
				t.Errorf("%+v: key %d has another's value %d", shape, key, value)
				return own, others
			}
		}
	}
	return own, others
}

// The race detector would see an access that is not atomic: a store that is not gets
// caught. It runs in a process of its own, which has to fail.
func TestRaceDetectorSeesTheTable(t *testing.T) {
	const child = "TREFOIL_RACY_STORE"
	if os.Getenv(child) != "" {
		table := mustNew(t, Shape{3, 1, 40}, 100)
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				for range 1000 {
					table.Probe(1)
					*(*uint64)(unsafe.Pointer(table.bucket(1))) = 1<<40 | 1
				}
			})
		}
		group.Wait()
		return
	}
	if !checked {
		t.Skip("needs the race detector: go test -race")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRaceDetectorSeesTheTable$")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "DATA RACE") {
		t.Errorf("a plain store went unnoticed: %v\n%.2000s", err, out)
	}
}
