//go:build !purego

#include "textflag.h"

// The kernels for arm64. A vector is 8 neurons; every accumulator is a whole number of 4 vectors.

// ROW sets R13 to the part of a row that belongs to the tile, and p behind its feature.
#define ROW(p) \
	MOVHU.P 2(p), R12; \
	MADD    R4, R2, R12, R13

// APPLY adds 4 vectors of a row to those of a tile, or subtracts them.
#define APPLY(op, a, b, c, d) \
	VLD1.P 64(R13), [V16.H8, V17.H8, V18.H8, V19.H8]; \
	op     V16.H8, a.H8, a.H8; \
	op     V17.H8, b.H8, b.H8; \
	op     V18.H8, c.H8, c.H8; \
	op     V19.H8, d.H8, d.H8

#define APPLY128(op) \
	APPLY(op, V0, V1, V2, V3); \
	APPLY(op, V4, V5, V6, V7); \
	APPLY(op, V8, V9, V10, V11); \
	APPLY(op, V12, V13, V14, V15)

// func updateNEON(dst, src, weights *int16, hidden int, added, removed []uint16)
//
// It takes a tile of the accumulator into registers, applies all rows to it, and writes it once: 128
// neurons at a time, then what is left, 32 at a time.
TEXT ·updateNEON(SB), NOSPLIT, $0-80
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD weights+16(FP), R2         // at the present tile
	MOVD hidden+24(FP), R3          // neurons that are left
	LSL  $1, R3, R4                 // bytes of a row
	MOVD added_base+32(FP), R5
	MOVD added_len+40(FP), R6
	ADD  R6<<1, R5, R6              // the end of added
	MOVD removed_base+56(FP), R7
	MOVD removed_len+64(FP), R8
	ADD  R8<<1, R7, R8              // the end of removed

wide:
	CMP    $128, R3
	BLT    narrow
	VLD1.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R1), [V4.H8, V5.H8, V6.H8, V7.H8]
	VLD1.P 64(R1), [V8.H8, V9.H8, V10.H8, V11.H8]
	VLD1.P 64(R1), [V12.H8, V13.H8, V14.H8, V15.H8]
	MOVD   R5, R10
	B      wideAddNext

wideAdd:
	ROW(R10)
	APPLY128(VADD)

wideAddNext:
	CMP  R10, R6
	BNE  wideAdd
	MOVD R7, R10
	B    wideRemoveNext

wideRemove:
	ROW(R10)
	APPLY128(VSUB)

wideRemoveNext:
	CMP    R10, R8
	BNE    wideRemove
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0)
	VST1.P [V4.H8, V5.H8, V6.H8, V7.H8], 64(R0)
	VST1.P [V8.H8, V9.H8, V10.H8, V11.H8], 64(R0)
	VST1.P [V12.H8, V13.H8, V14.H8, V15.H8], 64(R0)
	ADD    $256, R2
	SUB    $128, R3
	B      wide

narrow:
	CBZ    R3, done
	VLD1.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8]
	MOVD   R5, R10
	B      narrowAddNext

narrowAdd:
	ROW(R10)
	APPLY(VADD, V0, V1, V2, V3)

narrowAddNext:
	CMP  R10, R6
	BNE  narrowAdd
	MOVD R7, R10
	B    narrowRemoveNext

narrowRemove:
	ROW(R10)
	APPLY(VSUB, V0, V1, V2, V3)

narrowRemoveNext:
	CMP    R10, R8
	BNE    narrowRemove
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0)
	ADD    $64, R2
	SUB    $32, R3
	B      narrow

done:
	RET

// Instructions that the assembler does not know, by the numbers of their registers. SMAX, SMIN and SQDMULH,
// which is ⌊2·a·b / 2^16⌋, set d to a op b, for 8 numbers of 16 bits, and SHL7 sets it to 2^7·a; SMLAL and SMLAL2 add to d, 4 numbers of 32 bits, the
// products of the lower and of the upper 4 numbers of 16 bits.
#define SMAX(a, b, d) WORD $(0x4e606400 | b<<16 | a<<5 | d)
#define SMIN(a, b, d) WORD $(0x4e606c00 | b<<16 | a<<5 | d)
#define SHL7(a, d) WORD $(0x4f175400 | a<<5 | d)
#define SQDMULH(a, b, d) WORD $(0x4e60b400 | b<<16 | a<<5 | d)
#define SMLAL(a, b, d) WORD $(0x0e608000 | b<<16 | a<<5 | d)
#define SMLAL2(a, b, d) WORD $(0x4e608000 | b<<16 | a<<5 | d)

// SCRELU adds ⌊c²/2⌋·w with c = clamp(a, 0, QA) to the sums in V0 and V1. V2 is zero and V3 is QA. SQDMULH of
// 2^7·c and itself is ⌊c²/2⌋.
#define SCRELU(a, w) \
	SMAX(a, 2, a); \
	SMIN(a, 3, a); \
	SHL7(a, a); \
	SQDMULH(a, a, a); \
	SMLAL(a, w, 0); \
	SMLAL2(a, w, 1)

// SCRELU32 does so for the next 32 neurons at p and weights at R2.
#define SCRELU32(p) \
	VLD1.P 64(p), [V4.H8, V5.H8, V6.H8, V7.H8]; \
	VLD1.P 64(R2), [V16.H8, V17.H8, V18.H8, V19.H8]; \
	SCRELU(4, 16); \
	SCRELU(5, 17); \
	SCRELU(6, 18); \
	SCRELU(7, 19)

// func screluNEON(us, them, weights *int16, hidden int) int32
TEXT ·screluNEON(SB), NOSPLIT, $0-36
	MOVD us+0(FP), R0
	MOVD them+8(FP), R1
	MOVD weights+16(FP), R2   // of us, then of them
	MOVD hidden+24(FP), R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	MOVD $255, R4
	VDUP R4, V3.H8
	MOVD R3, R5               // neurons that are left of us

us:
	SCRELU32(R0)
	SUBS $32, R5
	BNE  us

them:
	SCRELU32(R1)
	SUBS $32, R3
	BNE  them

	VADD  V1.S4, V0.S4, V0.S4
	VADDV V0.S4, V0
	VMOV  V0.S[0], R0
	MOVW  R0, ret+32(FP)
	RET
