//go:build !purego

package halfkp

import "testing"

// TestWithoutVNNI tests the kernels for AVX2 on a processor with AVX-512 VNNI.
func TestWithoutVNNI(t *testing.T) {
	if !hasVNNI {
		t.Skip("the processor has no AVX-512 VNNI: the other tests run these kernels")
	}
	hasVNNI = false
	defer func() { hasVNNI = true }()
	for seed := range uint64(40) {
		compareKernels(t, seed, uint8(seed*7))
	}
	t.Run("Extremes", TestExtremes)
}
