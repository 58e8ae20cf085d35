#include "textflag.h"
#include "number_amd64.h"

// What is done to rows, for processors with AVX2 and FMA. Sums are made in the order of AVX-512, in
// two registers for one of there, so that the results are the same to the last bit.

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
	VXORPS Y5, Y5, Y5
	MOVQ DI, SI
	MOVQ CX, R10

exponential:
	VMOVUPS (SI), Y2
	VSUBPS Y0, Y2, Y2
	EXP(Y2, Y3, Y4)
	VMOVUPS Y2, (SI)
	VADDPS Y2, Y1, Y1
	VMOVUPS 32(SI), Y2
	VSUBPS Y0, Y2, Y2
	EXP(Y2, Y3, Y4)
	VMOVUPS Y2, 32(SI)
	VADDPS Y2, Y5, Y5
	ADDQ $64, SI
	SUBQ $2, R10
	JNZ  exponential
	VADDPS Y5, Y1, Y1
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
	VXORPS Y5, Y5, Y5

sum:
	VMOVUPS (SI), Y2
	VADDPS (DX), Y2, Y2
	VMOVUPS Y2, (SI)
	VADDPS Y2, Y0, Y0
	VMOVUPS 32(SI), Y2
	VADDPS 32(DX), Y2, Y2
	VMOVUPS Y2, 32(SI)
	VADDPS Y2, Y5, Y5
	ADDQ $64, SI
	ADDQ $64, DX
	SUBQ $2, R10
	JNZ  sum
	VADDPS Y5, Y0, Y0
	ACROSS(VADDPS, Y0, X0)
	VDIVSS X4, X0, X0
	VBROADCASTSS X0, Y0
	MOVQ DI, SI
	MOVQ CX, R10
	VXORPS Y1, Y1, Y1
	VXORPS Y5, Y5, Y5

squares:
	VMOVUPS (SI), Y2
	VSUBPS Y0, Y2, Y2
	VFMADD231PS Y2, Y2, Y1
	VMOVUPS 32(SI), Y2
	VSUBPS Y0, Y2, Y2
	VFMADD231PS Y2, Y2, Y5
	ADDQ $64, SI
	SUBQ $2, R10
	JNZ  squares
	VADDPS Y5, Y1, Y1
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
