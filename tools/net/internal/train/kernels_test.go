package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randoms returns n numbers between -limit and limit, some of them 0 and ±1.
func randoms(rng *rand.Rand, n int, limit float64) []float32 {
	v := make([]float32, n)
	for i := range v {
		switch rng.IntN(20) {
		case 0:
			v[i] = float32(rng.IntN(3) - 1)
		default:
			v[i] = float32(limit * (2*rng.Float64() - 1))
		}
	}
	return v
}

// twice returns randoms and a copy of them.
func twice(rng *rand.Rand, n int, limit float64) (a, b []float32) {
	a = randoms(rng, n, limit)
	return a, slices.Clone(a)
}

// near fails the test where got is further from want than rounding explains.
func near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-5*max(1, math.Abs(float64(want[i]))) {
			t.Fatalf("%s: number %d is %v, in Go %v", what, i, got[i], want[i])
		}
	}
}

// TestKernels compares the kernels in use with those in Go.
func TestKernels(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		const rows, buckets = 17, 3
		samples := 1 + rng.IntN(9)
		var stream []uint16
		for range samples {
			n := 2 + 2*rng.IntN(12)
			stream = append(stream, uint16(rng.IntN(buckets)), uint16(n))
			for range 2 * n {
				stream = append(stream, uint16(rng.IntN(rows)))
			}
		}
		matrix, bias, weights := randoms(rng, rows*tile, 0.3), randoms(rng, tile, 1), randoms(rng, buckets*2*tile, 2)
		acc, accGo := make([]float32, samples*2*tile), make([]float32, samples*2*tile)
		out, outGo := make([]float32, 8*samples), make([]float32, 8*samples)
		for range 2 { // the second adds to the first
			forward(acc, out, matrix, bias, weights, stream, samples)
			forwardGo(accGo, outGo, matrix, bias, weights, stream, samples)
		}
		near(t, "forward, accumulators", acc, accGo)
		near(t, "forward, output", sumsOfEight(out), sumsOfEight(outGo))

		slopes := randoms(rng, samples, 1)
		matrix, matrixGo := twice(rng, rows*tile, 1)
		bias, biasGo := twice(rng, tile, 1)
		gradient, gradientGo := twice(rng, buckets*2*tile, 1)
		backward(acc, slopes, matrix, bias, weights, gradient, stream, samples)
		backwardGo(acc, slopes, matrixGo, biasGo, weights, gradientGo, stream, samples)
		near(t, "backward, matrix", matrix, matrixGo)
		near(t, "backward, bias", bias, biasGo)
		near(t, "backward, output weights", gradient, gradientGo)
	}
}

// sumsOfEight returns the sums of every eight numbers.
func sumsOfEight(v []float32) (sums []float32) {
	for part := range slices.Chunk(v, 8) {
		sum := float32(0)
		for _, x := range part {
			sum += x
		}
		sums = append(sums, sum)
	}
	return sums
}

// TestUpdateKernels compares the kernels of the optimiser, at all lengths.
func TestUpdateKernels(t *testing.T) {
	for n := 32; n <= 160; n += 32 {
		rng := rand.New(rand.NewPCG(uint64(n), 0))
		gradient, gradientGo := twice(rng, n, 1)
		more := randoms(rng, n, 1)
		add(gradient, more)
		addGo(gradientGo, more)
		near(t, "add", gradient, gradientGo)

		weights, weightsGo := twice(rng, n, 2)
		mean, meanGo := twice(rng, n, 1)
		square, squareGo := twice(rng, n, 1)
		for i := range square {
			square[i] = square[i] * square[i]
			squareGo[i] = square[i]
		}
		step := adamStep{0.1, 0.001, 0.01, 1.5, 1e-8, 1e-4, 1.9, -1.8}
		adam(weights, mean, square, gradient, &step)
		adamGo(weightsGo, meanGo, squareGo, gradient, &step)
		near(t, "adam, weights", weights, weightsGo)
		near(t, "adam, mean", mean, meanGo)
		near(t, "adam, square", square, squareGo)
	}
}
