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

// TestThreadsAgainstMaps: eight goroutines share a small table. Every key is stored by one
// goroutine, which must find its last value or nothing. The others may find any value that was
// stored for the key; values contain a hash of the complete key.
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
		for _, perBucket := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%dx%d,%d", s.buckets, perBucket, s.bits), func(t *testing.T) {
				table := mustNew(t, Shape{s.buckets, perBucket, s.bits}, s.buckets<<s.bits-1)
				var ownHits, otherHits atomic.Int64
				var group sync.WaitGroup
				for worker := range uint64(workers) {
					group.Go(func() {
						own, others := contend(t, table, worker, operations)
						ownHits.Add(own)
						otherHits.Add(others)
					})
				}
				group.Wait()
				t.Logf("%d operations, %d hits of own keys, %d of others', none false",
					workers*operations, ownHits.Load(), otherHits.Load())
				if ownHits.Load() == 0 || otherHits.Load() == 0 {
					t.Error("no hits")
				}
			})
		}
	}
}

// versioned returns a value made of a hash of the complete key and a version.
func versioned(key, version uint64, shape Shape) uint64 {
	check := mix(key) >> 40 // 24 bits
	return (version<<24|check)%shape.MaxValue() + 1
}

// contend is one worker: half of its operations on its own keys store, the others probe its
// own and other workers' keys.
func contend(t *testing.T, table *Table, worker uint64, operations int) (own, others int64) {
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
				table.Store(Key{0, key}, versioned(key, last[key], shape))
			}
			value, ok := table.Probe(Key{0, key})
			if ok && (last[key] == 0 || value != versioned(key, last[key], shape)) {
				t.Errorf("%+v: own key %d: got %d, stored was version %d", shape, key, value, last[key])
				return own, others
			}
			if ok {
				own++
			}
			continue
		}
		if value, ok := table.Probe(Key{0, key}); ok {
			others++
			if (value-1)&(1<<24-1) != mix(key)>>40 {
				t.Errorf("%+v: key %d has another's value %d", shape, key, value)
				return own, others
			}
		}
	}
	return own, others
}

// TestRaceDetectorReports: the race detector reports a store that is not atomic. The
// store runs in a process of its own, which has to fail.
func TestRaceDetectorReports(t *testing.T) {
	const child = "TREFOIL_RACY_STORE"
	if os.Getenv(child) != "" {
		table := mustNew(t, Shape{3, 1, 40}, 100)
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				for range 1000 {
					table.Probe(Key{0, 1})
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
	cmd := exec.Command(os.Args[0], "-test.run=^TestRaceDetectorReports$")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "DATA RACE") {
		t.Errorf("a plain store went unnoticed: %v\n%.2000s", err, out)
	}
}
