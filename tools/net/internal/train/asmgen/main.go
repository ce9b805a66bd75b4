// Asmgen generates the AVX2 kernels of package train; "go generate" in its folder runs it. It is a
// module of its own, so only those who change a kernel need the generator.
//
// A vector is 8 float32. All lengths are multiples of 32.
package main

import (
	asm "github.com/mmcloughlin/avo/build"
	op "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	lanes       = 8 // float32 of a vector
	vectorBytes = 4 * lanes
)

func main() {
	asm.ConstraintExpr("!purego")
	sumRows()
	addToRows()
	output()
	outputGradient()
	add()
	adam()
	asm.Generate()
}

// vectors returns n vector registers.
func vectors(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = asm.YMM()
	}
	return v
}

// at is vector i behind a pointer.
func at(base reg.Register, i int) op.Mem { return op.Mem{Base: base, Disp: i * vectorBytes} }

// advance moves pointers by n vectors.
func advance(n int, pointers ...reg.Register) {
	for _, p := range pointers {
		asm.ADDQ(op.U32(uint32(n*vectorBytes)), p)
	}
}

// columns emits body for blocks of columns of a matrix: as many as fit of the first size, then of
// the next. Sizes are in vectors; left is the number of columns and pointers are those that move
// from block to block.
func columns(name string, sizes []int, left reg.Register, pointers []reg.Register, body func(size int, label string)) {
	for i, size := range sizes {
		label := name + string(rune('A'+i))
		asm.Label(label)
		asm.CMPQ(left, op.U32(uint32(size*lanes)))
		asm.JL(op.LabelRef(label + "End"))
		body(size, label)
		advance(size, pointers...)
		asm.SUBQ(op.U32(uint32(size*lanes)), left)
		asm.JMP(op.LabelRef(label))
		asm.Label(label + "End")
	}
}

// eachRow emits body for the rows whose numbers are listed, in order; row is the number of bytes
// from the beginning of the matrix to the row.
func eachRow(label string, rows, n, stride reg.Register, body func(row reg.Register)) {
	i, row := asm.GP64(), asm.GP64()
	asm.XORQ(i, i)
	asm.JMP(op.LabelRef(label + "Test"))
	asm.Label(label + "Row")
	asm.MOVWLZX(op.Mem{Base: rows, Index: i, Scale: 2}, row.As32())
	asm.IMULQ(stride, row)
	body(row)
	asm.INCQ(i)
	asm.Label(label + "Test")
	asm.CMPQ(i, n)
	asm.JL(op.LabelRef(label + "Row"))
}

func sumRows() {
	asm.TEXT("sumRowsAVX2", asm.NOSPLIT, "func(dst, matrix *float32, rows *uint16, n, columns int)")
	asm.Doc("sumRowsAVX2 is sumRowsGo.")
	asm.Pragma("noescape")
	dst, matrix, rows := asm.Load(asm.Param("dst"), asm.GP64()), asm.Load(asm.Param("matrix"), asm.GP64()), asm.Load(asm.Param("rows"), asm.GP64())
	n, left := asm.Load(asm.Param("n"), asm.GP64()), asm.Load(asm.Param("columns"), asm.GP64())
	stride := asm.GP64()
	asm.MOVQ(left, stride)
	asm.SHLQ(op.Imm(2), stride)
	columns("sum", []int{16, 4}, left, []reg.Register{dst, matrix}, func(size int, label string) {
		sums := vectors(size)
		for _, s := range sums {
			asm.VXORPS(s, s, s)
		}
		eachRow(label, rows, n, stride, func(row reg.Register) {
			for i, s := range sums {
				asm.VADDPS(at(matrix, i).Idx(row, 1), s, s)
			}
		})
		for i, s := range sums {
			asm.VMOVUPS(s, at(dst, i))
		}
	})
	asm.VZEROUPPER()
	asm.RET()
}

