package remainder

import (
	"fmt"
	"testing"
)

// sum keeps what is computed from being left out.
var sum uint64

// BenchmarkModulus: every remainder waits for the last one, as a probe waits for its
// bucket.
func BenchmarkModulus(b *testing.B) {
	m := newModulus(2_095_039)
	b.Run("reciprocal", func(b *testing.B) {
		x := uint64(0)
		for b.Loop() {
			x = m.of(x^0x1_5555_5555_5555, 1)
		}
		sum += x
	})
	b.Run("division", func(b *testing.B) {
		x := uint64(0)
		for b.Loop() {
			x = (x ^ 0x1_5555_5555_5555) % m.n
		}
		sum += x
	})
}

// BenchmarkTable times the instructions in a table that fits the cache, and the memory
// in one that does not, with and without a prefetch a few keys ahead.
func BenchmarkTable(b *testing.B) {
	for _, mib := range []uint64{1, 256} {
		for _, ways := range []int{1, 2, 4} {
			table := mustPlan(b, mib<<20, ways, connect4Key)
			n := 2 * table.Shape().Bytes() / wordBytes
			key := func(i uint64) uint64 { return mix(i%n) >> 15 }
			for i := range n {
				table.Store(key(i), 1+i&0xFF)
			}
			name := fmt.Sprintf("%dMiB/%dways/", mib, ways)
			run := func(what string, f func(i uint64)) {
				b.Run(name+what, func(b *testing.B) {
					i := uint64(0)
					for b.Loop() {
						f(i)
						i++
					}
				})
			}
			run("key", func(i uint64) { sum += key(i) })
			run("probe", func(i uint64) { v, _ := table.Probe(key(i)); sum += v })
			run("store", func(i uint64) { table.Store(key(i), 1+i&0xFF) })
			run("both", func(i uint64) {
				if v, ok := table.Probe(key(i)); !ok {
					table.Store(key(i), 1+v)
				}
			})
			run("prefetched", func(i uint64) {
				table.Prefetch(key(i + 16))
				if v, ok := table.Probe(key(i)); !ok {
					table.Store(key(i), 1+v)
				}
			})
		}
	}
}

func BenchmarkPairs(b *testing.B) {
	p := mustPairs(b, TutorialSlots, connect4Key)
	key := func(i uint64) uint64 { return mix(i%(2*TutorialSlots)) >> 15 }
	for i := range uint64(2 * TutorialSlots) {
		p.Store(key(i), uint8(i)|1)
	}
	i := uint64(0)
	b.Run("probe", func(b *testing.B) {
		for b.Loop() {
			v, _ := p.Probe(key(i))
			sum += uint64(v)
			i++
		}
	})
}
