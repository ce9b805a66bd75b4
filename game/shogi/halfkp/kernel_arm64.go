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

func propagate(l *layers, us, them *[half]int16) int32 {
	var input [2 * half]uint8
	clipNEON((*[half]uint8)(input[:half]), us)
	clipNEON((*[half]uint8)(input[half:]), them)
	var outputs1, outputs2 [32]uint8
	if hasDotProducts {
		affineDot(&outputs1, &l.bias1, l.weight1[:], input[:])
		affineDot(&outputs2, &l.bias2, l.weight2[:], outputs1[:])
	} else {
		affineNEON(&outputs1, &l.bias1, l.weight1[:], input[:])
		affineNEON(&outputs2, &l.bias2, l.weight2[:], outputs1[:])
	}
	return l.output(&outputs2)
}

// clipNEON sets outputs to the activations of an accumulator.
//
//go:noescape
func clipNEON(outputs *[half]uint8, accumulator *[half]int16)

// affineNEON is affineGo. There are 4 inputs for each block of weights, 16 or a multiple in all.
//
//go:noescape
func affineNEON(outputs *[32]uint8, bias *[32]int32, weights [][32][4]int8, inputs []uint8)

// affineDot is affineNEON for processors with dot products.
//
//go:noescape
func affineDot(outputs *[32]uint8, bias *[32]int32, weights [][32][4]int8, inputs []uint8)