func addToRows() {
	asm.TEXT("addToRowsAVX2", asm.NOSPLIT, "func(matrix, delta *float32, rows *uint16, n, columns int)")
	asm.Doc("addToRowsAVX2 is addToRowsGo.")
	asm.Pragma("noescape")
	matrix, delta, rows := asm.Load(asm.Param("matrix"), asm.GP64()), asm.Load(asm.Param("delta"), asm.GP64()), asm.Load(asm.Param("rows"), asm.GP64())
	n, left := asm.Load(asm.Param("n"), asm.GP64()), asm.Load(asm.Param("columns"), asm.GP64())
	stride := asm.GP64()
	asm.MOVQ(left, stride)
	asm.SHLQ(op.Imm(2), stride)
	columns("add", []int{8, 4}, left, []reg.Register{matrix, delta}, func(size int, label string) {
		deltas, sums := vectors(size), vectors(size)
		for i, d := range deltas {
			asm.VMOVUPS(at(delta, i), d)
		}
		eachRow(label, rows, n, stride, func(row reg.Register) {
			for i, d := range deltas {
				asm.VADDPS(at(matrix, i).Idx(row, 1), d, sums[i])
			}
			for i, s := range sums {
				asm.VMOVUPS(s, at(matrix, i).Idx(row, 1))
			}
		})
	})
	asm.VZEROUPPER()
	asm.RET()
}

// constant returns a vector whose lanes are all a float32, given by its bits.
func constant(bits uint32) reg.VecVirtual {
	r, v := asm.GP32(), asm.YMM()
	asm.MOVL(op.U32(bits), r)
	asm.VMOVD(r, v.AsX())
	asm.VBROADCASTSS(v.AsX(), v)
	return v
}

const (
	oneBits = 0x3f800000 // 1.0
	unroll  = 4          // vectors of a turn: nnue.HiddenDivisor float32
)

// loop emits body for every unroll vectors of n float32, with the pointers at the first of them.
func loop(label string, n reg.Register, pointers []reg.Register, body func()) {
	asm.Label(label)
	asm.CMPQ(n, op.Imm(0))
	asm.JLE(op.LabelRef(label + "End"))
	body()
	advance(unroll, pointers...)
	asm.SUBQ(op.Imm(unroll*lanes), n)
	asm.JMP(op.LabelRef(label))
	asm.Label(label + "End")
}

func output() {
	asm.TEXT("outputAVX2", asm.NOSPLIT, "func(acc, weights *float32, n int) float32")
	asm.Doc("outputAVX2 is outputGo, whose terms it adds up in another order.")
	asm.Pragma("noescape")
	acc, weights, n := asm.Load(asm.Param("acc"), asm.GP64()), asm.Load(asm.Param("weights"), asm.GP64()), asm.Load(asm.Param("n"), asm.GP64())
	zero, one, sums := asm.YMM(), constant(oneBits), vectors(unroll)
	asm.VXORPS(zero, zero, zero)
	for _, s := range sums {
		asm.VXORPS(s, s, s)
	}
	loop("output", n, []reg.Register{acc, weights}, func() {
		for i, s := range sums {
			c, w := asm.YMM(), asm.YMM()
			asm.VMAXPS(at(acc, i), zero, c)
			asm.VMINPS(one, c, c)
			asm.VMULPS(at(weights, i), c, w)
			asm.VFMADD231PS(c, w, s)
		}
	})
	asm.VADDPS(sums[1], sums[0], sums[0])
	asm.VADDPS(sums[3], sums[2], sums[2])
	asm.VADDPS(sums[2], sums[0], sums[0])
	low, high := sums[0].AsX(), sums[1].AsX()
	asm.VEXTRACTF128(op.Imm(1), sums[0], high)
	asm.VADDPS(high, low, low)
	asm.VHADDPS(low, low, low)
	asm.VHADDPS(low, low, low)
	asm.VZEROUPPER() // before asm.Store, which uses no AVX
	asm.Store(low, asm.ReturnIndex(0))
	asm.RET()
}

