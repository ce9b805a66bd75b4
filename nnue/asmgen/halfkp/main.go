// Halfkp generates the AVX2 kernel of package trefoil/game/shogi/halfkp; "go generate ./game/shogi/halfkp"
// runs it.
package main

import (
	asm "github.com/mmcloughlin/avo/build"
	op "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bytes of a vector, and of the weights of a block of four inputs for 32 neurons; the neurons of an
// accumulator.
const (
	vector = 32
	block  = 4 * 32
	half   = 256
)

// The offsets in the layers.
const (
	bias1   = 0
	weight1 = bias1 + 4*32
	bias2   = weight1 + 512*32
	weight2 = bias2 + 4*32
	weight3 = weight2 + 32*32
	bias3   = weight3 + 32
)

func main() {
	asm.ConstraintExpr("!purego")
	asm.TEXT("propagateAVX2", asm.NOSPLIT, "func(layers *int32, us, them *int16, together int) int32")
	asm.Pragma("noescape")
	asm.Doc("propagateAVX2 is propagateGo; together is that of the layers.")
	k := kernel{
		layers: asm.Load(asm.Param("layers"), asm.GP64()),
		zero:   asm.YMM(), ones: asm.YMM(),
	}
	us := asm.Load(asm.Param("us"), asm.GP64())
	them := asm.Load(asm.Param("them"), asm.GP64())
	together := asm.Load(asm.Param("together"), asm.GP64())
	asm.VPXOR(k.zero, k.zero, k.zero)
	asm.VPCMPEQW(k.ones, k.ones, k.ones)
	asm.VPSRLW(op.U8(15), k.ones, k.ones)

	sums := k.bias(bias1)
	weights, left := asm.GP64(), asm.GP64()
	asm.LEAQ(op.Mem{Base: k.layers, Disp: weight1}, weights)
	asm.MOVQ(op.U32(2*half/vector), left)
	asm.CMPQ(together, op.U8(4))
	asm.JEQ(op.LabelRef("four"))
	asm.JLT(op.LabelRef("one"))
	k.first("eight", us, them, weights, left, sums, 8)
	asm.JMP(op.LabelRef("second"))
	k.first("four", us, them, weights, left, sums, 4)
	asm.JMP(op.LabelRef("second"))
	k.first("one", us, them, weights, left, sums, 1)

	asm.Label("second")
	in := k.pack(sums)
	sums = k.bias(bias2)
	k.multiply(in, ofSums, op.Mem{Base: k.layers, Disp: weight2}, sums, 1)

	// The weights take the order of the inputs, because these are waited for.
	out, order := asm.YMM(), asm.YMM()
	asm.VMOVDQU(orderOfSums(), order)
	asm.VPERMD(op.Mem{Base: k.layers, Disp: weight3}, order, out)
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
	asm.ADDL(op.Mem{Base: k.layers, Disp: bias3}, x)
	asm.VZEROUPPER()
	asm.Store(x, asm.ReturnIndex(0))
	asm.RET()
	asm.Generate()
}

// A kernel has the values that all its parts use.
type kernel struct {
	layers reg.Register
	zero   reg.VecVirtual
	ones   reg.VecVirtual // 16 times 1
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

// bias loads the biases of a layer.
func (k *kernel) bias(at int) (sums [4]reg.VecVirtual) {
	for i := range sums {
		sums[i] = asm.YMM()
		asm.VMOVDQU(op.Mem{Base: k.layers, Disp: at + vector*i}, sums[i])
	}
	return sums
}

// first generates a loop over both accumulators, 32 neurons at a time, that adds the products of the first
// layer. Skipping inputs that are zero would need jumps, which are often predicted wrong.
func (k *kernel) first(name string, us, them, weights, left reg.Register, sums [4]reg.VecVirtual, together int) {
	asm.Label(name)
	in := asm.YMM()
	asm.VMOVDQU(op.Mem{Base: us}, in)
	asm.VPACKSSWB(op.Mem{Base: us, Disp: vector}, in, in)
	asm.VPMAXSB(k.zero, in, in)
	k.multiply(in, ofAccumulators, op.Mem{Base: weights}, sums, together)
	asm.ADDQ(op.U8(2*vector), us)
	asm.ADDQ(op.U32(8*block), weights)
	asm.DECQ(left)
	asm.CMPQ(left, op.U8(half/vector))
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
