package halfkp

import (
	"math/rand/v2"
	"testing"
)

// FuzzPropagate compares the kernel of this processor with the one in Go, on any numbers.
func FuzzPropagate(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(seed*7))
	}
	f.Fuzz(func(t *testing.T, seed uint64, sparse uint8) {
		rng := rand.New(rand.NewPCG(seed, 0))
		l := new(layers)
		number := func() int32 { return int32(rng.Uint32()) >> rng.IntN(32) }
		weight := func() int8 { return [4]int8{-128, 127, int8(rng.Uint32()), int8(rng.Uint32()) >> 3}[rng.IntN(4)] }
		for i := range l.bias1 {
			l.bias1[i], l.bias2[i], l.weight3[i] = number(), number(), weight()
		}
		l.bias3 = number()
		for i := range l.weight1 {
			for j := range l.weight1[i] {
				l.weight1[i][j] = [4]int8{weight(), weight(), weight(), weight()}
			}
		}
		for i := range l.weight2 {
			for j := range l.weight2[i] {
				l.weight2[i][j] = [4]int8{weight(), weight(), weight(), weight()}
			}
		}
		var us, them [half]int16
		for i := range us {
			us[i], them[i] = int16(number()), int16(number())
			if rng.IntN(256) < int(sparse) {
				us[i] = -us[i] & 0x7fff >> 15
			}
			if rng.IntN(256) < int(sparse) {
				them[i] = 0
			}
		}
		var input [2 * half]uint8
		got, want := propagate(l, &us, &them, &input), propagateGo(l, &us, &them, &input)
		if got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}
