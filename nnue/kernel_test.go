package nnue

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// FuzzUpdate compares the kernel of this processor with the one in Go, on any numbers and lists of any
// length: sums may leave int16 and wrap around.
func FuzzUpdate(f *testing.F) {
	for seed, list := range [][2]uint16{{0, 0}, {1, 0}, {0, 1}, {2, 2}, {32, 0}, {500, 3}, {7, 500}} {
		for groups := range uint8(12) {
			f.Add(uint64(seed), groups, list[0], list[1], groups%2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, groups uint8, added, removed uint16, inPlace bool) {
		rng := rand.New(rand.NewPCG(seed, 0))
		hidden := (1 + int(groups)%(MaxHidden/HiddenDivisor)) * HiddenDivisor
		inputs := 1 + rng.IntN(50)
		weights := randomInt16s(rng, inputs*hidden)
		lists := [2][]uint16{make([]uint16, added%512), make([]uint16, removed%512)}
		for _, list := range lists {
			for i := range list {
				list[i] = uint16(rng.IntN(inputs))
			}
		}
		src := randomInt16s(rng, hidden)
		want, got := make([]int16, hidden), make([]int16, hidden)
		updateGo(want, src, weights, lists[0], lists[1])
		if inPlace {
			got = src
		}
		update(got, src, weights, lists[0], lists[1])
		if !slices.Equal(got, want) {
			t.Fatalf("hidden %d, %d added, %d removed: %v, want %v", hidden, len(lists[0]), len(lists[1]), got, want)
		}
	})
}

// FuzzScrelu compares the kernel of this processor with the one in Go, on any accumulators and on
// weights that a Net may have.
func FuzzScrelu(f *testing.F) {
	for groups := range uint8(33) {
		f.Add(uint64(groups), groups)
	}
	f.Fuzz(func(t *testing.T, seed uint64, groups uint8) {
		rng := rand.New(rand.NewPCG(seed, 0))
		hidden := (1 + int(groups)%(MaxHidden/HiddenDivisor)) * HiddenDivisor
		weights := make([]int16, 2*hidden)
		most := MaxOutputSum / len(weights)
		for i := range weights {
			weights[i] = int16(rng.IntN(2*most+1) - most)
		}
		if seed%2 == 0 { // all at their bound
			for i := range weights {
				weights[i] = int16(most)
			}
		}
		us, them := randomInt16s(rng, hidden), randomInt16s(rng, hidden)
		if got, want := screlu(us, them, weights), screluGo(us, them, weights); got != want {
			t.Fatalf("hidden %d: %d, want %d", hidden, got, want)
		}
	})
}

// randomInt16s has large, small and extreme numbers.
func randomInt16s(rng *rand.Rand, n int) []int16 {
	v := make([]int16, n)
	for i := range v {
		switch rng.IntN(4) {
		case 0:
			v[i] = []int16{math.MinInt16, math.MaxInt16, -1, 0, 1, QA - 1, QA, QA + 1}[rng.IntN(8)]
		case 1:
			v[i] = int16(rng.IntN(2*QA) - QA/2)
		default:
			v[i] = int16(rng.Uint32())
		}
	}
	return v
}
