#include "textflag.h"

#define EIGHT(at, value) \
	DATA ·number+at+0(SB)/4, value  \
	DATA ·number+at+4(SB)/4, value  \
	DATA ·number+at+8(SB)/4, value  \
	DATA ·number+at+12(SB)/4, value \
	DATA ·number+at+16(SB)/4, value \
	DATA ·number+at+20(SB)/4, value \
	DATA ·number+at+24(SB)/4, value \
	DATA ·number+at+28(SB)/4, value

EIGHT(0, $-87.0)
EIGHT(32, $1.44269504088896341)
EIGHT(64, $0.693359375)
EIGHT(96, $-2.12194440054690583e-4)
EIGHT(128, $0.00138888888888888889)
EIGHT(160, $0.00833333333333333333)
EIGHT(192, $0.0416666666666666667)
EIGHT(224, $0.166666666666666667)
EIGHT(256, $0.5)
EIGHT(288, $1.0)
EIGHT(320, $127)
EIGHT(352, $0x7fffffff)
EIGHT(384, $0.231641888) // 0.3275911/√2
EIGHT(416, $0.127414796) // half of each coefficient
EIGHT(448, $-0.142248368)
EIGHT(480, $0.7107068705)
EIGHT(512, $-0.7265760135)
EIGHT(544, $0.5307027145)
EIGHT(576, $-0.5)
EIGHT(608, $1e-12)
EIGHT(640, $255.0)
DATA ·number+672(SB)/4, $0
DATA ·number+676(SB)/4, $4
DATA ·number+680(SB)/4, $1
DATA ·number+684(SB)/4, $5
DATA ·number+688(SB)/4, $2
DATA ·number+692(SB)/4, $6
DATA ·number+696(SB)/4, $3
DATA ·number+700(SB)/4, $7
GLOBL ·number(SB), RODATA|NOPTR, $704
