// The numbers of exp, of the activation and of the normalisation, eight times each, so that they
// can be operands of either width. They are defined in number_amd64.s.

#define LEAST     ·number+0(SB)   // below it, exp is as good as 0, and 2**n still a normal number
#define LOG2E     ·number+32(SB)
#define LN2HIGH   ·number+64(SB)  // the logarithm of 2 in two parts
#define LN2LOW    ·number+96(SB)
#define C6        ·number+128(SB) // 1/k! for the k-th power
#define C5        ·number+160(SB)
#define C4        ·number+192(SB)
#define C3        ·number+224(SB)
#define HALF      ·number+256(SB) // which is also 1/2!
#define ONE       ·number+288(SB) // which is also 1/1! and 1/0!
#define EXPONENT  ·number+320(SB) // the integer 127
#define ABSOLUTE  ·number+352(SB) // all bits but the sign
#define SLOPE     ·number+384(SB) // what follows is formula 7.1.26 of Abramowitz and Stegun for erfc(x/√2)/2
#define A1        ·number+416(SB)
#define A2        ·number+448(SB)
#define A3        ·number+480(SB)
#define A4        ·number+512(SB)
#define A5        ·number+544(SB)
#define MINUSHALF ·number+576(SB)
#define EPSILON   ·number+608(SB)
#define BYTES     ·number+640(SB) // 255
#define ORDER     ·number+672(SB) // the order of four-byte groups after two packings
