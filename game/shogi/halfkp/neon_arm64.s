//go:build !purego

#include "textflag.h"

// The kernels for arm64. All numbers of 8 bits are signed: inputs are 0 to 127.

// Instructions that the assembler does not know, by the numbers of their registers. A name without 2 takes
// the lower half of a vector, or writes it; one with 2 the upper half.
//
// SMULL sets d to, and SMLAL adds to d, 8 products of 16 bits; SADALP adds neighbours of 8 numbers of 16 bits to
// 4 sums. SDOT adds to each of 4 sums the products of 4 weights with inputs 4i to 4i+3. SQSHRN shifts 4
// numbers right by 6 and saturates to 16 bits, SQXTN saturates 8 numbers of 16 bits to 8, SQXTUN to 0 to 255.
// SMIN16 and SMAX16 compare numbers of 16 bits. SQDMULH keeps the upper halves of their products, times 2.
#define SMULL(a, b, d) WORD $(0x0e20c000 | b<<16 | a<<5 | d)
#define SMULL2(a, b, d) WORD $(0x4e20c000 | b<<16 | a<<5 | d)
#define SMLAL(a, b, d) WORD $(0x0e208000 | b<<16 | a<<5 | d)
#define SMLAL2(a, b, d) WORD $(0x4e208000 | b<<16 | a<<5 | d)
#define SADALP(a, d) WORD $(0x4e606800 | a<<5 | d)
#define SDOT(a, inputs, i, d) WORD $(0x4f80e000 | (i&1)<<21 | (i>>1)<<11 | inputs<<16 | a<<5 | d)
#define SQSHRN(a, d) WORD $(0x0f1a9400 | a<<5 | d)
#define SQSHRN2(a, d) WORD $(0x4f1a9400 | a<<5 | d)
#define SQXTN(a, d) WORD $(0x0e214800 | a<<5 | d)
#define SQXTN2(a, d) WORD $(0x4e214800 | a<<5 | d)
#define SQXTUN(a, d) WORD $(0x2e212800 | a<<5 | d)
#define SQXTUN2(a, d) WORD $(0x6e212800 | a<<5 | d)
#define SMIN16(a, b, d) WORD $(0x4e606c00 | b<<16 | a<<5 | d)
#define SMAX16(a, b, d) WORD $(0x4e606400 | b<<16 | a<<5 | d)
#define SQDMULH(a, b, d) WORD $(0x4e60b400 | b<<16 | a<<5 | d)
#define SMAX(a, b, d) WORD $(0x4e206400 | b<<16 | a<<5 | d)

// ARGUMENTS loads the arguments of a layer: R0 outputs, R1 biases, R2 weights, R3 inputs, R4 the number of
// inputs.
#define ARGUMENTS \
	MOVD outputs+0(FP), R0; \
	MOVD bias+8(FP), R1; \
	MOVD weights+16(FP), R2; \
	MOVD inputs+24(FP), R3; \
	MOVD n+32(FP), R4

// func clipNEON(outputs *uint8, accumulator *int16, neurons int)
TEXT ·clipNEON(SB), NOSPLIT, $0-24
	MOVD outputs+0(FP), R0
	MOVD accumulator+8(FP), R1
	MOVD neurons+16(FP), R2    // that are left
	VEOR V8.B16, V8.B16, V8.B16

clip:
	VLD1.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8]
	SQXTN(0, 4)
	SQXTN2(1, 4)
	SQXTN(2, 5)
	SQXTN2(3, 5)
	SMAX(4, 8, 4)
	SMAX(5, 8, 5)
	VST1.P [V4.B16, V5.B16], 32(R0)
	SUBS   $32, R2
	BNE    clip
	RET

// BIAS loads 32 biases.
#define BIAS(a, b, c, d, e, f, g, h) \
	VLD1.P 64(R1), [a.S4, b.S4, c.S4, d.S4]; \
	VLD1   (R1), [e.S4, f.S4, g.S4, h.S4]

