// Halfkp generates the AVX2 kernel of package trefoil/game/shogi/halfkp; "go generate ./game/shogi/halfkp"
// runs it.
package main

import (
	asm "github.com/mmcloughlin/avo/build"
	op "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bytes of a vector, and of the weights of a block of four inputs for 32 neurons.
const (
	vector = 32
	block  = 4 * 32
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
	asm.TEXT("propagateAVX2", asm.NOSPLIT, "func(layers *int32, us, them *int16, input *uint8) int32")
	asm.Pragma("noescape")
	asm.Doc("propagateAVX2 is propagateGo.")
	k := kernel{
		layers: asm.Load(asm.Param("layers"), asm.GP64()),
		input:  asm.Load(asm.Param("input"), asm.GP64()),
		zero:   asm.YMM(), ones: asm.YMM(), order: asm.YMM(),
	}
	us := asm.Load(asm.Param("us"), asm.GP64())
	them := asm.Load(asm.Param("them"), asm.GP64())
	asm.VPXOR(k.zero, k.zero, k.zero)
	asm.VPCMPEQW(k.ones, k.ones, k.ones)
	asm.VPSRLW(op.U8(15), k.ones, k.ones)
	asm.VMOVDQU(orderOfPacked(), k.order)

	first, second := k.clip(us, 0), k.clip(them, 256)
	sums := k.bias(bias1)
	k.sparse("us", first, 0, sums)
	k.sparse("them", second, 64, sums)
	k.store(k.pack(sums))

	sums = k.bias(bias2)
	for i := range 8 {
		in := asm.YMM()
		asm.VPBROADCASTD(op.Mem{Base: k.input, Disp: 4 * i}, in)
		k.multiply(in, op.Mem{Base: k.layers, Disp: weight2 + block*i}, sums)
	}

	out := k.pack(sums)
	asm.VPMADDUBSW(op.Mem{Base: k.layers, Disp: weight3}, out, out)
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

// A kernel is what all of its parts use.
type kernel struct {
	layers, input reg.Register
	zero          reg.VecVirtual
	ones          reg.VecVirtual // 16 times 1
	order         reg.VecVirtual // of the packed sums
}

// orderOfPacked are the places of the groups of four neurons after pack has packed them within halves of
// vectors.
func orderOfPacked() op.Mem {
	order := asm.GLOBL("order", asm.RODATA|asm.NOPTR)
	for i, place := range [8]uint32{0, 4, 1, 5, 2, 6, 3, 7} {
		asm.DATA(4*i, op.U32(place))
	}
	return order
}

// clip stores the clipped accumulator to input, and returns the set of its blocks of four that are not all
// zero.
func (k *kernel) clip(accumulator reg.Register, at int) reg.GPVirtual {
	set := asm.GP64()
	for i := range 8 {
		v, none, some := asm.YMM(), asm.YMM(), asm.GP64()
		asm.VMOVDQU(op.Mem{Base: accumulator, Disp: 2 * vector * i}, v)
		asm.VPACKSSWB(op.Mem{Base: accumulator, Disp: 2*vector*i + vector}, v, v)
		asm.VPMAXSB(k.zero, v, v)
		asm.VPERMQ(op.U8(0b_11_01_10_00), v, v) // the packed halves are interleaved
		asm.VMOVDQU(v, op.Mem{Base: k.input, Disp: at + vector*i})
		asm.VPCMPGTD(k.zero, v, none)
		asm.VMOVMSKPS(none, some.As32())
		if i == 0 {
			asm.MOVQ(some, set)
			continue
		}
		asm.SHLQ(op.U8(8*i), some)
		asm.ORQ(some, set)
	}
	return set
}

// bias loads the biases of a layer.
func (k *kernel) bias(at int) (sums [4]reg.VecVirtual) {
	for i := range sums {
		sums[i] = asm.YMM()
		asm.VMOVDQU(op.Mem{Base: k.layers, Disp: at + vector*i}, sums[i])
	}
	return sums
}

// sparse adds the products of a set of blocks, those from the block at on.
func (k *kernel) sparse(name string, set reg.GPVirtual, at int, sums [4]reg.VecVirtual) {
	i, weights, in := asm.GP64(), asm.GP64(), asm.YMM()
	asm.TESTQ(set, set)
	asm.JEQ(op.LabelRef(name + "_done"))
	asm.Label(name)
	asm.TZCNTQ(set, i)
	asm.VPBROADCASTD(op.Mem{Base: k.input, Index: i, Scale: 4, Disp: 4 * at}, in)
	asm.SHLQ(op.U8(7), i) // block bytes
	asm.LEAQ(op.Mem{Base: k.layers, Index: i, Scale: 1, Disp: weight1 + block*at}, weights)
	k.multiply(in, op.Mem{Base: weights}, sums)
	asm.BLSRQ(set, set)
	asm.JNE(op.LabelRef(name))
	asm.Label(name + "_done")
}

// multiply adds the products of a block and its weights. A sum of two products fits 16 bits, because an
// input is at most 127.
func (k *kernel) multiply(in reg.VecVirtual, weights op.Mem, sums [4]reg.VecVirtual) {
	for i, sum := range sums {
		product := asm.YMM()
		asm.VPMADDUBSW(weights.Offset(vector*i), in, product)
		asm.VPMADDWD(k.ones, product, product)
		asm.VPADDD(product, sum, sum)
	}
}

// pack returns the activations of 32 sums. Packing saturates: sums beyond 16 bits stay beyond the bounds
// of the activation, also after the shift.
func (k *kernel) pack(sums [4]reg.VecVirtual) reg.VecVirtual {
	asm.VPACKSSDW(sums[1], sums[0], sums[0])
	asm.VPACKSSDW(sums[3], sums[2], sums[2])
	asm.VPSRAW(op.U8(6), sums[0], sums[0])
	asm.VPSRAW(op.U8(6), sums[2], sums[2])
	asm.VPACKSSWB(sums[2], sums[0], sums[0])
	asm.VPMAXSB(k.zero, sums[0], sums[0])
	asm.VPERMD(sums[0], k.order, sums[0])
	return sums[0]
}

// store stores a vector as the inputs of the next layer.
func (k *kernel) store(v reg.VecVirtual) { asm.VMOVDQU(v, op.Mem{Base: k.input}) }
