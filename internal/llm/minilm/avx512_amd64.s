#include "go_asm.h"
#include "textflag.h"
#include "number_amd64.h"

// The kernels for processors with AVX-512: F, BW, DQ and VL. The product of bytes is there twice:
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

// ACROSS combines the 16 numbers of zmm z into the lowest by op. z, y and x name one
// register; register 15 is used.
#define ACROSS(op, z, y, x) \
	VEXTRACTF64X4 $1, z, Y15  \
	op Y15, y, y              \
	VEXTRACTF128 $1, y, X15   \
	op X15, x, x              \
	VPSHUFD $0x4e, x, X15     \
	op X15, x, x              \
	VPSHUFD $0xb1, x, X15     \
	op X15, x, x

// EXP sets x to its exponential; n and p are used.
#define EXP(x, n, p) \
	VMAXPS.BCST LEAST, x, x          \
	VMULPS.BCST LOG2E, x, n          \
	VRNDSCALEPS $0, n, n             \
	VFNMADD231PS.BCST LN2HIGH, n, x  \
	VFNMADD231PS.BCST LN2LOW, n, x   \
	VBROADCASTSS C6, p               \
	VFMADD213PS.BCST C5, x, p        \
	VFMADD213PS.BCST C4, x, p        \
	VFMADD213PS.BCST C3, x, p        \
	VFMADD213PS.BCST HALF, x, p      \
	VFMADD213PS.BCST ONE, x, p       \
	VFMADD213PS.BCST ONE, x, p       \
	VSCALEFPS n, p, x

// func softmaxAVX512(x []float32)
TEXT ·softmaxAVX512(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	SHRQ $4, CX
	MOVQ SI, DI
	MOVQ CX, R10
	VMOVUPS (SI), Z0

most:
	VMAXPS (SI), Z0, Z0
	ADDQ $64, SI
	DECQ R10
	JNZ  most
	ACROSS(VMAXPS, Z0, Y0, X0)
	VBROADCASTSS X0, Z0
	VPXORD Z1, Z1, Z1
	MOVQ DI, SI
	MOVQ CX, R10

exponential:
	VMOVUPS (SI), Z2
	VSUBPS Z0, Z2, Z2
	EXP(Z2, Z3, Z4)
	VMOVUPS Z2, (SI)
	VADDPS Z2, Z1, Z1
	ADDQ $64, SI
	DECQ R10
	JNZ  exponential
	ACROSS(VADDPS, Z1, Y1, X1)
	VMOVSS ONE, X2
	VDIVSS X1, X2, X1
	VBROADCASTSS X1, Z1
	MOVQ DI, SI

share:
	VMULPS (SI), Z1, Z2
	VMOVUPS Z2, (SI)
	ADDQ $64, SI
	DECQ CX
	JNZ  share
	VZEROUPPER
	RET

// func geluAVX512(x []float32)
// It sets x to max(x, 0) - |x|·erfc(|x|/√2)/2, which is x times the normal distribution's integral.
TEXT ·geluAVX512(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	SHRQ $4, CX
	VPXORD Z16, Z16, Z16

numbers:
	VMOVUPS (SI), Z0
	VPANDD.BCST ABSOLUTE, Z0, Z1
	VBROADCASTSS ONE, Z17
	VMOVAPS Z17, Z2
	VFMADD231PS.BCST SLOPE, Z1, Z2
	VDIVPS Z2, Z17, Z2
	VBROADCASTSS A5, Z3
	VFMADD213PS.BCST A4, Z2, Z3
	VFMADD213PS.BCST A3, Z2, Z3
	VFMADD213PS.BCST A2, Z2, Z3
	VFMADD213PS.BCST A1, Z2, Z3
	VMULPS Z2, Z3, Z3
	VMULPS Z0, Z0, Z4
	VMULPS.BCST MINUSHALF, Z4, Z4
	EXP(Z4, Z5, Z6)
	VMULPS Z4, Z3, Z3
	VMAXPS Z16, Z0, Z0
	VFNMADD231PS Z3, Z1, Z0
	VMOVUPS Z0, (SI)
	ADDQ $64, SI
	DECQ CX
	JNZ  numbers
	VZEROUPPER
	RET

// func quantiseAVX512(dst []uint8, src, row []float32)
TEXT ·quantiseAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), CX
	MOVQ row_base+48(FP), DX
	SHRQ $4, CX
	MOVQ SI, BX
	MOVQ CX, R10
	VMOVUPS (SI), Z0
	VMOVAPS Z0, Z1

range:
	VMOVUPS (SI), Z2
	VMINPS Z2, Z0, Z0
	VMAXPS Z2, Z1, Z1
	ADDQ $64, SI
	DECQ R10
	JNZ  range
	ACROSS(VMINPS, Z0, Y0, X0)
	ACROSS(VMAXPS, Z1, Y1, X1)
	VSUBSS X0, X1, X1
	VMOVSS BYTES, X3
	VDIVSS X3, X1, X2
	VMOVSS X2, (DX)
	VMOVSS X0, 4(DX)
	VXORPS X2, X2, X2
	VUCOMISS X2, X1
	JLS  scaled
	VDIVSS X1, X3, X2

scaled:
	VBROADCASTSS X0, Z0
	VBROADCASTSS X2, Z2

round:
	VMOVUPS (BX), Z3
	VSUBPS Z0, Z3, Z3
	VMULPS Z2, Z3, Z3
	VCVTPS2DQ Z3, Z3
	VPMOVUSDB Z3, (DI)
	ADDQ $64, BX
	ADDQ $16, DI
	DECQ CX
	JNZ  round
	VZEROUPPER
	RET

// func normAVX512(x, y, factor, shift []float32)
TEXT ·normAVX512(SB), NOSPLIT, $0-96
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ y_base+24(FP), DX
	MOVQ factor_base+48(FP), R8
	MOVQ shift_base+72(FP), R9
	VXORPS X4, X4, X4
	VCVTSI2SSQ CX, X4, X4
	SHRQ $4, CX
	MOVQ SI, DI
	MOVQ CX, R10
	VPXORD Z0, Z0, Z0

sum:
	VMOVUPS (SI), Z2
	VADDPS (DX), Z2, Z2
	VMOVUPS Z2, (SI)
	VADDPS Z2, Z0, Z0
	ADDQ $64, SI
	ADDQ $64, DX
	DECQ R10
	JNZ  sum
	ACROSS(VADDPS, Z0, Y0, X0)
	VDIVSS X4, X0, X0
	VBROADCASTSS X0, Z0
	MOVQ DI, SI
	MOVQ CX, R10
	VPXORD Z1, Z1, Z1

squares:
	VMOVUPS (SI), Z2
	VSUBPS Z0, Z2, Z2
	VFMADD231PS Z2, Z2, Z1
	ADDQ $64, SI
	DECQ R10
	JNZ  squares
	ACROSS(VADDPS, Z1, Y1, X1)
	VDIVSS X4, X1, X1
	VADDSS EPSILON, X1, X1
	VSQRTSS X1, X1, X1
	VMOVSS ONE, X3
	VDIVSS X1, X3, X1
	VBROADCASTSS X1, Z1

scale:
	VMOVUPS (DI), Z2
	VSUBPS Z0, Z2, Z2
	VMULPS Z1, Z2, Z2
	VMOVUPS (R9), Z3
	VFMADD231PS (R8), Z2, Z3
	VMOVUPS Z3, (DI)
	ADDQ $64, DI
	ADDQ $64, R8
	ADDQ $64, R9
	DECQ CX
	JNZ  scale
	VZEROUPPER
	RET
