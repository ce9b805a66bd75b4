//go:build !purego

package nnue

// Kernel names the kernel that this processor runs.
func Kernel() string { return "NEON" }

func update(dst, src, weights []int16, added, removed []uint16) {
	updateNEON(&dst[0], &src[0], &weights[0], len(dst), added, removed)
}

func screlu(us, them, weights []int16) int32 {
	return screluNEON(&us[0], &them[0], &weights[0], len(us))
}

// updateNEON is updateGo for accumulators of hidden neurons, a multiple of 32.
//
//go:noescape
func updateNEON(dst, src, weights *int16, hidden int, added, removed []uint16)

// screluNEON is screluGo for accumulators of hidden neurons, a multiple of 32.
//
//go:noescape
func screluNEON(us, them, weights *int16, hidden int) int32
