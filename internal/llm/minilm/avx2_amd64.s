#include "go_asm.h"
#include "textflag.h"
#include "number_amd64.h"

// The kernels for processors with AVX2 and FMA.

// BYTES4 adds four products to each of 8 sums of a row, in pairs: sums of inputs 0 and 1 and of
// 2 and 3 stand side by side. Y12 and Y13 are the weights. Sixteen bits are enough for no byte to
// be cut off.
#define BYTES4(row, a, b) \
	VPBROADCASTD row, X14    \
	VPMOVZXBW X14, Y14       \
	VPMADDWD Y12, Y14, Y15   \
	VPADDD Y15, a, a         \
	VPMADDWD Y13, Y14, Y15   \
	VPADDD Y15, b, b

// FINISH joins the pairs of a row in a, and turns the 8 sums into numbers. Y12 to Y14 are scales,
// sums of the weights and biases of the columns; at is where step and least of the row are.
#define FINISH(at, a, b, out) \
	VPHADDD b, a, a                \
	VPERMQ $0xd8, a, a             \
	VCVTDQ2PS a, a                 \
	VMULPS Y12, a, a               \
	VBROADCASTSS (at+4)(DX), b     \
	VFMADD213PS Y14, Y13, b        \
	VBROADCASTSS at(DX), Y15       \
	VFMADD213PS b, Y15, a          \
	VMOVUPS a, out

// func multiplyAVX2(t *tile)
// It makes 6 rows of 8 columns.
TEXT ·multiplyAVX2(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), DI
	MOVQ tile_bytes(DI), SI
	MOVQ tile_weights(DI), BX
	MOVQ tile_inputs(DI), CX
	LEAQ (CX)(CX*2), R9
	ADDQ SI, R9
	MOVQ CX, R10
	SHRQ $2, R10
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11

inputs:
	VPMOVSXBW (BX), Y12
	VPMOVSXBW 16(BX), Y13
	BYTES4((SI), Y0, Y1)
	BYTES4((SI)(CX*1), Y2, Y3)
	BYTES4((SI)(CX*2), Y4, Y5)
	BYTES4((R9), Y6, Y7)
	BYTES4((R9)(CX*1), Y8, Y9)
	BYTES4((R9)(CX*2), Y10, Y11)
	ADDQ $32, BX
	ADDQ $4, SI
	ADDQ $4, R9
	DECQ R10
	JNZ  inputs

	MOVQ tile_columns(DI), BX
	MOVQ tile_rows(DI), DX
	MOVQ tile_out(DI), SI
	MOVQ tile_outStride(DI), CX
	SHLQ $2, CX
	LEAQ (CX)(CX*2), R9
	ADDQ SI, R9
	VMOVUPS (BX), Y12
	VMOVUPS 32(BX), Y13
	VMOVUPS 64(BX), Y14
	FINISH(0, Y0, Y1, (SI))
	FINISH(8, Y2, Y3, (SI)(CX*1))
	FINISH(16, Y4, Y5, (SI)(CX*2))
	FINISH(24, Y6, Y7, (R9))
	FINISH(32, Y8, Y9, (R9)(CX*1))
	FINISH(40, Y10, Y11, (R9)(CX*2))
	VZEROUPPER
	RET

// ADD16 adds a product to each of 16 sums of a row: Y12 and Y13 are what the row multiplies.
#define ADD16(row, one, a, b) \
	VBROADCASTSS row, one      \
	VFMADD231PS Y12, one, a    \
	VFMADD231PS Y13, one, b

// func weighAVX2(t *tile)
// It makes 6 rows of 16 columns.
TEXT ·weighAVX2(SB), NOSPLIT, $0-8
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
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11

