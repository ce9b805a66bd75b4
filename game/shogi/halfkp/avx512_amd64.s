//go:build !purego

#include "textflag.h"

// The kernels for processors with AVX-512 VNNI. VPDPBUSD adds the products of four inputs to each of its sums, VPMOVSDB
// saturates 32 bits to 8.

// ARGUMENTS loads the arguments of a layer: AX outputs, CX biases, DX weights, BX inputs, SI the number of
// inputs.
#define ARGUMENTS \
	MOVQ outputs+0(FP), AX; \
	MOVQ bias+8(FP), CX;    \
	MOVQ weights+16(FP), DX; \
	MOVQ inputs+24(FP), BX; \
	MOVQ n+32(FP), SI;      \
	VPXOR X0, X0, X0

// func affine8VNNI(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·affine8VNNI(SB), NOSPLIT, $0-40
	ARGUMENTS
	VMOVDQU (CX), Y2
	VPXOR   Y3, Y3, Y3
	VPXOR   Y4, Y4, Y4
	VPXOR   Y5, Y5, Y5

blocks:
	VPBROADCASTD (BX), Y6
	VPBROADCASTD 4(BX), Y7
	VPBROADCASTD 8(BX), Y8
	VPBROADCASTD 12(BX), Y9
	VPDPBUSD     (DX), Y6, Y2
	VPDPBUSD     32(DX), Y7, Y3
	VPDPBUSD     64(DX), Y8, Y4
	VPDPBUSD     96(DX), Y9, Y5
	ADDQ         $128, DX
	ADDQ         $16, BX
	SUBQ         $16, SI
	JNE          blocks
	VPADDD       Y3, Y2, Y2
	VPADDD       Y5, Y4, Y4
	VPADDD       Y4, Y2, Y2
	VPSRAD       $6, Y2, Y2
	VPMOVSDB     Y2, X2
	VPMAXSB      X0, X2, X2
	VMOVQ        X2, (AX)
	VZEROUPPER
	RET

// func affine32VNNI(outputs *uint8, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·affine32VNNI(SB), NOSPLIT, $0-40
	ARGUMENTS
	VMOVDQU32 (CX), Z2
	VMOVDQU32 64(CX), Z3
	VPXORD    Z4, Z4, Z4
	VPXORD    Z5, Z5, Z5

blocks:
	VPBROADCASTD (BX), Z6
	VPBROADCASTD 4(BX), Z7
	VPBROADCASTD 8(BX), Z8
	VPBROADCASTD 12(BX), Z9
	VPDPBUSD     (DX), Z6, Z2
	VPDPBUSD     64(DX), Z6, Z3
	VPDPBUSD     128(DX), Z7, Z4
	VPDPBUSD     192(DX), Z7, Z5
	VPDPBUSD     256(DX), Z8, Z2
	VPDPBUSD     320(DX), Z8, Z3
	VPDPBUSD     384(DX), Z9, Z4
	VPDPBUSD     448(DX), Z9, Z5
	ADDQ         $512, DX
	ADDQ         $16, BX
	SUBQ         $16, SI
	JNE          blocks
	VPADDD       Z4, Z2, Z2
	VPADDD       Z5, Z3, Z3
	VPSRAD       $6, Z2, Z2
	VPSRAD       $6, Z3, Z3
	VPMOVSDB     Z2, X2
	VPMOVSDB     Z3, X3
	VPMAXSB      X0, X2, X2
	VPMAXSB      X0, X3, X3
	VMOVDQU      X2, (AX)
	VMOVDQU      X3, 16(AX)
	VZEROUPPER
	RET

// BLOCK adds the products of the first block of the mask R8, and takes it off the mask.
#define BLOCK(sums) \
	TZCNTQ       R8, R9; \
	VPBROADCASTD (BX)(R9*4), Z6; \
	SHLQ         $6, R9; \
	VPDPBUSD     (DX)(R9*1), Z6, sums; \
	BLSRQ        R8, R8

// BITS shifts the mask and adds, from the right, which of the 16 blocks there are not zero.
#define BITS(at) \
	VMOVDQU32 at(BX), Z6; \
	VPTESTMD  Z6, Z6, K1; \
	KMOVW     K1, R9; \
	SHLQ      $16, R8; \
	ORQ       R9, R8

// func sums16VNNI(sums, bias *int32, weights *int8, inputs *uint8, n int)
TEXT ·sums16VNNI(SB), NOSPLIT, $0-40
	MOVQ      sums+0(FP), AX
	MOVQ      bias+8(FP), CX
	MOVQ      weights+16(FP), DX
	MOVQ      inputs+24(FP), BX
	MOVQ      n+32(FP), SI
	VMOVDQU32 (CX), Z2
	VPXORD    Z3, Z3, Z3
	VPXORD    Z4, Z4, Z4
	VPXORD    Z5, Z5, Z5

blocks:
	XORQ  R8, R8
	BITS(192)
	BITS(128)
	BITS(64)
	BITS(0)
	TESTQ R8, R8
	JEQ   next

four:
	BLOCK(Z2)
	JEQ  next
	BLOCK(Z3)
	JEQ  next
	BLOCK(Z4)
	JEQ  next
	BLOCK(Z5)
	JNE  four

next:
	ADDQ      $256, BX
	ADDQ      $4096, DX
	SUBQ      $256, SI
	JGT       blocks
	VPADDD    Z3, Z2, Z2
	VPADDD    Z5, Z4, Z4
	VPADDD    Z4, Z2, Z2
	VMOVDQU32 Z2, (AX)
	VZEROUPPER
	RET
