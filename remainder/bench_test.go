package remainder

import (
	"fmt"
	"testing"
)

// sum keeps the compiler from removing computations.
var sum uint64

// BenchmarkModulus measures latency: every remainder depends on the last one.
func BenchmarkModulus(b *testing.B) {
	n := uint64(2_095_021)
	m := newModulus(n, 1)
	b.Run("reciprocal", func(b *testing.B) {
		x := uint64(0)
		for b.Loop() {
			x = m.of(x ^ 0x1_5555_5555_5555)
		}
		sum += x
	})
	b.Run("division", func(b *testing.B) {
		x := uint64(0)
		for b.Loop() {
			x = (x ^ 0x1_5555_5555_5555) % n
		}
		sum += x
	})
}

// BenchmarkTable probes and stores twice as many keys as the table has entries, in a table that
// fits the cache and in one that does not.
func BenchmarkTable(b *testing.B) {
	for _, c := range []struct {
		mib       uint64
		perBucket int
	}{{1, 1}, {1, 2}, {1, 4}, {256, 1}, {256, 4}} {
		b.Run(fmt.Sprintf("%dMiB/%dways", c.mib, c.perBucket), func(b *testing.B) {
			table := mustPlan(b, c.mib<<20, c.perBucket, connect4Key)
			n := 2 * table.Shape().Bytes() / wordBytes
			key := func(i uint64) uint64 { return mix(i%n) >> 15 }
			for i := range n {
				table.Prefetch(key(i + 16))
				table.Store(Key{0, key(i)}, 1+i&0xFF)
			}
			for name, f := range map[string]func(i uint64){
				"key":   func(i uint64) { sum += key(i) },
				"probe": func(i uint64) { v, _ := table.Probe(Key{0, key(i)}); sum += v },
				"store": func(i uint64) { table.Store(Key{0, key(i)}, 1+i&0xFF) },
				"both":  func(i uint64) { v, _ := table.Probe(Key{0, key(i)}); table.Store(Key{0, key(i)}, 1+v&0xFF) },
				"bothAhead": func(i uint64) {
					table.Prefetch(key(i + 16))
					v, _ := table.Probe(Key{0, key(i)})
					table.Store(Key{0, key(i)}, 1+v&0xFF)
				},
			} {
				b.Run(name, func(b *testing.B) {
					for i := uint64(0); b.Loop(); i++ {
						f(i)
					}
				})
			}
		})
	}
}

// BenchmarkPairs is the same for the tutorial's table of 40 MiB.
func BenchmarkPairs(b *testing.B) {
	p := mustPairs(b, TutorialSlots, connect4Key)
	key := func(i uint64) uint64 { return mix(i%(2*TutorialSlots)) >> 15 }
	for i := range uint64(2 * TutorialSlots) {
		p.Store(key(i), uint8(i)|1)
	}
	b.Run("probe", func(b *testing.B) {
		for i := uint64(0); b.Loop(); i++ {
			v, _ := p.Probe(key(i))
			sum += uint64(v)
		}
	})
	b.Run("store", func(b *testing.B) {
		for i := uint64(0); b.Loop(); i++ {
			p.Store(key(i), uint8(i)|1)
		}
	})
}