inputs:
	VMOVUPS (BX), Y12
	VMOVUPS 32(BX), Y13
	ADD16((SI), Y14, Y0, Y1)
	ADD16((SI)(DX*1), Y15, Y2, Y3)
	ADD16((SI)(DX*2), Y14, Y4, Y5)
	ADD16((R9), Y15, Y6, Y7)
	ADD16((R9)(DX*1), Y14, Y8, Y9)
	ADD16((R9)(DX*2), Y15, Y10, Y11)
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
	VMOVUPS Y0, (SI)
	VMOVUPS Y1, 32(SI)
	VMOVUPS Y2, (SI)(DX*1)
	VMOVUPS Y3, 32(SI)(DX*1)
	VMOVUPS Y4, (SI)(DX*2)
	VMOVUPS Y5, 32(SI)(DX*2)
	VMOVUPS Y6, (R9)
	VMOVUPS Y7, 32(R9)
	VMOVUPS Y8, (R9)(DX*1)
	VMOVUPS Y9, 32(R9)(DX*1)
	VMOVUPS Y10, (R9)(DX*2)
	VMOVUPS Y11, 32(R9)(DX*2)
	VZEROUPPER
	RET

// ACROSS combines the 8 numbers of a register into the lowest by op. y and x name one register;
// register 15 is used.
#define ACROSS(op, y, x) \
	VEXTRACTF128 $1, y, X15   \
	op X15, x, x              \
	VPSHUFD $0x4e, x, X15     \
	op X15, x, x              \
	VPSHUFD $0xb1, x, X15     \
	op X15, x, x

// EXP sets x to its exponential; n and p are used.
#define EXP(x, n, p) \
	VMAXPS LEAST, x, x          \
	VMULPS LOG2E, x, n          \
	VROUNDPS $0, n, n           \
	VFNMADD231PS LN2HIGH, n, x  \
	VFNMADD231PS LN2LOW, n, x   \
	VMOVUPS C6, p               \
	VFMADD213PS C5, x, p        \
	VFMADD213PS C4, x, p        \
	VFMADD213PS C3, x, p        \
	VFMADD213PS HALF, x, p      \
	VFMADD213PS ONE, x, p       \
	VFMADD213PS ONE, x, p       \
	VCVTPS2DQ n, n              \
	VPADDD EXPONENT, n, n       \
	VPSLLD $23, n, n            \
	VMULPS n, p, x

