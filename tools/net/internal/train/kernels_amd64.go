//go:build !purego

package train

import "github.com/klauspost/cpuid/v2"

//go:generate go run -C asmgen . -out ../avx2_amd64.s -stubs ../avx2_amd64.go -pkg train

var hasAVX2 = cpuid.CPU.Supports(cpuid.AVX2, cpuid.FMA3)

// In each kernel, the callers have checked what the assembly does not: lengths, and that rows and buckets are in
// range.

func forward(acc, out, matrix, bias, weights []float32, stream []uint16, samples int) {
	if !hasAVX2 {
		forwardGo(acc, out, matrix, bias, weights, stream, samples)
		return
	}
	forwardAVX2(&acc[0], &out[0], &matrix[0], &bias[0], &weights[0], &stream[0], samples)
}

func backward(acc, slopes, matrix, bias, weights, gradient []float32, stream []uint16, samples int) {
	if !hasAVX2 {
		backwardGo(acc, slopes, matrix, bias, weights, gradient, stream, samples)
		return
	}
	backwardAVX2(&acc[0], &slopes[0], &matrix[0], &bias[0], &weights[0], &gradient[0], &stream[0], samples)
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
