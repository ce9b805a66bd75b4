// Asmgen generates the AVX2 kernels of package nnue; "go generate ./nnue" runs it. It is a module of
// its own, so only those who change a kernel need the generator.
//
// A vector is 16 neurons. The kernels take 32 neurons at a time, which divide every accumulator.
package main

import (
	asm "github.com/mmcloughlin/avo/build"
	op "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	vectorBytes = 32
	qa          = 255
)

func main() {
	asm.ConstraintExpr("!purego")
	update()
	screlu()
	asm.Generate()
}

// update generates the kernel of Update. It takes a tile of the accumulator into registers, applies
// all rows to it, and writes it once: 128 neurons at a time, then what is left, 32 at a time.
func update() {
	asm.TEXT("updateAVX2", asm.NOSPLIT, "func(dst, src, weights *int16, hidden int, added, removed []uint16)")
	asm.Pragma("noescape")
	asm.Doc("updateAVX2 is updateGo for accumulators of hidden neurons, a multiple of 32.")
	u := updater{
		dst:     asm.Load(asm.Param("dst"), asm.GP64()),
		src:     asm.Load(asm.Param("src"), asm.GP64()),
		weights: asm.Load(asm.Param("weights"), asm.GP64()),
		left:    asm.Load(asm.Param("hidden"), asm.GP64()),
		stride:  asm.GP64(),
	}
	asm.MOVQ(u.left, u.stride)
	asm.SHLQ(op.U8(1), u.stride)
	u.added.load("added")
	u.removed.load("removed")
	u.tiles("wide", 8)
	u.tiles("narrow", 2)
	asm.VZEROUPPER()
	asm.RET()
}

type updater struct {
	dst, src, weights reg.Register // at the present tile
	left              reg.Register // neurons
	stride            reg.Register // bytes of a row
	added, removed    list
}

// A list is a slice of features.
type list struct{ begin, end reg.GPVirtual }

func (l *list) load(name string) {
	l.begin, l.end = asm.GP64(), asm.GP64()
	asm.Load(asm.Param(name).Base(), l.begin)
	asm.Load(asm.Param(name).Len(), l.end)
	asm.LEAQ(op.Mem{Base: l.begin, Index: l.end, Scale: 2}, l.end)
}

// tiles generates a loop over tiles of some vectors, as long as that many neurons are left.
func (u *updater) tiles(name string, vectors int) {
	neurons, bytes := vectors*vectorBytes/2, vectors*vectorBytes
	tile := make([]reg.VecVirtual, vectors)
	asm.Label(name)
	asm.CMPQ(u.left, op.U32(neurons))
	asm.JLT(op.LabelRef(name + "_done"))
	for i := range tile {
		tile[i] = asm.YMM()
		asm.VMOVDQU(op.Mem{Base: u.src, Disp: i * vectorBytes}, tile[i])
	}
	u.rows(name+"_add", u.added, tile, asm.VPADDW)
	u.rows(name+"_remove", u.removed, tile, asm.VPSUBW)
	for i := range tile {
		asm.VMOVDQU(tile[i], op.Mem{Base: u.dst, Disp: i * vectorBytes})
	}
	for _, r := range []reg.Register{u.src, u.dst, u.weights} {
		asm.ADDQ(op.U32(bytes), r)
	}
	asm.SUBQ(op.U32(neurons), u.left)
	asm.JMP(op.LabelRef(name))
	asm.Label(name + "_done")
}

// rows generates a loop that applies the rows of a list to a tile.
func (u *updater) rows(name string, l list, tile []reg.VecVirtual, apply func(...op.Op)) {
	p, row := asm.GP64(), asm.GP64()
	asm.MOVQ(l.begin, p)
	asm.JMP(op.LabelRef(name + "_next"))
	asm.Label(name)
	asm.MOVWLZX(op.Mem{Base: p}, row.As32())
	asm.ADDQ(op.U8(2), p)
	asm.IMULQ(u.stride, row)
	asm.ADDQ(u.weights, row)
	for i := range tile {
		apply(op.Mem{Base: row, Disp: i * vectorBytes}, tile[i], tile[i])
	}
	asm.Label(name + "_next")
	asm.CMPQ(p, l.end)
	asm.JNE(op.LabelRef(name))
}

// screlu generates the sum of Output. With c = clamp(a, 0, QA), VPMULHUW of 2^7·c and 2^8·c is ⌊c²/2⌋, and
// VPMADDWD multiplies it by w and adds neighbours to 32-bit sums.
func screlu() {
	asm.TEXT("screluAVX2", asm.NOSPLIT, "func(us, them, weights *int16, hidden int) int32")
	asm.Pragma("noescape")
	asm.Doc("screluAVX2 is screluGo for accumulators of hidden neurons, a multiple of 32.")
	us := asm.Load(asm.Param("us"), asm.GP64())
	them := asm.Load(asm.Param("them"), asm.GP64())
	ours := asm.Load(asm.Param("weights"), asm.GP64())
	left := asm.Load(asm.Param("hidden"), asm.GP64())
	theirs := asm.GP64()
	asm.LEAQ(op.Mem{Base: ours, Index: left, Scale: 2}, theirs)

	zero, one := asm.YMM(), asm.YMM()
	asm.VPXOR(zero, zero, zero)
	x := asm.GP32()
	asm.MOVL(op.U32(qa), x)
	asm.VMOVD(x, one.AsX())
	asm.VPBROADCASTW(one.AsX(), one)
	var sums [4]reg.VecVirtual
	for i := range sums {
		sums[i] = asm.YMM()
		asm.VPXOR(sums[i], sums[i], sums[i])
	}

	asm.Label("loop")
	for i, sum := range sums {
		accumulator, weights := us, ours
		if i >= 2 {
			accumulator, weights = them, theirs
		}
		disp := i % 2 * vectorBytes
		c, product := asm.YMM(), asm.YMM()
		asm.VPMAXSW(op.Mem{Base: accumulator, Disp: disp}, zero, c)
		asm.VPMINSW(one, c, c)
		asm.VPSLLW(op.U8(7), c, c)
		asm.VPADDW(c, c, product)
		asm.VPMULHUW(product, c, product)
		asm.VPMADDWD(op.Mem{Base: weights, Disp: disp}, product, product)
		asm.VPADDD(product, sum, sum)
	}
	for _, r := range []reg.Register{us, them, ours, theirs} {
		asm.ADDQ(op.U8(2*vectorBytes), r)
	}
	asm.SUBQ(op.U8(2*vectorBytes/2), left)
	asm.JNE(op.LabelRef("loop"))

	asm.VPADDD(sums[1], sums[0], sums[0])
	asm.VPADDD(sums[3], sums[2], sums[2])
	asm.VPADDD(sums[2], sums[0], sums[0])
	sum, half := sums[0].AsX(), asm.XMM()
	asm.VEXTRACTI128(op.U8(1), sums[0], half)
	asm.VPADDD(half, sum, sum)
	asm.VPSHUFD(op.U8(0b_01_00_11_10), sum, half) // the upper two numbers
	asm.VPADDD(half, sum, sum)
	asm.VPSHUFD(op.U8(0b_10_11_00_01), sum, half) // the second one
	asm.VPADDD(half, sum, sum)
	asm.VMOVD(sum, x)
	asm.VZEROUPPER()
	asm.Store(x, asm.ReturnIndex(0))
	asm.RET()
}
