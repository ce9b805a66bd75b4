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
	forward()
	backward()
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

const tileVectors = 2 // vectors of a tile's neurons

// pair returns the vectors of a tile for both sides, us first.
func pair() [2][]reg.VecVirtual {
	return [2][]reg.VecVirtual{vectors(tileVectors), vectors(tileVectors)}
}

// samples emits body for each sample of a stream, with the offset of its bucket's output weights. It must leave the
// stream at the first row.
func samples(label string, stream, left reg.Register, body func(bucket reg.Register)) {
	asm.Label(label)
	asm.CMPQ(left, op.Imm(0))
	asm.JLE(op.LabelRef(label + "End"))
	bucket := asm.GP64()
	asm.MOVWLZX(op.Mem{Base: stream}, bucket.As32())
	asm.SHLQ(op.Imm(7), bucket) // two sides of a tile
	body(bucket)
	asm.DECQ(left)
	asm.JMP(op.LabelRef(label))
	asm.Label(label + "End")
}

// eachRow emits body for the rows of the sample at a stream, those of both sides in turn, even and odd
// ones, and moves the stream to the next sample; row is the number of bytes from the beginning of the
// matrix to the row.
func eachRow(label string, stream reg.Register, body func(odd, side int, row reg.Register)) {
	n := asm.GP64()
	asm.MOVWLZX(op.Mem{Base: stream, Disp: 2}, n.As32())
	asm.ADDQ(op.Imm(4), stream)
	asm.Label(label + "Row")
	for i := range 2 { // rows of a side are even in number
		for side := range 2 {
			row := asm.GP64()
			asm.MOVWLZX(op.Mem{Base: stream, Disp: 4*i + 2*side}, row.As32())
			asm.SHLQ(op.Imm(6), row)
			body(i, side, row)
		}
	}
	asm.ADDQ(op.Imm(8), stream)
	asm.SUBQ(op.Imm(2), n)
	asm.JG(op.LabelRef(label + "Row"))
}

func forward() {
	asm.TEXT("forwardAVX2", asm.NOSPLIT, "func(acc, out, matrix, bias, weights *float32, stream *uint16, samples int)")
	asm.Doc("forwardAVX2 is forwardGo, whose terms it adds up in another order.")
	asm.Pragma("noescape")
	acc, out := asm.Load(asm.Param("acc"), asm.GP64()), asm.Load(asm.Param("out"), asm.GP64())
	matrix, bias := asm.Load(asm.Param("matrix"), asm.GP64()), asm.Load(asm.Param("bias"), asm.GP64())
	weights, stream := asm.Load(asm.Param("weights"), asm.GP64()), asm.Load(asm.Param("stream"), asm.GP64())
	left := asm.Load(asm.Param("samples"), asm.GP64())
	biases, zero, one := vectors(tileVectors), asm.YMM(), constant(oneBits)
	asm.VXORPS(zero, zero, zero)
	for i, b := range biases {
		asm.VMOVUPS(at(bias, i), b)
	}
	samples("forward", stream, left, func(bucket reg.Register) {
		// Sums of even and of odd rows: an addition waits for the one before in the same sum.
		sums, odds := pair(), pair()
		for side := range sums {
			for i, s := range sums[side] {
				asm.VMOVAPS(biases[i], s)
				asm.VXORPS(odds[side][i], odds[side][i], odds[side][i])
			}
		}
		eachRow("forward", stream, func(odd, side int, row reg.Register) {
			to := sums
			if odd == 1 {
				to = odds
			}
			for i, s := range to[side] {
				asm.VADDPS(at(matrix, i).Idx(row, 1), s, s)
			}
		})
		total := asm.YMM()
		asm.VMOVUPS(at(out, 0), total)
		for side := range sums {
			for i, s := range sums[side] {
				c, w := asm.YMM(), asm.YMM()
				asm.VADDPS(odds[side][i], s, s)
				asm.VMOVUPS(s, at(acc, side*tileVectors+i))
				asm.VMAXPS(zero, s, c)
				asm.VMINPS(one, c, c)
				asm.VMULPS(at(weights, side*tileVectors+i).Idx(bucket, 1), c, w)
				asm.VFMADD231PS(c, w, total)
			}
		}
		asm.VMOVUPS(total, at(out, 0))
		advance(1, out)
		advance(2*tileVectors, acc)
	})
	asm.VZEROUPPER()
	asm.RET()
}

func backward() {
	asm.TEXT("backwardAVX2", asm.NOSPLIT,
		"func(acc, slopes, matrix, bias, weights, gradient *float32, stream *uint16, samples int)")
	asm.Doc("backwardAVX2 is backwardGo.")
	asm.Pragma("noescape")
	acc, slopes := asm.Load(asm.Param("acc"), asm.GP64()), asm.Load(asm.Param("slopes"), asm.GP64())
	matrix := asm.Load(asm.Param("matrix"), asm.GP64())
	weights, gradient := asm.Load(asm.Param("weights"), asm.GP64()), asm.Load(asm.Param("gradient"), asm.GP64())
	stream, left := asm.Load(asm.Param("stream"), asm.GP64()), asm.Load(asm.Param("samples"), asm.GP64())
	biases, zero, one := vectors(tileVectors), asm.YMM(), constant(oneBits)
	asm.VXORPS(zero, zero, zero)
	for _, b := range biases {
		asm.VXORPS(b, b, b)
	}
	samples("backward", stream, left, func(bucket reg.Register) {
		slope, deltas := asm.YMM(), pair()
		asm.VBROADCASTSS(op.Mem{Base: slopes}, slope)
		for side := range deltas {
			for i, d := range deltas[side] {
				a, c, g := asm.YMM(), asm.YMM(), asm.YMM()
				asm.VMOVUPS(at(acc, side*tileVectors+i), a)
				asm.VMAXPS(zero, a, c)
				asm.VMINPS(one, c, c)
				asm.VMULPS(c, slope, g)
				asm.VADDPS(g, g, d)
				asm.VFMADD213PS(at(gradient, side*tileVectors+i).Idx(bucket, 1), c, g)
				asm.VMOVUPS(g, at(gradient, side*tileVectors+i).Idx(bucket, 1))
				asm.VCMPPS(op.Imm(1), one, a, a) // a < 1
				asm.VMULPS(at(weights, side*tileVectors+i).Idx(bucket, 1), d, d)
				asm.VANDPS(a, d, d)
				asm.VADDPS(d, biases[i], biases[i])
			}
		}
		eachRow("backward", stream, func(_, side int, row reg.Register) {
			for i, d := range deltas[side] {
				sum := asm.YMM()
				asm.VADDPS(at(matrix, i).Idx(row, 1), d, sum)
				asm.VMOVUPS(sum, at(matrix, i).Idx(row, 1))
			}
		})
		asm.ADDQ(op.Imm(4), slopes)
		advance(2*tileVectors, acc)
	})
	bias := asm.Load(asm.Param("bias"), asm.GP64())
	for i, b := range biases {
		asm.VADDPS(at(bias, i), b, b)
		asm.VMOVUPS(b, at(bias, i))
	}
	asm.VZEROUPPER()
	asm.RET()
}

func add() {
	asm.TEXT("addAVX2", asm.NOSPLIT, "func(dst, src *float32, n int)")
	asm.Doc("addAVX2 is addGo.")
	asm.Pragma("noescape")
	dst, src, n := asm.Load(asm.Param("dst"), asm.GP64()), asm.Load(asm.Param("src"), asm.GP64()),
		asm.Load(asm.Param("n"), asm.GP64())
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
