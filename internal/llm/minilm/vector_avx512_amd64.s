#include "textflag.h"
#include "number_amd64.h"

// What is done to rows, for processors with AVX-512: F, BW, DQ and VL.

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
