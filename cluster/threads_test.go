package cluster

import (
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// tally counts what concurrent probes returned.
type tally struct {
	hits       uint64
	falseHits  uint64 // move, value, depth, bound or PV of another key
	wrongEvals uint64 // evals of another key
}

func (a *tally) add(b tally) {
	a.hits += b.hits
	a.falseHits += b.falseHits
	a.wrongEvals += b.wrongEvals
}

// meetingKeys returns n keys. No two of them agree in cluster and in the check bits of a word, so every
// wrong answer comes from a race.
func meetingKeys(table *Table, n int) []uint64 {
	type place struct{ at, check uint64 }
	seen := map[place]bool{}
	var keys []uint64
	for i := uint64(0); len(keys) < n; i++ {
		k := stream(9, i)
		at, check := table.find(k)
		if p := (place{at, check >> keyShift}); !seen[p] {
			seen[p] = true
			keys = append(keys, k)
		}
	}
	return keys
}

// contend lets eight goroutines probe and store in turns for a duration, each at least some thousand times.
func contend(table *Table, keys []uint64, store func(uint64, Entry), d time.Duration) (all tally) {
	var group sync.WaitGroup
	var mutex sync.Mutex
	end := time.Now().Add(d)
	for g := range uint64(8) {
		group.Go(func() {
			var seen tally
			for i := g << 40; i < g<<40+5000 || time.Now().Before(end); {
				if g == 0 {
					table.NewSearch() // beside probes, unlike in a search, so that Refresh has work
				}
				for range 1000 {
					i++
					k := keys[stream(10, i)%uint64(len(keys))]
					if e, ok := table.Probe(k); ok {
						want := entryOf(k)
						seen.hits++
						if !e.Refreshed {
							table.Refresh(k)
						}
						if e.Eval != want.Eval {
							seen.wrongEvals++
							e.Eval = want.Eval
						}
						if e.Entry != want {
							seen.falseHits++
						}
					}
					k = keys[stream(11, i)%uint64(len(keys))]
					store(k, entryOf(k))
				}
			}
			mutex.Lock()
			all.add(seen)
			mutex.Unlock()
		})
	}
	group.Wait()
	return all
}

// TestConcurrentProbes: goroutines on 64 clusters never read another key's move, value, depth
// or bound. How often they read its eval depends on the machine, and is logged.
func TestConcurrentProbes(t *testing.T) {
	d := 100 * time.Millisecond
	if *long {
		d = 10 * time.Second
	}
	for _, index := range []Index{Mul32, Mul64} {
		for _, n := range []int{100_000, 400} {
			for _, bits := range []int{maxCheckBits, wordCheck} {
				table := shrunk(t, 64, index, KeyBits(bits))
				got := contend(table, meetingKeys(table, n), func(key uint64, e Entry) { table.Store(key, e) }, d)
				t.Logf("%s, %6d keys, %d check bits: %8d hits, %d false hits, %d wrong evals, %.2f in a million",
					index, n, bits, got.hits, got.falseHits, got.wrongEvals,
					float64(got.wrongEvals)/float64(got.hits)*1e6)
				if got.falseHits > 0 {
					t.Errorf("%d false hits", got.falseHits)
				}
			}
		}
	}
}

// TestTornEntry: an entry beside the eval slot of another key, as two writers may leave it, is
// rejected 31 times of 32.
func TestTornEntry(t *testing.T) {
	const pairs = 100_000
	table := shrunk(t, 2, Mul32)
	accepted := 0
	for i := range uint64(pairs) {
		mine, other := stream(12, i)&^1, stream(13, i)&^1
		c := (*words)(table.base)
		*c = words{}
		table.Store(other, entryOf(other))
		slots := c[3]
		*c = words{}
		table.Store(mine, entryOf(mine))
		if _, ok := table.Probe(mine); !ok {
			t.Fatalf("key %#x is not found", mine)
		}
		c[3] = slots
		if _, ok := table.Probe(mine); ok {
			accepted++
		}
	}
	if want := pairs / 32.0; math.Abs(float64(accepted)-want) > 5*math.Sqrt(want) {
		t.Errorf("%d of %d torn entries are accepted, want %.0f", accepted, pairs, want)
	}
}

// TestRaceDetectorReports: the race detector reports a store that is not atomic. The
// store runs in a process of its own, which has to fail.
func TestRaceDetectorReports(t *testing.T) {
	const child = "TREFOIL_RACY_STORE"
	if os.Getenv(child) != "" {
		table := shrunk(t, 64, Mul32)
		keys := meetingKeys(table, 400)
		racy := func(key uint64, e Entry) {
			at, check := table.find(key)
			c := (*words)(unsafe.Add(table.base, at))
			c[key>>1%3] = check&keyMask | uint64(e.Move)<<moveShift | 1
		}
		contend(table, keys, racy, 200*time.Millisecond)
		return
	}
	if !raceDetector {
		t.Skip("needs the race detector: go test -race")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRaceDetectorReports$")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "DATA RACE") {
		t.Errorf("a plain store went unnoticed: %v\n%.2000s", err, out)
	}
}

// TestFullBesideStores: Full and NewSearch may run beside Store.
func TestFullBesideStores(t *testing.T) {
	table := mustNew(t, 1, Auto)
	var stop atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		for i := uint64(0); !stop.Load(); i++ {
			table.Store(stream(12, i), Entry{})
		}
	})
	for range 50 {
		if f := table.Full(); f < 0 || f > 1000 {
			t.Errorf("%d permille", f)
		}
		table.NewSearch()
	}
	stop.Store(true)
	group.Wait()
}
