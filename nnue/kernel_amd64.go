//go:build !purego

package nnue

import "github.com/klauspost/cpuid/v2"

//go:generate go run -C asmgen . -out ../avx2_amd64.s -stubs ../avx2_amd64.go -pkg nnue

var hasAVX2 = cpuid.CPU.Supports(cpuid.AVX2)

// Kernel names the kernel that this processor runs.
func Kernel() string {
	if hasAVX2 {
		return "AVX2"
	}
	return "Go"
}

func update(dst, src, weights []int16, added, removed []uint16) {
	if hasAVX2 {
		updateAVX2(&dst[0], &src[0], &weights[0], len(dst), added, removed)
	} else {
		updateGo(dst, src, weights, added, removed)
	}
}

func screlu(us, them, weights []int16) int32 {
	if hasAVX2 {
		return screluAVX2(&us[0], &them[0], &weights[0], len(us))
	}
	return screluGo(us, them, weights)
}
