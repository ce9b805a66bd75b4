//go:build !purego

package train

import "github.com/klauspost/cpuid/v2"

//go:generate go run -C asmgen . -out ../avx2_amd64.s -stubs ../avx2_amd64.go -pkg train

var hasAVX2 = cpuid.CPU.Supports(cpuid.AVX2, cpuid.FMA3)

// In each kernel, the callers have checked what the assembly does not: lengths, and that rows are in
// the matrix.

func sumRows(dst, matrix []float32, rows []uint16) {
	if !hasAVX2 || len(rows) == 0 {
		sumRowsGo(dst, matrix, rows)
		return
	}
	sumRowsAVX2(&dst[0], &matrix[0], &rows[0], len(rows), len(dst))
}

func addToRows(matrix, delta []float32, rows []uint16) {
	if !hasAVX2 || len(rows) == 0 {
		addToRowsGo(matrix, delta, rows)
		return
	}
	addToRowsAVX2(&matrix[0], &delta[0], &rows[0], len(rows), len(delta))
}

func output(acc, weights []float32) float32 {
	if !hasAVX2 {
		return outputGo(acc, weights)
	}
	return outputAVX2(&acc[0], &weights[0], len(acc))
}

func outputGradient(acc, weights, gradient, delta []float32, slope float32) {
	if !hasAVX2 {
		outputGradientGo(acc, weights, gradient, delta, slope)
		return
	}
	outputGradientAVX2(&acc[0], &weights[0], &gradient[0], &delta[0], slope, len(acc))
}

func add(dst, src []float32) {
	if !hasAVX2 {
		addGo(dst, src)
		return
	}
	addAVX2(&dst[0], &src[0], len(dst))
}

func adam(weights, mean, square, gradient []float32, step *adamStep) {
	if !hasAVX2 {
		adamGo(weights, mean, square, gradient, step)
		return
	}
	adamAVX2(&weights[0], &mean[0], &square[0], &gradient[0], len(gradient), &step.meanShare)
}