// ACTIVATE stores the activations of the 32 sums in V16 to V23. What saturates is beyond the bounds of the
// activation.
#define ACTIVATE \
	VEOR    V8.B16, V8.B16, V8.B16; \
	SQSHRN(16, 0); \
	SQSHRN2(17, 0); \
	SQSHRN(18, 1); \
	SQSHRN2(19, 1); \
	SQSHRN(20, 2); \
	SQSHRN2(21, 2); \
	SQSHRN(22, 3); \
	SQSHRN2(23, 3); \
	SQXTN(0, 4); \
	SQXTN2(1, 4); \
	SQXTN(2, 5); \
	SQXTN2(3, 5); \
	SMAX(4, 8, 4); \
	SMAX(5, 8, 5); \
	VST1    [V4.B16, V5.B16], (R0)

// DOT adds the products of block i of the four in V0 and its weights for 32 neurons.
#define DOT(i) \
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]; \
	VLD1.P 64(R2), [V8.B16, V9.B16, V10.B16, V11.B16]; \
	SDOT(4, 0, i, 16); \
	SDOT(5, 0, i, 17); \
	SDOT(6, 0, i, 18); \
	SDOT(7, 0, i, 19); \
	SDOT(8, 0, i, 20); \
	SDOT(9, 0, i, 21); \
	SDOT(10, 0, i, 22); \
	SDOT(11, 0, i, 23)

// ZERO clears two vectors, and JOIN adds the two sums of 4 neurons in low and high, and their biases.
#define ZERO(a, b) \
	VEOR a.B16, a.B16, a.B16; \
	VEOR b.B16, b.B16, b.B16

#define JOIN(low, high, bias, sums) \
	VADDP high.S4, low.S4, sums.S4; \
	VADD  bias.S4, sums.S4, sums.S4

// ACTIVATE8 does so with the 8 sums in V16 and V17.
#define ACTIVATE8 \
	VEOR V8.B16, V8.B16, V8.B16; \
	SQSHRN(16, 0); \
	SQSHRN2(17, 0); \
	SQXTN(0, 4); \
	SMAX(4, 8, 4); \
	VST1 [V4.B8], (R0)

// func affine8Dot(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·affine8Dot(SB), NOSPLIT, $0-40
	ARGUMENTS
	VLD1 (R1), [V16.S4, V17.S4]
	ZERO(V18, V19)

dot:
	VLD1.P 16(R3), [V0.B16]
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]
	VLD1.P 64(R2), [V8.B16, V9.B16, V10.B16, V11.B16]
	SDOT(4, 0, 0, 16)
	SDOT(5, 0, 0, 17)
	SDOT(6, 0, 1, 18)
	SDOT(7, 0, 1, 19)
	SDOT(8, 0, 2, 16)
	SDOT(9, 0, 2, 17)
	SDOT(10, 0, 3, 18)
	SDOT(11, 0, 3, 19)
	SUBS   $16, R4
	BNE    dot
	VADD   V18.S4, V16.S4, V16.S4
	VADD   V19.S4, V17.S4, V17.S4
	ACTIVATE8
	RET

// func affine32Dot(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·affine32Dot(SB), NOSPLIT, $0-40
	ARGUMENTS
	BIAS(V16, V17, V18, V19, V20, V21, V22, V23)

dot:
	VLD1.P 16(R3), [V0.B16]
	DOT(0)
	DOT(1)
	DOT(2)
	DOT(3)
	SUBS $16, R4
	BNE  dot
	ACTIVATE
	RET

// PAIR adds the products of two blocks, in V1 and V2, and their weights for 4 neurons, in a and b. Each of low and
// high has two sums for each of two neurons. The sum of two products fits 16 bits: 2·127·128 is 32,512.
#define PAIR(a, b, low, high) \
	SMULL(a, 1, 12); \
	SMULL2(a, 1, 13); \
	SMLAL(b, 2, 12); \
	SMLAL2(b, 2, 13); \
	SADALP(12, low); \
	SADALP(13, high)

