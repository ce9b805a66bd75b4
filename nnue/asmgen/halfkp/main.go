// Halfkp generates the AVX2 kernels of package trefoil/game/shogi/halfkp; "go generate ./game/shogi/halfkp"
// runs it.
package main

import (
	"fmt"

	asm "github.com/mmcloughlin/avo/build"
	op "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bytes of a vector, and of the weights of a block of four inputs for 32 neurons.
const (
	vector = 32
	block  = 4 * 32
)

func main() {
	asm.ConstraintExpr("!purego")
	propagate()
	clip()
	affine("affine32AVX2", 4, 1)
	affine("affine8AVX2", 1, 4)
	products()
	sums16()
	asm.Generate()
}

// propagate generates the kernel of all layers, where both hidden ones have 32 neurons.
func propagate() {
	asm.TEXT("propagateAVX2", asm.NOSPLIT, "func(parts **int8, us, them *int16, half, together int) int32")
	asm.Pragma("noescape")
	asm.Doc("propagateAVX2 is propagateGo for 32 neurons in both hidden layers, without the last bias; parts and",
		"together are those of the layers. half is a multiple of 32.")
	k := newKernel()
	parts := pointer("parts")
	part := func(i int) reg.Register {
		r := asm.GP64()
		asm.MOVQ(op.Mem{Base: parts, Disp: 8 * i}, r)
		return r
	}
	us, them := pointer("us"), pointer("them")
	half, together := pointer("half"), pointer("together")

	sums := k.bias(part(0))
	weights, left := part(1), asm.GP64()
	asm.SHRQ(op.U8(5), half)
	asm.LEAQ(op.Mem{Base: half, Index: half, Scale: 1}, left)
	asm.CMPQ(together, op.U8(4))
	asm.JEQ(op.LabelRef("four"))
	asm.JLT(op.LabelRef("one"))
	k.first("eight", us, them, weights, half, left, sums, 8)
	asm.JMP(op.LabelRef("second"))
	k.first("four", us, them, weights, half, left, sums, 4)
	asm.JMP(op.LabelRef("second"))
	k.first("one", us, them, weights, half, left, sums, 1)

	asm.Label("second")
	in := k.pack(sums)
	sums = k.bias(part(2))
	k.multiply(in, ofSums, op.Mem{Base: part(3)}, sums, 1)

	// The weights take the order of the inputs, because these are waited for.
	out, order := asm.YMM(), asm.YMM()
	asm.VMOVDQU(orderOfSums(), order)
	asm.VPERMD(op.Mem{Base: part(4)}, order, out)
	asm.VPMADDUBSW(out, k.pack(sums), out)
	asm.VPMADDWD(k.ones, out, out)
	sum, other := out.AsX(), asm.XMM()
	asm.VEXTRACTI128(op.U8(1), out, other)
	asm.VPADDD(other, sum, sum)
	asm.VPSHUFD(op.U8(0b_01_00_11_10), sum, other) // the upper two numbers
	asm.VPADDD(other, sum, sum)
	asm.VPSHUFD(op.U8(0b_10_11_00_01), sum, other) // the second one
	asm.VPADDD(other, sum, sum)
	x := asm.GP32()
	asm.VMOVD(sum, x)
	asm.VZEROUPPER()
	asm.Store(x, asm.ReturnIndex(0))
	asm.RET()
}

// pointer loads a parameter.
func pointer(name string) reg.Register { return asm.Load(asm.Param(name), asm.GP64()) }

// clip generates the activation of accumulators.
func clip() {
	asm.TEXT("clipAVX2", asm.NOSPLIT, "func(outputs *uint8, accumulator *int16, neurons int)")
	asm.Pragma("noescape")
	asm.Doc("clipAVX2 sets outputs to the activations of an accumulator, whose neurons are a multiple of 32.")
	outputs, accumulator, left := pointer("outputs"), pointer("accumulator"), pointer("neurons")
	zero, in := asm.YMM(), asm.YMM()
	asm.VPXOR(zero, zero, zero)
	asm.Label("clip")
	asm.VMOVDQU(op.Mem{Base: accumulator}, in)
	asm.VPACKSSWB(op.Mem{Base: accumulator, Disp: vector}, in, in)
	asm.VPMAXSB(zero, in, in)
	asm.VPERMQ(op.U8(0b_11_01_10_00), in, in)
	asm.VMOVDQU(in, op.Mem{Base: outputs})
	asm.ADDQ(op.U8(2*vector), accumulator)
	asm.ADDQ(op.U8(vector), outputs)
	asm.SUBQ(op.U8(32), left)
	asm.JNE(op.LabelRef("clip"))
	asm.VZEROUPPER()
	asm.RET()
}

// affine generates a layer of as many neurons as vectors have. Each vector of neurons has several sums, so that
// additions do not wait for each other.
func affine(name string, vectors, chains int) {
	asm.TEXT(name, asm.NOSPLIT, "func(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)")
	asm.Pragma("noescape")
	asm.Doc(fmt.Sprintf("%s is affineGo for %d neurons and n inputs, a multiple of 16.", name, 8*vectors))
	k := newKernel()
	outputs, bias, weights := pointer("outputs"), pointer("bias"), pointer("weights")
	inputs, left := pointer("inputs"), pointer("n")
	sums := make([]reg.VecVirtual, vectors*chains)
	for i := range sums {
		sums[i] = asm.YMM()
		if i < vectors {
			asm.VMOVDQU(op.Mem{Base: bias, Disp: vector * i}, sums[i])
		} else {
			asm.VPXOR(sums[i], sums[i], sums[i])
		}
	}
	asm.Label("blocks")
	for number := range 4 {
		in := asm.YMM()
		asm.VPBROADCASTD(op.Mem{Base: inputs, Disp: 4 * number}, in)
		for i := range vectors {
			product, sum := asm.YMM(), sums[number%chains*vectors+i]
			asm.VPMADDUBSW(op.Mem{Base: weights, Disp: vector * (vectors*number + i)}, in, product)
			asm.VPMADDWD(k.ones, product, product)
			asm.VPADDD(product, sum, sum)
		}
	}
	asm.ADDQ(op.U32(4*vectors*vector), weights)
	asm.ADDQ(op.U8(16), inputs)
	asm.SUBQ(op.U8(16), left)
	asm.JNE(op.LabelRef("blocks"))
	for i := vectors; i < len(sums); i++ {
		asm.VPADDD(sums[i], sums[i%vectors], sums[i%vectors])
	}
	if vectors == 1 {
		low, high := sums[0].AsX(), asm.XMM()
		asm.VEXTRACTI128(op.U8(1), sums[0], high)
		asm.VPACKSSDW(high, low, low)
		asm.VPSRAW(op.U8(6), low, low)
		asm.VPACKSSWB(low, low, low)
		asm.VPMAXSB(k.zero.AsX(), low, low)
		asm.VMOVQ(low, op.Mem{Base: outputs})
	} else {
		out := k.pack([4]reg.VecVirtual(sums))
		order := asm.YMM()
		asm.VMOVDQU(naturalOrder(), order)
		asm.VPERMD(out, order, out)
		asm.VMOVDQU(out, op.Mem{Base: outputs})
	}
	asm.VZEROUPPER()
	asm.RET()
}

// products generates the activation of accumulators of SFNN. VPMULHW keeps the upper half of a product, so a factor
// 2^7 makes it a division by 2^9. Negative products become 0 by packing.
func products() {
	asm.TEXT("productsAVX2", asm.NOSPLIT, "func(outputs *uint8, accumulator *int16, n int)")
	asm.Pragma("noescape")
	asm.Doc("productsAVX2 is productsGo for a multiple of 32 outputs.")
	outputs, first, left := pointer("outputs"), pointer("accumulator"), pointer("n")
	second, greatest := asm.GP64(), asm.GP32()
	asm.LEAQ(op.Mem{Base: first, Index: left, Scale: 2}, second)
	zero, most := asm.YMM(), asm.YMM()
	asm.VPXOR(zero, zero, zero)
	asm.MOVL(op.U32(254), greatest)
	asm.VMOVD(greatest, most.AsX())
	asm.VPBROADCASTW(most.AsX(), most)
	asm.Label("products")
	var out [2]reg.VecVirtual
	for i := range out {
		a, b := asm.YMM(), asm.YMM()
		asm.VPMINSW(op.Mem{Base: first, Disp: vector * i}, most, a)
		asm.VPMINSW(op.Mem{Base: second, Disp: vector * i}, most, b)
		asm.VPMAXSW(zero, a, a)
		asm.VPSLLW(op.U8(7), a, a)
		asm.VPMULHW(a, b, a)
		out[i] = a
	}
	asm.VPACKUSWB(out[1], out[0], out[0])
	asm.VPERMQ(op.U8(0b_11_01_10_00), out[0], out[0])
	asm.VMOVDQU(out[0], op.Mem{Base: outputs})
	asm.ADDQ(op.U8(2*vector), first)
	asm.ADDQ(op.U8(2*vector), second)
	asm.ADDQ(op.U8(vector), outputs)
	asm.SUBQ(op.U8(32), left)
	asm.JNE(op.LabelRef("products"))
	asm.VZEROUPPER()
	asm.RET()
}

// sums16 generates the sums of the first layer of SFNN. Many blocks of inputs are zeros: of 64 at a time a mask says
// which are not.
func sums16() {
	asm.TEXT("sums16AVX2", asm.NOSPLIT, "func(sums, bias *int32, weights *int8, inputs *uint8, n int)")
	asm.Pragma("noescape")
	asm.Doc("sums16AVX2 is sumsGo for 16 neurons and n inputs, which it reads up to a multiple of 256.")
	k := newKernel()
	out, bias, weights := pointer("sums"), pointer("bias"), pointer("weights")
	inputs, left := pointer("inputs"), pointer("n")
	mask, number := asm.GP64(), asm.GP64()
	var sums [2]reg.VecVirtual
	for i := range sums {
		sums[i] = asm.YMM()
		asm.VMOVDQU(op.Mem{Base: bias, Disp: vector * i}, sums[i])
	}
	asm.Label("blocks")
	for i := 7; i >= 0; i-- {
		zero, bits := asm.YMM(), asm.GP64()
		asm.VPCMPEQD(op.Mem{Base: inputs, Disp: vector * i}, k.zero, zero)
		asm.VMOVMSKPS(zero, bits.As32())
		if i == 7 {
			asm.MOVQ(bits, mask)
			continue
		}
		asm.SHLQ(op.U8(8), mask)
		asm.ORQ(bits, mask)
	}
	asm.NOTQ(mask)
	asm.TESTQ(mask, mask)
	asm.JEQ(op.LabelRef("next"))
	asm.Label("block")
	asm.TZCNTQ(mask, number)
	in := asm.YMM()
	asm.VPBROADCASTD(op.Mem{Base: inputs, Index: number, Scale: 4}, in)
	asm.SHLQ(op.U8(6), number)
	for i, sum := range sums {
		product := asm.YMM()
		asm.VPMADDUBSW(op.Mem{Base: weights, Index: number, Scale: 1, Disp: vector * i}, in, product)
		asm.VPMADDWD(k.ones, product, product)
		asm.VPADDD(product, sum, sum)
	}
	asm.BLSRQ(mask, mask)
	asm.JNE(op.LabelRef("block"))
	asm.Label("next")
	asm.ADDQ(op.U32(64*4), inputs)
	asm.ADDQ(op.U32(64*4*16), weights)
	asm.SUBQ(op.U32(64*4), left)
	asm.JGT(op.LabelRef("blocks"))
	for i, sum := range sums {
		asm.VMOVDQU(sum, op.Mem{Base: out, Disp: vector * i})
	}
	asm.VZEROUPPER()
	asm.RET()
}

// A kernel has the values that all its parts use.
type kernel struct {
	zero reg.VecVirtual
	ones reg.VecVirtual // 16 times 1
}

func newKernel() *kernel {
	k := &kernel{zero: asm.YMM(), ones: asm.YMM()}
	asm.VPXOR(k.zero, k.zero, k.zero)
	asm.VPCMPEQW(k.ones, k.ones, k.ones)
	asm.VPSRLW(op.U8(15), k.ones, k.ones)
	return k
}

// An order says where a vector of 32 inputs has their blocks of four, after instructions that pack within
// halves of vectors.
type order [2]struct {
	quads  uint8  // a choice by VPERMQ of the two quadwords with these blocks, twice
	blocks [4]int // ascending
}

var (
	ofAccumulators = order{{0b_10_00_10_00, [4]int{0, 1, 2, 3}}, {0b_11_01_11_01, [4]int{4, 5, 6, 7}}}
	ofSums         = order{{0b_01_00_01_00, [4]int{0, 2, 4, 6}}, {0b_11_10_11_10, [4]int{1, 3, 5, 7}}}
)

// orderOfSums returns ofSums for VPERMD.
func orderOfSums() op.Mem {
	m := asm.GLOBL("order", asm.RODATA|asm.NOPTR)
	for i := range 8 {
		asm.DATA(4*i, op.U32(ofSums[i/4].blocks[i%4]))
	}
	return m
}

// naturalOrder returns, for VPERMD, where a vector ordered ofSums has the blocks 0 to 7.
func naturalOrder() op.Mem {
	m := asm.GLOBL("natural", asm.RODATA|asm.NOPTR)
	var places [8]op.U32
	for i := range 8 {
		places[ofSums[i/4].blocks[i%4]] = op.U32(i)
	}
	for block, place := range places {
		asm.DATA(4*block, place)
	}
	return m
}

// bias loads the biases of a layer.
func (k *kernel) bias(at reg.Register) (sums [4]reg.VecVirtual) {
	for i := range sums {
		sums[i] = asm.YMM()
		asm.VMOVDQU(op.Mem{Base: at, Disp: vector * i}, sums[i])
	}
	return sums
}

// first generates a loop over both accumulators, 32 neurons at a time, that adds the products of the first
// layer. Skipping inputs that are zero would need jumps, which are often predicted wrong.
func (k *kernel) first(name string, us, them, weights, half, left reg.Register, sums [4]reg.VecVirtual, together int) {
	asm.Label(name)
	in := asm.YMM()
	asm.VMOVDQU(op.Mem{Base: us}, in)
	asm.VPACKSSWB(op.Mem{Base: us, Disp: vector}, in, in)
	asm.VPMAXSB(k.zero, in, in)
	k.multiply(in, ofAccumulators, op.Mem{Base: weights}, sums, together)
	asm.ADDQ(op.U8(2*vector), us)
	asm.ADDQ(op.U32(8*block), weights)
	asm.DECQ(left)
	asm.CMPQ(left, half)
	asm.CMOVQEQ(them, us)
	asm.TESTQ(left, left)
	asm.JNE(op.LabelRef(name))
}

// multiply adds the products of 32 inputs and their weights. A sum of two products fits 16 bits, because an
// input is at most 127; if together is more than 1, the sum of two products of that many blocks must fit
// too.
func (k *kernel) multiply(inputs reg.VecVirtual, o order, weights op.Mem, sums [4]reg.VecVirtual, together int) {
	var products [4]reg.VecVirtual
	n := 0
	for _, half := range o {
		twice := asm.YMM()
		asm.VPERMQ(op.U8(half.quads), inputs, twice)
		for place, number := range half.blocks {
			in := asm.YMM()
			asm.VPSHUFD(op.U8(place*0b_01_01_01_01), twice, in)
			for i, sum := range sums {
				product := asm.YMM()
				asm.VPMADDUBSW(weights.Offset(block*number+vector*i), in, product)
				if n%together > 0 {
					asm.VPADDW(products[i], product, product)
				}
				products[i] = product
				if n%together == together-1 {
					asm.VPMADDWD(k.ones, product, product)
					asm.VPADDD(product, sum, sum)
				}
			}
			n++
		}
	}
}

// pack returns the activations of 32 sums, in the order ofSums. Packing saturates: sums beyond 16 bits stay
// beyond the bounds of the activation, also after the shift.
func (k *kernel) pack(sums [4]reg.VecVirtual) reg.VecVirtual {
	asm.VPACKSSDW(sums[1], sums[0], sums[0])
	asm.VPACKSSDW(sums[3], sums[2], sums[2])
	asm.VPSRAW(op.U8(6), sums[0], sums[0])
	asm.VPSRAW(op.U8(6), sums[2], sums[2])
	asm.VPACKSSWB(sums[2], sums[0], sums[0])
	asm.VPMAXSB(k.zero, sums[0], sums[0])
	return sums[0]
}
