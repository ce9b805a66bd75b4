package train

import (
	"math"
	"math/rand/v2"
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

// near fails the test where got is further from want than rounding explains.
func near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-5*max(1, math.Abs(float64(want[i]))) {
			t.Fatalf("%s: number %d is %v, in Go %v", what, i, got[i], want[i])
		}
	}
}

// TestKernels compares the kernels in use with those in Go, at all lengths.
func TestKernels(t *testing.T) {
	for columns := 32; columns <= 544; columns += 32 {
		rng := rand.New(rand.NewPCG(uint64(columns), 0))
		const matrixRows = 17
		rows := make([]uint16, rng.IntN(40))
		for i := range rows {
			rows[i] = uint16(rng.IntN(matrixRows))
		}
		numbers := func(limit float64) (a, b []float32) {
			a = randoms(rng, columns, limit)
			return a, append([]float32(nil), a...)
		}
		matrix, matrixGo := randoms(rng, matrixRows*columns, 1), []float32(nil)
		matrixGo = append(matrixGo, matrix...)

		dst, dstGo := numbers(1)
		sumRows(dst, matrix, rows)
		sumRowsGo(dstGo, matrix, rows)
		near(t, "sumRows", dst, dstGo)
		addToRows(matrix, dst, rows)
		addToRowsGo(matrixGo, dst, rows)
		near(t, "addToRows", matrix, matrixGo)
		add(matrix[:columns], dst)
		addGo(matrixGo[:columns], dst)
		near(t, "add", matrix, matrixGo)

		acc, weights := randoms(rng, columns, 2), randoms(rng, columns, 2)
		near(t, "output", []float32{output(acc, weights)}, []float32{outputGo(acc, weights)})
		gradient, gradientGo := numbers(1)
		delta, deltaGo := numbers(1)
		outputGradient(acc, weights, gradient, delta, 0.75)
		outputGradientGo(acc, weights, gradientGo, deltaGo, 0.75)
		near(t, "outputGradient, gradient", gradient, gradientGo)
		near(t, "outputGradient, delta", delta, deltaGo)

		weights, weightsGo := numbers(2)
		mean, meanGo := numbers(1)
		square, squareGo := numbers(1)
		for i := range square {
			square[i] = square[i] * square[i]
			squareGo[i] = square[i]
		}
		step := adamStep{0.1, 0.001, 0.01, 1.5, 1e-8, 1e-4, 1.9, -1.8}
		adam(weights, mean, square, gradient, &step)
		adamGo(weightsGo, meanGo, squareGo, gradientGo, &step)
		near(t, "adam, weights", weights, weightsGo)
		near(t, "adam, mean", mean, meanGo)
		near(t, "adam, square", square, squareGo)
	}
}