func outputGradient() {
	asm.TEXT("outputGradientAVX2", asm.NOSPLIT, "func(acc, weights, gradient, delta *float32, slope float32, n int)")
	asm.Doc("outputGradientAVX2 is outputGradientGo.")
	asm.Pragma("noescape")
	acc, weights := asm.Load(asm.Param("acc"), asm.GP64()), asm.Load(asm.Param("weights"), asm.GP64())
	gradient, delta := asm.Load(asm.Param("gradient"), asm.GP64()), asm.Load(asm.Param("delta"), asm.GP64())
	slope, twice := asm.YMM(), asm.YMM()
	asm.VBROADCASTSS(op.NewParamAddr("slope", 32), slope)
	asm.VADDPS(slope, slope, twice)
	n := asm.Load(asm.Param("n"), asm.GP64())
	zero, one := asm.YMM(), constant(oneBits)
	asm.VXORPS(zero, zero, zero)
	loop("gradient", n, []reg.Register{acc, weights, gradient, delta}, func() {
		for i := range unroll {
			a, c, below, g := asm.YMM(), asm.YMM(), asm.YMM(), asm.YMM()
			asm.VMOVUPS(at(acc, i), a)
			asm.VMAXPS(zero, a, c)
			asm.VMINPS(one, c, c)
			asm.VMULPS(c, slope, g)
			asm.VFMADD213PS(at(gradient, i), c, g)
			asm.VMOVUPS(g, at(gradient, i))
			asm.VCMPPS(op.Imm(1), one, a, below) // a < 1
			asm.VMULPS(at(weights, i), twice, g)
			asm.VMULPS(c, g, g)
			asm.VANDPS(below, g, g)
			asm.VMOVUPS(g, at(delta, i))
		}
	})
	asm.VZEROUPPER()
	asm.RET()
}

func add() {
	asm.TEXT("addAVX2", asm.NOSPLIT, "func(dst, src *float32, n int)")
	asm.Doc("addAVX2 is addGo.")
	asm.Pragma("noescape")
	dst, src, n := asm.Load(asm.Param("dst"), asm.GP64()), asm.Load(asm.Param("src"), asm.GP64()), asm.Load(asm.Param("n"), asm.GP64())
	loop("sum", n, []reg.Register{dst, src}, func() {
		for i, v := range vectors(unroll) {
			asm.VMOVUPS(at(src, i), v)
			asm.VADDPS(at(dst, i), v, v)
			asm.VMOVUPS(v, at(dst, i))
		}
	})
	asm.VZEROUPPER()
	asm.RET()
}

func adam() {
	asm.TEXT("adamAVX2", asm.NOSPLIT, "func(weights, mean, square, gradient *float32, n int, step *float32)")
	asm.Doc("adamAVX2 is adamGo.")
	asm.Pragma("noescape")
	weights, mean := asm.Load(asm.Param("weights"), asm.GP64()), asm.Load(asm.Param("mean"), asm.GP64())
	square, gradient := asm.Load(asm.Param("square"), asm.GP64()), asm.Load(asm.Param("gradient"), asm.GP64())
	n, step := asm.Load(asm.Param("n"), asm.GP64()), asm.Load(asm.Param("step"), asm.GP64())
	fields := vectors(8) // of an adamStep, in order
	for i, f := range fields {
		asm.VBROADCASTSS(op.Mem{Base: step, Disp: 4 * i}, f)
	}
	meanShare, squareShare, rate, correction := fields[0], fields[1], fields[2], fields[3]
	epsilon, decay, high, low := fields[4], fields[5], fields[6], fields[7]
	loop("adam", n, []reg.Register{weights, mean, square, gradient}, func() {
		for i := range unroll {
			g, m, s, w := asm.YMM(), asm.YMM(), asm.YMM(), asm.YMM()
			asm.VMOVUPS(at(gradient, i), g)
			asm.VMOVUPS(at(mean, i), m)
			asm.VSUBPS(m, g, w)
			asm.VFMADD231PS(meanShare, w, m)
			asm.VMOVUPS(m, at(mean, i))
			asm.VMOVUPS(at(square, i), s)
			asm.VMULPS(g, g, g)
			asm.VSUBPS(s, g, g)
			asm.VFMADD231PS(squareShare, g, s)
			asm.VMOVUPS(s, at(square, i))
			asm.VSQRTPS(s, s)
			asm.VFMADD213PS(epsilon, correction, s) // s·correction + epsilon
			asm.VMULPS(rate, m, m)
			asm.VDIVPS(s, m, m)
			asm.VMOVUPS(at(weights, i), w)
			asm.VFMADD231PS(decay, w, m)
			asm.VSUBPS(m, w, w)
			asm.VMINPS(high, w, w)
			asm.VMAXPS(low, w, w)
			asm.VMOVUPS(w, at(weights, i))
		}
	})
	asm.VZEROUPPER()
	asm.RET()
}
