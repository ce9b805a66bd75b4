//go:build !purego

package halfkp

import "testing"

// TestWithoutDotProducts tests the kernel for processors without dot products on one that has them.
func TestWithoutDotProducts(t *testing.T) {
	if !hasDotProducts {
		t.Skip("the processor has no dot products: the other tests run this kernel")
	}
	hasDotProducts = false
	defer func() { hasDotProducts = true }()
	for seed := range uint64(40) {
		compareKernels(t, seed, uint8(seed*7))
	}
	t.Run("Extremes", TestExtremes)
	t.Run("Together", TestTogether)
	t.Run("Golden", TestGolden)
}
