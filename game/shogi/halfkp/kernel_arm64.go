//go:build !purego

package halfkp

import "github.com/klauspost/cpuid/v2"

// hasDotProducts is whether the processor adds the products of four inputs by one instruction. Those since
// ARMv8.4 do, and some before.
var hasDotProducts = cpuid.CPU.Supports(cpuid.ASIMDDP)

// Kernel names the kernel that this processor runs for the layers.
func Kernel() string {
	if hasDotProducts {
		return "NEON with dot products"
	}
	return "NEON"
}

func propagate(l *layers, a *activations, us, them []int16) int32 {
	if hasDotProducts {
		return dot.propagate(l, a, us, them)
	}
	return neon.propagate(l, a, us, them)
}

var dot = kernel{
	clip: clip,
	affine: func(outputs []uint8, bias []int32, weights []int8, inputs []uint8) {
		if len(bias) == 32 {
			affine32Dot(&outputs[0], &bias[0], &weights[0], &inputs[0], len(inputs))
		} else {
			affine8Dot(&outputs[0], &bias[0], &weights[0], &inputs[0], len(inputs))
		}
	},
	products: products,
	sums: func(sums, bias []int32, weights []int8, inputs []uint8) {
		sums16Dot(&sums[0], &bias[0], &weights[0], &inputs[0], len(inputs))
	},
}

var neon = kernel{
	clip: clip,
	affine: func(outputs []uint8, bias []int32, weights []int8, inputs []uint8) {
		if len(bias) == 32 {
			affine32NEON(&outputs[0], &bias[0], &weights[0], &inputs[0], len(inputs))
		} else {
			affine8NEON(&outputs[0], &bias[0], &weights[0], &inputs[0], len(inputs))
		}
	},
	products: products,
	sums: func(sums, bias []int32, weights []int8, inputs []uint8) {
		sums16NEON(&sums[0], &bias[0], &weights[0], &inputs[0], len(inputs))
	},
}

func clip(outputs []uint8, accumulator []int16) { clipNEON(&outputs[0], &accumulator[0], len(outputs)) }

func products(outputs []uint8, accumulator []int16) {
	productsNEON(&outputs[0], &accumulator[0], len(outputs))
}

// clipNEON sets outputs to the activations of an accumulator, whose neurons are a multiple of 32.
//
//go:noescape
func clipNEON(outputs *uint8, accumulator *int16, neurons int)

// affine32NEON is affineGo for 32 neurons and n inputs, a multiple of 16.
//
//go:noescape
func affine32NEON(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)

// affine8NEON is affine32NEON for 8 neurons.
//
//go:noescape
func affine8NEON(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)

// affine32Dot is affine32NEON for processors with dot products.
//
//go:noescape
func affine32Dot(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)

// affine8Dot is affine8NEON for processors with dot products.
//
//go:noescape
func affine8Dot(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)

// productsNEON is productsGo for a multiple of 32 outputs.
//
//go:noescape
func productsNEON(outputs *uint8, accumulator *int16, n int)

// sums16NEON is sumsGo for 16 neurons and n inputs, a multiple of 16.
//
//go:noescape
func sums16NEON(sums, bias *int32, weights *int8, inputs *uint8, n int)

// sums16Dot is sums16NEON for processors with dot products.
//
//go:noescape
func sums16Dot(sums, bias *int32, weights *int8, inputs *uint8, n int)
