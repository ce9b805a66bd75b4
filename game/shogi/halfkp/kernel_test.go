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

// shapes are sizes of layers with different groups of neurons.
var shapes = []architecture{{half: 256, hidden1: 32, hidden2: 32}, {half: 32, hidden1: 8, hidden2: 64},
	{half: 1024, hidden1: 16, hidden2: 32}, {half: 96, hidden1: 24, hidden2: 96}, {half: 512, hidden1: 32, hidden2: 32},
	{half: 64, hidden1: 128, hidden2: 8}, {half: 32, hidden1: 64, hidden2: 40},
	{half: 1536, hidden1: 15, hidden2: 32, stacks: 9}, {half: 64, hidden1: 15, hidden2: 32, stacks: 1},
	{half: 320, hidden1: 7, hidden2: 64, stacks: 9}, {half: 1024, hidden1: 64, hidden2: 8, stacks: 1}}

// compareKernels compares the kernels for random layers and accumulators; 256-sparse of 256 numbers of the
// accumulators are not zero, or nearly so.
func compareKernels(t *testing.T, seed uint64, sparse uint8) {
	rng := rand.New(rand.NewPCG(seed, 0))
	l := newLayers(&shapes[seed%uint64(len(shapes))])
	number := func() int32 { return int32(rng.Uint32()) >> rng.IntN(32) }
	weight := func() int8 { return [4]int8{-128, 127, int8(rng.Uint32()), int8(rng.Uint32()) >> 3}[rng.IntN(4)] }
	smaller := rng.IntN(4) // so that the blocks that fit together are 1, 4 and 8
	for _, layer := range []*layer{&l.first, &l.second} {
		for i := range layer.bias {
			layer.bias[i] = number()
		}
		for i := range layer.weights {
			layer.weights[i] = weight() >> smaller
		}
		smaller = 0
	}
	for i := range l.weights3 {
		l.weights3[i] = weight()
	}
	l.bias3 = number()
	us, them := make([]int16, l.half), make([]int16, l.half)
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
	equalKernels(t, l, us, them)
}

// equalKernels compares the kernels, and returns the output.
func equalKernels(t *testing.T, l *layers, us, them []int16) int32 {
	t.Helper()
	got, want := propagate(l, new(activations), us, them), goKernel.propagate(l, new(activations), us, them)
	if got != want {
		t.Fatalf("%dx2-%d-%d: %d, want %d", l.half, len(l.first.bias), len(l.second.bias), got, want)
	}
	return got
}

// TestExtremes has the largest and smallest weights, biases and accumulators everywhere: sums of products
// are as large as they can be, and the sums of the layers wrap around.
func TestExtremes(t *testing.T) {
	for i := range shapes {
		for _, weight := range []int8{-128, 127} {
			for _, bias := range []int32{math.MinInt32, -127 * 128 * 512, 0, 127 * 127 * 512, math.MaxInt32} {
				l := newLayers(&shapes[i])
				l.bias3 = bias
				fill(l.first.bias, bias)
				fill(l.second.bias, bias)
				fill(l.first.weights, weight)
				fill(l.second.weights, weight)
				fill(l.weights3, weight)
				l.setTogether()
				for _, value := range []int16{math.MinInt16, -1, 0, 1, 127, 128, math.MaxInt16} {
					us := make([]int16, l.half)
					fill(us, value)
					equalKernels(t, l, us, us)
				}
			}
		}
	}
}

func fill[T any](list []T, value T) {
	for i := range list {
		list[i] = value
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
		l := newLayers(&shapes[0])
		l.weights3[0] = 1
		l.first.bias[9] = 4000 // less what the inputs add, so that nothing is clipped
		for i := range 8 {
			for pair, sum := range [2]int{c.first[i], c.second[i]} {
				w := l.first.at(16+i, 9)[2*pair:]
				w[0], w[1] = int8(sum/2), int8(sum-sum/2)
				l.first.bias[9] -= 127 * int32(sum)
			}
		}
		l.second.at(2, 0)[1] = 64
		if l.setTogether(); l.together != c.want {
			t.Errorf("%s: %d blocks together, want %d", c.name, l.together, c.want)
		}
		for _, some := range []int{1, 2, 3} {
			us := make([]int16, l.half)
			for i := range us {
				if i%some == 0 {
					us[i] = 1000
				}
			}
			if got := equalKernels(t, l, us, us); some == 1 && got != 4000>>6 {
				t.Errorf("%s: %d, want %d", c.name, got, 4000>>6)
			}
		}
	}
	for want, net := range map[int]*Net{8: usual(), 1: extreme()} {
		if got := net.layers[0].together; got != want {
			t.Errorf("%d blocks together in a file, want %d", got, want)
		}
	}
}
