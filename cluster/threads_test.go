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

// tally is what goroutines saw that fought over a few clusters.
type tally struct {
	hits    uint64
	lies    uint64 // move, value, depth, bound or PV of another key
	foreign uint64 // evals of another key
}

func (a *tally) add(b tally) {
	a.hits += b.hits
	a.lies += b.lies
	a.foreign += b.foreign
}

// meetingKeys are that many keys, no two of which agree in cluster and in the
// check bits of a word, so that every wrong answer is the fault of a race.
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

// fight lets eight goroutines probe and store 1:1 until the time is over.
func fight(table *Table, keys []uint64, store func(uint64, Entry), d time.Duration) (all tally) {
	var group sync.WaitGroup
	var mutex sync.Mutex
	end := time.Now().Add(d)
	for g := range uint64(8) {
		group.Go(func() {
			var seen tally
			for i := g << 40; time.Now().Before(end); {
				if g == 0 {
					table.NewSearch() // as no search would, for Refresh to have work
				}
				for range 1000 {
					i++
					k := keys[stream(10, i)%uint64(len(keys))]
					if e, ok := table.Probe(k); ok {
						want := entryOf(k)
						seen.hits++
						if e.Old {
							table.Refresh(k)
							e.Old = false
						}
						if e.Eval != want.Eval {
							seen.foreign++
							e.Eval = want.Eval
						}
						if e != want {
							seen.lies++
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

// Threads that fight over 64 clusters never read another key's move, value, depth
// or bound, and hardly ever its eval: a 32nd as often as without the check bits in
// the lane.
func TestNoLieUnderThreads(t *testing.T) {
	d := 500 * time.Millisecond
	if *long {
		d = 10 * time.Second
	}
	var with, without tally
	for _, index := range []Index{Mul32, Mul64} {
		for _, n := range []int{100_000, 400} {
			for _, bits := range []int{maxCheckBits, wordCheck} {
				table := shrunk(t, 64, index, KeyBits(bits))
				got := fight(table, meetingKeys(table, n), func(key uint64, e Entry) { table.Store(key, e) }, d)
				t.Logf("%s, %6d keys, %d check bits: %8d hits, %d lies, %d foreign evals, %.2f in a million",
					index, n, bits, got.hits, got.lies, got.foreign, float64(got.foreign)/float64(got.hits)*1e6)
				if got.lies > 0 {
					t.Errorf("%d lies", got.lies)
				}
				if bits == maxCheckBits {
					with.add(got)
				} else {
					without.add(got)
				}
			}
		}
	}
	// Counts of rare events: five deviations of leave.
	if allowed := float64(with.hits) * 20e-6; float64(with.foreign) > allowed+5*math.Sqrt(allowed)+1 {
		t.Errorf("%d foreign evals in %d hits", with.foreign, with.hits)
	}
	allowed := float64(without.foreign) / float64(without.hits) * float64(with.hits) / 20
	if *long && float64(with.foreign) > allowed+5*math.Sqrt(allowed)+1 {
		t.Errorf("%d foreign evals in %d hits, without the check %d in %d", with.foreign, with.hits, without.foreign, without.hits)
	}
}

// The race detector would see an access that is not atomic: a store that is not
// gets caught. It runs in a process of its own, which has to fail.
func TestRaceDetectorSeesTheTable(t *testing.T) {
	const child = "TREFOIL_RACY_STORE"
	if os.Getenv(child) != "" {
		table := shrunk(t, 64, Mul32)
		keys := meetingKeys(table, 400)
		racy := func(key uint64, e Entry) {
			at, check := table.find(key)
			c := (*words)(unsafe.Add(table.base, at))
			c[key>>1%3] = check&keyMask | uint64(e.Move)<<moveShift | 1<<generationShift
		}
		fight(table, keys, racy, 200*time.Millisecond)
		return
	}
	if !raceDetector {
		t.Skip("needs the race detector: go test -race")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRaceDetectorSeesTheTable$")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "DATA RACE") {
		t.Errorf("a plain store went unnoticed: %v\n%.2000s", err, out)
	}
}

// A new search and the size of the table may be asked for while others probe.
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