// BLOCKS does so for 32 neurons and the blocks at first and second of V0. R2 is at the weights of the first, R5 at
// those of the second.
#define BLOCKS(first, second) \
	VDUP   V0.S[first], V1.S4; \
	VDUP   V0.S[second], V2.S4; \
	ADD    $128, R2, R5; \
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]; \
	VLD1.P 64(R5), [V8.B16, V9.B16, V10.B16, V11.B16]; \
	PAIR(4, 8, 16, 17); \
	PAIR(5, 9, 18, 19); \
	PAIR(6, 10, 20, 21); \
	PAIR(7, 11, 22, 23); \
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]; \
	VLD1.P 64(R5), [V8.B16, V9.B16, V10.B16, V11.B16]; \
	PAIR(4, 8, 24, 25); \
	PAIR(5, 9, 26, 27); \
	PAIR(6, 10, 28, 29); \
	PAIR(7, 11, 30, 31); \
	MOVD   R5, R2

// func affine8NEON(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·affine8NEON(SB), NOSPLIT, $0-40
	ARGUMENTS
	ZERO(V16, V17)
	ZERO(V18, V19)

blocks:
	VLD1.P 16(R3), [V0.B16]
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]
	VLD1.P 64(R2), [V8.B16, V9.B16, V10.B16, V11.B16]
	VDUP   V0.S[0], V1.S4
	VDUP   V0.S[1], V2.S4
	PAIR(4, 6, 16, 17)
	PAIR(5, 7, 18, 19)
	VDUP   V0.S[2], V1.S4
	VDUP   V0.S[3], V2.S4
	PAIR(8, 10, 16, 17)
	PAIR(9, 11, 18, 19)
	SUBS   $16, R4
	BNE    blocks

	VLD1 (R1), [V0.S4, V1.S4]
	JOIN(V16, V17, V0, V16)
	JOIN(V18, V19, V1, V17)
	ACTIVATE8
	RET

// func affine32NEON(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·affine32NEON(SB), NOSPLIT, $0-40
	ARGUMENTS
	ZERO(V16, V17)
	ZERO(V18, V19)
	ZERO(V20, V21)
	ZERO(V22, V23)
	ZERO(V24, V25)
	ZERO(V26, V27)
	ZERO(V28, V29)
	ZERO(V30, V31)

blocks:
	VLD1.P 16(R3), [V0.B16]
	BLOCKS(0, 1)
	BLOCKS(2, 3)
	SUBS $16, R4
	BNE  blocks

	BIAS(V0, V1, V2, V3, V4, V5, V6, V7)
	JOIN(V16, V17, V0, V16)
	JOIN(V18, V19, V1, V17)
	JOIN(V20, V21, V2, V18)
	JOIN(V22, V23, V3, V19)
	JOIN(V24, V25, V4, V20)
	JOIN(V26, V27, V5, V21)
	JOIN(V28, V29, V6, V22)
	JOIN(V30, V31, V7, V23)
	ACTIVATE
	RET

// A factor 2^6 makes SQDMULH a division by 2^9. Negative products become 0 by SQXTUN.
//
// func productsNEON(outputs *uint8, accumulator *int16, n int)
TEXT ·productsNEON(SB), NOSPLIT, $0-24
	MOVD outputs+0(FP), R0
	MOVD accumulator+8(FP), R1
	MOVD n+16(FP), R2           // that are left
	ADD  R2<<1, R1, R3
	VEOR V16.B16, V16.B16, V16.B16
	MOVD $254, R4
	VDUP R4, V17.H8

