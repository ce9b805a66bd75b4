package nnue

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchmarkHidden runs a benchmark on nets of the sizes in use, with the shape of chess.
func benchmarkHidden(b *testing.B, run func(b *testing.B, n *Net, rng *rand.Rand)) {
	for _, hidden := range []int{128, 256} {
		b.Run(fmt.Sprint(hidden), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			s := Shape{Features: "chess 768 mirrored", Inputs: 768, Active: 32, Hidden: hidden, Buckets: 8}
			run(b, randomNet(b, rng, s), rng)
		})
	}
}

// BenchmarkUpdate adds two features and removes two, of 64 lists by turns.
func BenchmarkUpdate(b *testing.B) {
	benchmarkHidden(b, func(b *testing.B, n *Net, rng *rand.Rand) {
		var lists [64][4]uint16
		for i := range lists {
			copy(lists[i][:], activeFeatures(rng, n.Inputs, 4))
		}
		src, dst := make([]int16, n.Hidden), make([]int16, n.Hidden)
		for i := 0; b.Loop(); i++ {
			list := &lists[i%len(lists)]
			n.Update(dst, src, list[:2], list[2:])
		}
	})
}

// BenchmarkRefresh adds up 32 features.
func BenchmarkRefresh(b *testing.B) {
	benchmarkHidden(b, func(b *testing.B, n *Net, rng *rand.Rand) {
		features := activeFeatures(rng, n.Inputs, 32)
		dst := make([]int16, n.Hidden)
		for b.Loop() {
			n.Refresh(dst, features)
		}
	})
}

// BenchmarkOutput evaluates one pair of accumulators.
func BenchmarkOutput(b *testing.B) {
	benchmarkHidden(b, func(b *testing.B, n *Net, rng *rand.Rand) {
		us, them := make([]int16, n.Hidden), make([]int16, n.Hidden)
		n.Refresh(us, activeFeatures(rng, n.Inputs, 32))
		n.Refresh(them, activeFeatures(rng, n.Inputs, 32))
		for i := 0; b.Loop(); i++ {
			n.Output(us, them, i%n.Buckets)
		}
	})
}
