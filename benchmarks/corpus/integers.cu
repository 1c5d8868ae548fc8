// Integer arithmetic: wide products, carries, bit tricks, dot products, funnel shifts, video instructions, 128 bits, divisions.
// Makes nvcc emit: mul.wide, mad.cc chains, dp4a, dp2a, prmt, bfe, bfi, bfind, shf, vadd4 and friends, div and rem of all widths.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cstdint>

template <class Whole>
__global__ void four_rules(Whole *v) {
    const Whole x = v[0], y = v[1];
    v[2] = x + y;
    v[3] = x - y;
    v[4] = x * y;
    v[5] = x / y;
    v[6] = x % y;
    v[7] = x / 7;
    v[8] = x % 10;
    v[9] = x << (y & 7);
    v[10] = x >> (y & 7);
    v[11] = (x & y) | (x ^ ~y);
    v[12] = x < y ? x : y;
    v[13] = x > y ? x : y;
    v[14] = -x;
    v[15] = (x == y) + (x <= 3) * 2 + (x != 9) * 4;
}

template __global__ void four_rules<int8_t>(int8_t *);
template __global__ void four_rules<uint16_t>(uint16_t *);
template __global__ void four_rules<int16_t>(int16_t *);
template __global__ void four_rules<int32_t>(int32_t *);
template __global__ void four_rules<uint32_t>(uint32_t *);
template __global__ void four_rules<int64_t>(int64_t *);
template __global__ void four_rules<uint64_t>(uint64_t *);
template __global__ void four_rules<__int128>(__int128 *);
template __global__ void four_rules<unsigned __int128>(unsigned __int128 *);

__global__ void intrinsics(int *i, unsigned *u, long long *l, unsigned long long *ul) {
    const int x = i[0], y = i[1], z = i[2];
    const unsigned a = u[0], b = u[1], c = u[2];
    i[3] = __mulhi(x, y) + __mul24(x, y) + __sad(x, y, a) + __hadd(x, y) + __rhadd(x, y) + __clz(x) + __ffs(y) + __popc(a);
    u[3] = __umulhi(a, b) + __umul24(a, b) + __usad(a, b, c) + __uhadd(a, b) + __brev(a) + __byte_perm(a, b, 0x4321) + __byte_perm(a, b, c);
    u[4] = __funnelshift_l(a, b, c) + __funnelshift_r(a, b, 5) + __funnelshift_lc(a, b, c) + __funnelshift_rc(a, b, c);
    i[4] = __dp4a(x, y, z) + __dp2a_lo(x, y, z) + __dp2a_hi(x, y, z);
    u[5] = __dp4a(a, b, c) + __dp2a_lo(a, b, c);
    l[1] = __mul64hi(l[0], l[2]) + __clzll(l[0]) + __ffsll(l[1]) + __popcll(ul[0]);
    ul[1] = __umul64hi(ul[0], ul[2]) ^ __brevll(ul[3]);
    i[5] = max(min(x, y), z) + abs(z) + (x < 0 ? -x : x);
    u[6] = (a * 3 + b) ^ ((a & b) | (~a & c));
}

__global__ void packed(unsigned *u) {
    const unsigned a = u[0], b = u[1], c = u[2];
    u[3] = __vadd4(a, b) ^ __vsub4(a, b) ^ __vaddss2(a, b) ^ __vsubus4(a, b) ^ __vavgu4(a, b) ^ __vabs2(a) ^ __vneg4(b);
    u[4] = __vmaxs4(a, b) ^ __vminu2(a, b) ^ __vcmpeq4(a, b) ^ __vcmpgts2(a, b) ^ __vseteq4(a, b) ^ __vsads4(a, b) ^ __vabsdiffu4(a, b);
    u[5] = __vimax3_s32(a, b, c) ^ __vimin_s32_relu(a, b) ^ __viaddmax_s16x2(a, b, c) ^ __vibmax_u32(a, b, reinterpret_cast<bool *>(u + 8));
}

// What has no intrinsic: fields of bits, three-input logic, carries, scalar video instructions.
__global__ void inline_integers(unsigned *u, int *i) {
    const unsigned a = u[0], b = u[1], c = u[2];
    asm("bfe.u32 %0, %1, 5, 9;" : "=r"(u[3]) : "r"(a));
    asm("bfi.b32 %0, %1, %2, %3, 4;" : "=r"(u[4]) : "r"(a), "r"(b), "r"(c));
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(u[5]) : "r"(a));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(u[6]) : "r"(a), "r"(b), "r"(c));
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(u[7]) : "r"(a), "r"(b), "r"(i[0]));
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(u[8]) : "r"(a), "r"(b));
    asm("szext.wrap.s32 %0, %1, %2;" : "=r"(i[1]) : "r"(i[2]), "r"(b));
    asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(u[9]) : "r"(a), "r"(b), "r"(c));
    asm("add.cc.u32 %0, %2, %3;\n\t"
        "addc.cc.u32 %1, %4, %2;\n\t"
        "madc.hi.u32 %1, %2, %3, %4;" : "=&r"(u[10]), "=&r"(u[11]) : "r"(a), "r"(b), "r"(c));
    asm("sub.cc.u32 %0, %1, %2; subc.u32 %0, %0, 0;" : "=&r"(u[12]) : "r"(a), "r"(b));
    asm("vadd.s32.u32.s32.sat.max %0, %1.b2, %2.h1, %3;" : "=r"(i[3]) : "r"(a), "r"(i[4]), "r"(i[5]));
    asm("vmad.u32.u32.u32.shr15 %0, %1, %2, %3;" : "=r"(u[13]) : "r"(a), "r"(b), "r"(c));
    asm("vset4.u32.u32.ge.add %0, %1, %2, %3;" : "=r"(u[14]) : "r"(a), "r"(b), "r"(c));
    asm("sad.u16 %0, %1, 7, %1;" : "=h"(reinterpret_cast<unsigned short *>(u)[40]) : "h"(reinterpret_cast<unsigned short *>(u)[41]));
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(u[15]) : "r"(a), "r"(b), "r"(i[6]));
    asm("cnot.b32 %0, %1;" : "=r"(u[16]) : "r"(a));
}

// 256-bit product of 128-bit numbers: nothing but mul.lo, mul.hi and carries.
__global__ void long_product(unsigned long long *v) {
    unsigned __int128 carry = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            carry += static_cast<unsigned __int128>(v[i]) * v[4 + j] + v[8 + i + j];
            v[8 + i + j] = static_cast<unsigned long long>(carry);
            carry >>= 64;
        }
}
