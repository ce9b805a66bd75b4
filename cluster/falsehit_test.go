package cluster

import (
	"math"
	"sync"
	"testing"
)

// A false hit is a hit of a key that was never stored. A probe that misses compares
// 21 bits with three entries: 3·2^-21 false hits a probe, if check bits and index
// bits are different bits, and 32 times as many with 16.

// falseHits stores four times the capacity of a table and probes it with keys that were never stored,
// on two goroutines.
func falseHits(t *testing.T, index Index, bits int, seed, probes uint64) (hits float64) {
	t.Helper()
	mib := uint64(4)
	if *long {
		mib = 64
	} else if raceDetector {
		mib = 1
	}
	table := mustNew(t, mib, index, KeyBits(bits))
	const ahead = 16
	for i := range 4 * 3 * table.Plan().Clusters {
		table.Prefetch(stream(seed, i+ahead))
		table.Store(stream(seed, i), Entry{Move: 1})
	}
	if f := table.Full(); f < 990 {
		t.Fatalf("%d permille full", f)
	}
	var group sync.WaitGroup
	var found [2]uint64
	for g := range uint64(2) {
		group.Go(func() {
			n := uint64(0)
			for i := g * probes / 2; i < (g+1)*probes/2; i++ {
				// The other half of the stream's inputs: no key comes twice.
				table.Prefetch(mix(seed - i - ahead - 1))
				if _, ok := table.Probe(mix(seed - i - 1)); ok {
					n++
				}
			}
			found[g] = n
		})
	}
	group.Wait()
	return float64(found[0] + found[1])
}

var falseHitSeeds = map[string]uint64{"Zobrist": 0x5A6F6272697374, "Trefoil": 0x54726566_6F696C, "1970": 1970}

func TestFalseHits(t *testing.T) {
	probes21, probes16 := uint64(4_000_000), uint64(400_000)
	if *long {
		probes21, probes16 = 1_000_000_000, 100_000_000
	} else if raceDetector {
		probes21, probes16 = 10_000, 10_000
	}
	for name, seed := range falseHitSeeds {
		for _, index := range []Index{Mul32, Mul64} {
			for _, c := range []struct {
				bits   int
				probes uint64
			}{{21, probes21}, {16, probes16}} {
				hits := falseHits(t, index, c.bits, seed, c.probes)
				want := float64(c.probes) * 3 / float64(uint64(1)<<c.bits)
				// Five deviations of a Poisson count; of 10^9 probes that is 13 %.
				if math.Abs(hits-want) > 5*math.Sqrt(want)+1 || *long && math.Abs(hits/want-1) > 0.15 {
					t.Errorf("%s, %s, %d bits: %.0f false hits in %d probes, want %.1f", name, index, c.bits, hits,
						c.probes, want)
				}
				t.Logf("%-8s %s, %d check bits: %5.0f false hits in %d probes, %.3f × 3·2^-%d", name, index,
					c.bits, hits, c.probes, hits/want, c.bits)
			}
		}
	}
}
