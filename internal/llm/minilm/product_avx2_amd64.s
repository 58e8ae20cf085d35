#include "go_asm.h"
#include "textflag.h"

// Products of matrices for processors with AVX2 and FMA.

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
