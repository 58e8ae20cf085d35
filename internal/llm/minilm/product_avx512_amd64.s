#include "go_asm.h"
#include "textflag.h"

// Products of matrices for processors with AVX-512: F, BW, DQ and VL. That of bytes is there twice:
// with VNNI, which adds four products in one instruction, and without.

// BYTES4 adds four products of bytes to each of 48 sums of a row: Z24 to Z26 are the weights.
#define BYTES4(row, four, a, b, c) \
	VPBROADCASTD row, four  \
	VPDPBUSD Z24, four, a   \
	VPDPBUSD Z25, four, b   \
	VPDPBUSD Z26, four, c

// FINISH turns 16 sums of a row into numbers and stores them. Z24 to Z26 are scales, sums of the
// weights and biases of the columns; at is where step and least of the row are.
#define FINISH(at, sum, out) \
	VCVTDQ2PS sum, sum                      \
	VMULPS Z24, sum, sum                    \
	VMOVAPS Z26, Z27                        \
	VFMADD231PS.BCST (at+4)(DX), Z25, Z27   \
	VFMADD132PS.BCST at(DX), Z27, sum       \
	VMOVUPS sum, out

// FINISH16 does so for 16 of the 48 columns, which begin at byte at.
#define FINISH16(at, s0, s1, s2, s3, s4, s5, s6, s7) \
	VMOVUPS at(BX), Z24               \
	VMOVUPS (at+192)(BX), Z25         \
	VMOVUPS (at+384)(BX), Z26         \
	FINISH(0, s0, at(SI))             \
	FINISH(8, s1, at(SI)(CX*1))       \
	FINISH(16, s2, at(SI)(CX*2))      \
	FINISH(24, s3, at(SI)(R8*1))      \
	FINISH(32, s4, at(R9))            \
	FINISH(40, s5, at(R9)(CX*1))      \
	FINISH(48, s6, at(R9)(CX*2))      \
	FINISH(56, s7, at(R9)(R8*1))

// func multiplyVNNI(t *tile)
// It makes 8 rows of 48 columns.
TEXT ·multiplyVNNI(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), DI
	MOVQ tile_bytes(DI), SI
	MOVQ tile_weights(DI), BX
	MOVQ tile_inputs(DI), CX
	LEAQ (CX)(CX*2), R8
	LEAQ (SI)(CX*4), R9
	MOVQ CX, R10
	SHRQ $2, R10
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15
	VPXORD Z16, Z16, Z16
	VPXORD Z17, Z17, Z17
	VPXORD Z18, Z18, Z18
	VPXORD Z19, Z19, Z19
	VPXORD Z20, Z20, Z20
	VPXORD Z21, Z21, Z21
	VPXORD Z22, Z22, Z22
	VPXORD Z23, Z23, Z23

inputs:
	VMOVDQU32 (BX), Z24
	VMOVDQU32 64(BX), Z25
	VMOVDQU32 128(BX), Z26
	BYTES4((SI), Z27, Z0, Z1, Z2)
	BYTES4((SI)(CX*1), Z28, Z3, Z4, Z5)
	BYTES4((SI)(CX*2), Z29, Z6, Z7, Z8)
	BYTES4((SI)(R8*1), Z30, Z9, Z10, Z11)
	BYTES4((R9), Z27, Z12, Z13, Z14)
	BYTES4((R9)(CX*1), Z28, Z15, Z16, Z17)
	BYTES4((R9)(CX*2), Z29, Z18, Z19, Z20)
	BYTES4((R9)(R8*1), Z30, Z21, Z22, Z23)
	ADDQ $192, BX
	ADDQ $4, SI
	ADDQ $4, R9
	DECQ R10
	JNZ  inputs

	MOVQ tile_columns(DI), BX
	MOVQ tile_rows(DI), DX
	MOVQ tile_out(DI), SI
	MOVQ tile_outStride(DI), CX
	SHLQ $2, CX
	LEAQ (CX)(CX*2), R8
	LEAQ (SI)(CX*4), R9
	FINISH16(0, Z0, Z3, Z6, Z9, Z12, Z15, Z18, Z21)
	FINISH16(64, Z1, Z4, Z7, Z10, Z13, Z16, Z19, Z22)
	FINISH16(128, Z2, Z5, Z8, Z11, Z14, Z17, Z20, Z23)
	VZEROUPPER
	RET

