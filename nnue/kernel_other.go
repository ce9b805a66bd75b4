//go:build purego || !(amd64 || arm64)

package nnue

// Kernel names the kernel that this processor runs.
func Kernel() string { return "Go" }

func update(dst, src, weights []int16, added, removed []uint16) {
	updateGo(dst, src, weights, added, removed)
}

func screlu(us, them, weights []int16) int32 { return screluGo(us, them, weights) }
