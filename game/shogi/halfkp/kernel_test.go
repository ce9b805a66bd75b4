package halfkp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// FuzzPropagate compares the kernel of this processor with the one in Go, on any numbers.
func FuzzPropagate(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(seed*7))
	}
	f.Fuzz(compareKernels)
}

// compareKernels compares the kernels for random layers and accumulators; 256-sparse of 256 numbers of the
// accumulators are not zero, or nearly so.
func compareKernels(t *testing.T, seed uint64, sparse uint8) {
	rng := rand.New(rand.NewPCG(seed, 0))
	l := new(layers)
	number := func() int32 { return int32(rng.Uint32()) >> rng.IntN(32) }
	weight := func() int8 { return [4]int8{-128, 127, int8(rng.Uint32()), int8(rng.Uint32()) >> 3}[rng.IntN(4)] }
	smaller := rng.IntN(4) // so that the blocks that fit together are 1, 4 and 8
	for i := range l.bias1 {
		l.bias1[i], l.bias2[i], l.weight3[i] = number(), number(), weight()
	}
	l.bias3 = number()
	for i := range l.weight1 {
		for j := range l.weight1[i] {
			l.weight1[i][j] = [4]int8{weight() >> smaller, weight() >> smaller, weight() >> smaller,
				weight() >> smaller}
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
	l.setTogether()
	got, want := propagate(l, &us, &them), propagateGo(l, &us, &them)
	if got != want {
		t.Fatalf("%d, want %d", got, want)
	}
}

// TestExtremes has the largest and smallest weights, biases and accumulators everywhere: sums of products
// are as large as they can be, and the sums of the layers wrap around.
func TestExtremes(t *testing.T) {
	for _, weight := range []int8{-128, 127} {
		for _, bias := range []int32{math.MinInt32, -127 * 128 * 512, 0, 127 * 127 * 512, math.MaxInt32} {
			l := &layers{bias3: bias}
			for i := range hidden1 {
				l.bias1[i], l.bias2[i], l.weight3[i] = bias, bias, weight
				for block := range l.weight1 {
					l.weight1[block][i] = [4]int8{weight, weight, weight, weight}
				}
				for block := range l.weight2 {
					l.weight2[block][i] = [4]int8{weight, weight, weight, weight}
				}
			}
			l.setTogether()
			for _, value := range []int16{math.MinInt16, -1, 0, 1, 127, 128, math.MaxInt16} {
				var us [half]int16
				for i := range us {
					us[i] = value
				}
				if got, want := propagate(l, &us, &us), propagateGo(l, &us, &us); got != want {
					t.Errorf("weights %d, biases %d, accumulators %d: %d, want %d", weight, bias, value, got, want)
				}
			}
		}
	}
}

// TestTogether checks how many blocks are added in 16 bits, at the bounds, and compares the kernels there.
// 127·258 is 32,766.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		name string
		// sums of the weights of neuron 9 for a pair of inputs of each of the blocks 16 to 23, and for the other
		first, second [8]int
		want          int
	}{
		{name: "zeros", want: 8},
		{"the most in 8", [8]int{50, 50, 50, 50, 50, 8}, [8]int{}, 8},
		{"more than that", [8]int{50, 50, 50, 50, 50, 9}, [8]int{}, 4},
		{"the least in 8", [8]int{}, [8]int{-50, -50, -50, -50, 0, 0, 0, -58}, 8},
		{"less than that", [8]int{}, [8]int{-50, -50, -50, -50, 0, 0, 0, -59}, 4},
		{"the most in 4", [8]int{0, 0, 0, 1, 100, 100, 50, 8}, [8]int{}, 4},
		{"more than that", [8]int{0, 0, 0, 0, 100, 100, 50, 9}, [8]int{}, 1},
		{"the least in 4", [8]int{}, [8]int{-200, -50, -8, 0, -1}, 4},
		{"less than that", [8]int{}, [8]int{-200, -50, -9}, 1},
		{"the largest", [8]int{254, 254, 254, 254, 254, 254, 254, 254}, [8]int{-256, -256, -256, -256, -256, -256, -256, -256}, 1},
		{"two pairs", [8]int{200, 58}, [8]int{200, 58}, 8},
		{"two signs", [8]int{200, 58, -200, -58}, [8]int{}, 8},
	} {
		l := &layers{weight3: [hidden2]int8{1}}
		l.bias1[9] = 4000 // less what the inputs add, so that nothing is clipped
		for i := range 8 {
			for pair, sum := range [2]int{c.first[i], c.second[i]} {
				w := l.weight1[16+i][9][2*pair:]
				w[0], w[1] = int8(sum/2), int8(sum-sum/2)
				l.bias1[9] -= 127 * int32(sum)
			}
		}
		l.weight2[2][0][1] = 64
		if l.setTogether(); l.together != c.want {
			t.Errorf("%s: %d blocks together, want %d", c.name, l.together, c.want)
		}
		for _, some := range []int{1, 2, 3} {
			var us [half]int16
			for i := range us {
				if i%some == 0 {
					us[i] = 1000
				}
			}
			if got, want := propagate(l, &us, &us), propagateGo(l, &us, &us); got != want {
				t.Errorf("%s: %d, want %d", c.name, got, want)
			} else if some == 1 && got != 4000>>6 {
				t.Errorf("%s: %d, want %d", c.name, got, 4000>>6)
			}
		}
	}
	for want, net := range map[int]*Net{8: usual(), 1: extreme()} {
		if got := net.layers.together; got != want {
			t.Errorf("%d blocks together in a file, want %d", got, want)
		}
	}
}