// PAIRS adds four products of bytes to each of 24 sums of a row, in pairs: sums of inputs 0 and 1
// and of 2 and 3 stand side by side. Z24 to Z26 are the weights as words.
#define PAIRS(row, a, b, c) \
	VPBROADCASTD row, Y27    \
	VPMOVZXBW Y27, Z27       \
	VPMADDWD Z24, Z27, Z28   \
	VPADDD Z28, a, a         \
	VPMADDWD Z25, Z27, Z29   \
	VPADDD Z29, b, b         \
	VPMADDWD Z26, Z27, Z30   \
	VPADDD Z30, c, c

// JOIN adds up the pairs of eight sums of a row, turns them into numbers and stores them. z and y
// name one register. Y24 to Y26 are scales, sums of the weights and biases of the columns; at is
// where step and least of the row are.
#define JOIN(at, z, y, out) \
	VPSRLQ $32, z, Z28                      \
	VPADDD Z28, z, z                        \
	VPMOVQD z, y                            \
	VCVTDQ2PS y, y                          \
	VMULPS Y24, y, y                        \
	VMOVAPS Y26, Y27                        \
	VFMADD231PS.BCST (at+4)(DX), Y25, Y27   \
	VFMADD132PS.BCST at(DX), Y27, y         \
	VMOVUPS y, out

// func multiplyAVX512(t *tile)
// It makes 8 rows of 24 columns.
TEXT ·multiplyAVX512(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), DI
	MOVQ tile_bytes(DI), SI
	MOVQ tile_weights(DI), BX
	MOVQ tile_inputs(DI), CX
	LEAQ (CX)(CX*2), R8
	LEAQ (SI)(CX*4), R9
	MOVQ CX, R10
	SHRQ $2, R10
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15
	VPXORD Z16, Z16, Z16
	VPXORD Z17, Z17, Z17
	VPXORD Z18, Z18, Z18
	VPXORD Z19, Z19, Z19
	VPXORD Z20, Z20, Z20
	VPXORD Z21, Z21, Z21
	VPXORD Z22, Z22, Z22
	VPXORD Z23, Z23, Z23