products:
	VLD1.P 64(R1), [V0.H8, V1.H8, V2.H8, V3.H8]
	VLD1.P 64(R3), [V4.H8, V5.H8, V6.H8, V7.H8]
	SMIN16(0, 17, 0)
	SMIN16(1, 17, 1)
	SMIN16(2, 17, 2)
	SMIN16(3, 17, 3)
	SMAX16(0, 16, 0)
	SMAX16(1, 16, 1)
	SMAX16(2, 16, 2)
	SMAX16(3, 16, 3)
	VSHL   $6, V0.H8, V0.H8
	VSHL   $6, V1.H8, V1.H8
	VSHL   $6, V2.H8, V2.H8
	VSHL   $6, V3.H8, V3.H8
	SMIN16(4, 17, 4)
	SMIN16(5, 17, 5)
	SMIN16(6, 17, 6)
	SMIN16(7, 17, 7)
	SQDMULH(0, 4, 0)
	SQDMULH(1, 5, 1)
	SQDMULH(2, 6, 2)
	SQDMULH(3, 7, 3)
	SQXTUN(0, 8)
	SQXTUN2(1, 8)
	SQXTUN(2, 9)
	SQXTUN2(3, 9)
	VST1.P [V8.B16, V9.B16], 32(R0)
	SUBS   $32, R2
	BNE    products
	RET

// DOT16 adds the products of block i of the four in V0 and its weights for 16 neurons.
#define DOT16(i, a, b, c, d) \
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]; \
	SDOT(4, 0, i, a); \
	SDOT(5, 0, i, b); \
	SDOT(6, 0, i, c); \
	SDOT(7, 0, i, d)

// func sums16Dot(sums, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·sums16Dot(SB), NOSPLIT, $0-40
	MOVD sums+0(FP), R0
	MOVD bias+8(FP), R1
	MOVD weights+16(FP), R2
	MOVD inputs+24(FP), R3
	MOVD n+32(FP), R4
	VLD1 (R1), [V16.S4, V17.S4, V18.S4, V19.S4]
	ZERO(V20, V21)
	ZERO(V22, V23)

dot:
	VLD1.P 16(R3), [V0.B16]
	DOT16(0, 16, 17, 18, 19)
	DOT16(1, 20, 21, 22, 23)
	DOT16(2, 16, 17, 18, 19)
	DOT16(3, 20, 21, 22, 23)
	SUBS   $16, R4
	BNE    dot
	VADD   V20.S4, V16.S4, V16.S4
	VADD   V21.S4, V17.S4, V17.S4
	VADD   V22.S4, V18.S4, V18.S4
	VADD   V23.S4, V19.S4, V19.S4
	VST1   [V16.S4, V17.S4, V18.S4, V19.S4], (R0)
	RET

// BLOCKS16 adds the products of the blocks at first and second of V0 and their weights for 16 neurons.
#define BLOCKS16(first, second) \
	VDUP   V0.S[first], V1.S4; \
	VDUP   V0.S[second], V2.S4; \
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]; \
	VLD1.P 64(R2), [V8.B16, V9.B16, V10.B16, V11.B16]; \
	PAIR(4, 8, 16, 17); \
	PAIR(5, 9, 18, 19); \
	PAIR(6, 10, 20, 21); \
	PAIR(7, 11, 22, 23)

// func sums16NEON(sums, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·sums16NEON(SB), NOSPLIT, $0-40
	MOVD sums+0(FP), R0
	MOVD bias+8(FP), R1
	MOVD weights+16(FP), R2
	MOVD inputs+24(FP), R3
	MOVD n+32(FP), R4
	ZERO(V16, V17)
	ZERO(V18, V19)
	ZERO(V20, V21)
	ZERO(V22, V23)

blocks:
	VLD1.P 16(R3), [V0.B16]
	BLOCKS16(0, 1)
	BLOCKS16(2, 3)
	SUBS   $16, R4
	BNE    blocks
	VLD1   (R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	JOIN(V16, V17, V0, V16)
	JOIN(V18, V19, V1, V17)
	JOIN(V20, V21, V2, V18)
	JOIN(V22, V23, V3, V19)
	VST1   [V16.S4, V17.S4, V18.S4, V19.S4], (R0)
	RET
