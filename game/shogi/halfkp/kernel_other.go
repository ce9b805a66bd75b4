//go:build purego || !(amd64 || arm64)

package halfkp

// Kernel names the kernel that this processor runs for the layers.
func Kernel() string { return "Go" }

func propagate(l *layers, a *activations, us, them []int16) int32 {
	return goKernel.propagate(l, a, us, them)
}