// func softmaxAVX2(x []float32)
TEXT ·softmaxAVX2(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	SHRQ $3, CX
	MOVQ SI, DI
	MOVQ CX, R10
	VMOVUPS (SI), Y0

most:
	VMAXPS (SI), Y0, Y0
	ADDQ $32, SI
	DECQ R10
	JNZ  most
	ACROSS(VMAXPS, Y0, X0)
	VBROADCASTSS X0, Y0
	VXORPS Y1, Y1, Y1
	MOVQ DI, SI
	MOVQ CX, R10

exponential:
	VMOVUPS (SI), Y2
	VSUBPS Y0, Y2, Y2
	EXP(Y2, Y3, Y4)
	VMOVUPS Y2, (SI)
	VADDPS Y2, Y1, Y1
	ADDQ $32, SI
	DECQ R10
	JNZ  exponential
	ACROSS(VADDPS, Y1, X1)
	VMOVSS ONE, X2
	VDIVSS X1, X2, X1
	VBROADCASTSS X1, Y1
	MOVQ DI, SI

share:
	VMULPS (SI), Y1, Y2
	VMOVUPS Y2, (SI)
	ADDQ $32, SI
	DECQ CX
	JNZ  share
	VZEROUPPER
	RET

// func geluAVX2(x []float32)
// It sets x to max(x, 0) - |x|·erfc(|x|/√2)/2, which is x times the normal distribution's integral.
TEXT ·geluAVX2(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	SHRQ $3, CX
	VXORPS Y8, Y8, Y8
	VMOVUPS ONE, Y9

numbers:
	VMOVUPS (SI), Y0
	VANDPS ABSOLUTE, Y0, Y1
	VMOVAPS Y9, Y2
	VFMADD231PS SLOPE, Y1, Y2
	VDIVPS Y2, Y9, Y2
	VMOVUPS A5, Y3
	VFMADD213PS A4, Y2, Y3
	VFMADD213PS A3, Y2, Y3
	VFMADD213PS A2, Y2, Y3
	VFMADD213PS A1, Y2, Y3
	VMULPS Y2, Y3, Y3
	VMULPS Y0, Y0, Y4
	VMULPS MINUSHALF, Y4, Y4
	EXP(Y4, Y5, Y6)
	VMULPS Y4, Y3, Y3
	VMAXPS Y8, Y0, Y0
	VFNMADD231PS Y3, Y1, Y0
	VMOVUPS Y0, (SI)
	ADDQ $32, SI
	DECQ CX
	JNZ  numbers
	VZEROUPPER
	RET

// WHOLE turns 8 numbers at an address into integers.
#define WHOLE(at, y) \
	VMOVUPS at, y        \
	VSUBPS Y0, y, y      \
	VMULPS Y2, y, y      \
	VCVTPS2DQ y, y

// func quantiseAVX2(dst []uint8, src, row []float32)
TEXT ·quantiseAVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), CX
	MOVQ row_base+48(FP), DX
	MOVQ SI, BX
	MOVQ CX, R10
	SHRQ $3, R10
	SHRQ $4, CX
	VMOVUPS (SI), Y0
	VMOVAPS Y0, Y1

range:
	VMOVUPS (SI), Y2
	VMINPS Y2, Y0, Y0
	VMAXPS Y2, Y1, Y1
	ADDQ $32, SI
	DECQ R10
	JNZ  range
	ACROSS(VMINPS, Y0, X0)
	ACROSS(VMAXPS, Y1, X1)
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
	VBROADCASTSS X0, Y0
	VBROADCASTSS X2, Y2
	VMOVDQU ORDER, Y5

round:
	WHOLE((BX), Y3)
	WHOLE(32(BX), Y4)
	VPACKSSDW Y4, Y3, Y3
	VPACKUSWB Y3, Y3, Y3
	VPERMD Y3, Y5, Y3
	VMOVDQU X3, (DI)
	ADDQ $64, BX
	ADDQ $16, DI
	DECQ CX
	JNZ  round
	VZEROUPPER
	RET

// func normAVX2(x, y, factor, shift []float32)
TEXT ·normAVX2(SB), NOSPLIT, $0-96
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ y_base+24(FP), DX
	MOVQ factor_base+48(FP), R8
	MOVQ shift_base+72(FP), R9
	VXORPS X4, X4, X4
	VCVTSI2SSQ CX, X4, X4
	SHRQ $3, CX
	MOVQ SI, DI
	MOVQ CX, R10
	VXORPS Y0, Y0, Y0

sum:
	VMOVUPS (SI), Y2
	VADDPS (DX), Y2, Y2
	VMOVUPS Y2, (SI)
	VADDPS Y2, Y0, Y0
	ADDQ $32, SI
	ADDQ $32, DX
	DECQ R10
	JNZ  sum
	ACROSS(VADDPS, Y0, X0)
	VDIVSS X4, X0, X0
	VBROADCASTSS X0, Y0
	MOVQ DI, SI
	MOVQ CX, R10
	VXORPS Y1, Y1, Y1

squares:
	VMOVUPS (SI), Y2
	VSUBPS Y0, Y2, Y2
	VFMADD231PS Y2, Y2, Y1
	ADDQ $32, SI
	DECQ R10
	JNZ  squares
	ACROSS(VADDPS, Y1, X1)
	VDIVSS X4, X1, X1
	VADDSS EPSILON, X1, X1
	VSQRTSS X1, X1, X1
	VMOVSS ONE, X3
	VDIVSS X1, X3, X1
	VBROADCASTSS X1, Y1

scale:
	VMOVUPS (DI), Y2
	VSUBPS Y0, Y2, Y2
	VMULPS Y1, Y2, Y2
	VMOVUPS (R9), Y3
	VFMADD231PS (R8), Y2, Y3
	VMOVUPS Y3, (DI)
	ADDQ $32, DI
	ADDQ $32, R8
	ADDQ $32, R9
	DECQ CX
	JNZ  scale
	VZEROUPPER
	RET