inputs:
	VPMOVSXBW (BX), Z24
	VPMOVSXBW 32(BX), Z25
	VPMOVSXBW 64(BX), Z26
	PAIRS((SI), Z0, Z1, Z2)
	PAIRS((SI)(CX*1), Z3, Z4, Z5)
	PAIRS((SI)(CX*2), Z6, Z7, Z8)
	PAIRS((SI)(R8*1), Z9, Z10, Z11)
	PAIRS((R9), Z12, Z13, Z14)
	PAIRS((R9)(CX*1), Z15, Z16, Z17)
	PAIRS((R9)(CX*2), Z18, Z19, Z20)
	PAIRS((R9)(R8*1), Z21, Z22, Z23)
	ADDQ $96, BX
	ADDQ $4, SI
	ADDQ $4, R9
	DECQ R10
	JNZ  inputs

	MOVQ tile_columns(DI), BX
	MOVQ tile_rows(DI), DX
	MOVQ tile_out(DI), SI
	MOVQ tile_outStride(DI), CX
	SHLQ $2, CX
	LEAQ (CX)(CX*2), R8
	LEAQ (SI)(CX*4), R9
	VMOVUPS 0(BX), Y24
	VMOVUPS 96(BX), Y25
	VMOVUPS 192(BX), Y26
	JOIN(0, Z0, Y0, (SI))
	JOIN(8, Z3, Y3, (SI)(CX*1))
	JOIN(16, Z6, Y6, (SI)(CX*2))
	JOIN(24, Z9, Y9, (SI)(R8*1))
	JOIN(32, Z12, Y12, (R9))
	JOIN(40, Z15, Y15, (R9)(CX*1))
	JOIN(48, Z18, Y18, (R9)(CX*2))
	JOIN(56, Z21, Y21, (R9)(R8*1))
	VMOVUPS 32(BX), Y24
	VMOVUPS 128(BX), Y25
	VMOVUPS 224(BX), Y26
	JOIN(0, Z1, Y1, 32(SI))
	JOIN(8, Z4, Y4, 32(SI)(CX*1))
	JOIN(16, Z7, Y7, 32(SI)(CX*2))
	JOIN(24, Z10, Y10, 32(SI)(R8*1))
	JOIN(32, Z13, Y13, 32(R9))
	JOIN(40, Z16, Y16, 32(R9)(CX*1))
	JOIN(48, Z19, Y19, 32(R9)(CX*2))
	JOIN(56, Z22, Y22, 32(R9)(R8*1))
	VMOVUPS 64(BX), Y24
	VMOVUPS 160(BX), Y25
	VMOVUPS 256(BX), Y26
	JOIN(0, Z2, Y2, 64(SI))
	JOIN(8, Z5, Y5, 64(SI)(CX*1))
	JOIN(16, Z8, Y8, 64(SI)(CX*2))
	JOIN(24, Z11, Y11, 64(SI)(R8*1))
	JOIN(32, Z14, Y14, 64(R9))
	JOIN(40, Z17, Y17, 64(R9)(CX*1))
	JOIN(48, Z20, Y20, 64(R9)(CX*2))
	JOIN(56, Z23, Y23, 64(R9)(R8*1))
	VZEROUPPER
	RET

// ADD32 adds a product to each of 32 sums of a row: Z24 and Z25 are what the row multiplies.
#define ADD32(row, one, a, b) \
	VBROADCASTSS row, one      \
	VFMADD231PS Z24, one, a    \
	VFMADD231PS Z25, one, b

// func weighAVX512(t *tile)
// It makes 6 rows of 32 columns.
TEXT ·weighAVX512(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), DI
	MOVQ tile_left(DI), SI
	MOVQ tile_leftStride(DI), DX
	SHLQ $2, DX
	LEAQ (DX)(DX*2), R9
	ADDQ SI, R9
	MOVQ tile_right(DI), BX
	MOVQ tile_rightStride(DI), CX
	SHLQ $2, CX
	MOVQ tile_inputs(DI), R10
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11

inputs:
	VMOVUPS (BX), Z24
	VMOVUPS 64(BX), Z25
	ADD32((SI), Z26, Z0, Z1)
	ADD32((SI)(DX*1), Z27, Z2, Z3)
	ADD32((SI)(DX*2), Z28, Z4, Z5)
	ADD32((R9), Z29, Z6, Z7)
	ADD32((R9)(DX*1), Z30, Z8, Z9)
	ADD32((R9)(DX*2), Z31, Z10, Z11)
	ADDQ CX, BX
	ADDQ $4, SI
	ADDQ $4, R9
	DECQ R10
	JNZ  inputs

	MOVQ tile_out(DI), SI
	MOVQ tile_outStride(DI), DX
	SHLQ $2, DX
	LEAQ (DX)(DX*2), R9
	ADDQ SI, R9
	VMOVUPS Z0, (SI)
	VMOVUPS Z1, 64(SI)
	VMOVUPS Z2, (SI)(DX*1)
	VMOVUPS Z3, 64(SI)(DX*1)
	VMOVUPS Z4, (SI)(DX*2)
	VMOVUPS Z5, 64(SI)(DX*2)
	VMOVUPS Z6, (R9)
	VMOVUPS Z7, 64(R9)
	VMOVUPS Z8, (R9)(DX*1)
	VMOVUPS Z9, 64(R9)(DX*1)
	VMOVUPS Z10, (R9)(DX*2)
	VMOVUPS Z11, 64(R9)(DX*2)
	VZEROUPPER
	RET
