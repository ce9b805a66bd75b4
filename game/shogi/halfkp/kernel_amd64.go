//go:build !purego

package halfkp

import "github.com/klauspost/cpuid/v2"

//go:generate -command asmgen go run -C ../../../nnue/asmgen ./halfkp
//go:generate asmgen -out ../../game/shogi/halfkp/avx2_amd64.s -stubs ../../game/shogi/halfkp/avx2_amd64.go -pkg halfkp

var (
	hasAVX2 = cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1)
	hasVNNI = hasAVX2 && cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512VL, cpuid.AVX512VNNI)
)

// Kernel names the kernels that this processor runs for the layers. The kernel for hidden layers of 32 neurons needs
// AVX2 only.
func Kernel() string {
	switch {
	case hasVNNI:
		return "AVX2 and AVX-512"
	case hasAVX2:
		return "AVX2"
	}
	return "Go"
}

func propagate(l *layers, a *activations, us, them []int16) int32 {
	switch {
	case !hasAVX2:
		return goKernel.propagate(l, a, us, them)
	case l.together > 0:
		return l.bias3 + propagateAVX2(&l.parts[0], &us[0], &them[0], l.half, l.together)
	case hasVNNI:
		return vnni.propagate(l, a, us, them)
	}
	return avx2.propagate(l, a, us, them)
}

var vnni = kernel{
	clip: clip,
	affine: func(outputs []uint8, bias []int32, weights []int8, inputs []uint8) {
		if len(bias) == 32 {
			affine32VNNI(&outputs[0], &bias[0], &weights[0], &inputs[0], len(inputs))
		} else {
			affine8VNNI(&outputs[0], &bias[0], &weights[0], &inputs[0], len(inputs))
		}
	},
	products: products,
	sums: func(sums, bias []int32, weights []int8, inputs []uint8) {
		sums16VNNI(&sums[0], &bias[0], &weights[0], &inputs[0], len(inputs))
	},
}

var avx2 = kernel{
	clip: clip,
	affine: func(outputs []uint8, bias []int32, weights []int8, inputs []uint8) {
		if len(bias) == 32 {
			affine32AVX2(&outputs[0], &bias[0], &weights[0], &inputs[0], len(inputs))
		} else {
			affine8AVX2(&outputs[0], &bias[0], &weights[0], &inputs[0], len(inputs))
		}
	},
	products: products,
	sums: func(sums, bias []int32, weights []int8, inputs []uint8) {
		sums16AVX2(&sums[0], &bias[0], &weights[0], &inputs[0], len(inputs))
	},
}

func clip(outputs []uint8, accumulator []int16) { clipAVX2(&outputs[0], &accumulator[0], len(outputs)) }

func products(outputs []uint8, accumulator []int16) {
	productsAVX2(&outputs[0], &accumulator[0], len(outputs))
}

// affine32VNNI is affine32AVX2 for processors with AVX-512 VNNI.
//
//go:noescape
func affine32VNNI(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)

// affine8VNNI is affine8AVX2 for processors with AVX-512 VNNI.
//
//go:noescape
func affine8VNNI(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)

// sums16VNNI is sums16AVX2 for processors with AVX-512 VNNI.
//
//go:noescape
func sums16VNNI(sums, bias *int32, weights *int8, inputs *uint8, n int)
