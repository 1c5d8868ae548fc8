// Floating point of 16 bits and fewer: half, bfloat16, fp8 and smaller, arithmetic, functions and conversions.
// Makes nvcc emit: inline blocks { .reg …; cvt …; }, f16x2 and bf16x2 arithmetic, cvt.rn.satfinite.e4m3x2, set, fma.relu.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#endif

template <class Pair>
__global__ void arithmetic(Pair *v) {
    v[3] = __hadd2(v[0], v[1]) + __hsub2(v[1], v[2]) * __hmul2(v[0], v[2]);
    v[4] = __hfma2(v[0], v[1], v[2]);
    v[5] = __hfma2_sat(v[0], v[1], v[2]);
    v[6] = __hadd2_sat(v[0], v[1]);
    v[7] = __hneg2(__habs2(v[0]));
    v[8] = __h2div(v[0], v[1]);
    v[9] = __hmax2(v[0], v[1]);
    v[10] = __hmin2(v[0], v[1]);
    v[11] = __hfma2_relu(v[0], v[1], v[2]);
    v[12] = __hcmadd(v[0], v[1], v[2]);
}

template <class Pair>
__global__ void comparisons(Pair *v, unsigned *masks, int *truths) {
    v[3] = __heq2(v[0], v[1]);
    v[4] = __hgtu2(v[0], v[1]);
    v[5] = __hisnan2(v[0]);
    masks[0] = __hle2_mask(v[0], v[1]);
    masks[1] = __hneu2_mask(v[0], v[1]);
    truths[0] = __hblt2(v[0], v[1]) + __hbgeu2(v[1], v[2]) + __heq(v[0].x, v[1].y) + __hltu(v[0].y, v[1].x) + __hisinf(v[0].x);
    v[6].x = __hmax_nan(v[0].x, v[1].x);
    v[6].y = __hmin_nan(v[0].y, v[1].y);
}

template <class Pair>
__global__ void functions(Pair *v) {
    v[1] = h2sqrt(v[0]);
    v[2] = h2rsqrt(v[0]);
    v[3] = h2rcp(v[0]);
    v[4] = h2exp(v[0]);
    v[5] = h2exp2(v[0]);
    v[6] = h2log2(v[0]);
    v[7] = h2sin(v[0]);
    v[8] = h2cos(v[0]);
    v[9] = h2floor(v[0]);
    v[10] = h2rint(v[0]);
    v[11] = h2tanh(v[0]);
    v[12].x = hlog(v[0].x) + hexp10(v[0].y) + htrunc(v[0].x);
}

template __global__ void arithmetic<__half2>(__half2 *);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template __global__ void arithmetic<__nv_bfloat162>(__nv_bfloat162 *);
#endif
template __global__ void comparisons<__half2>(__half2 *, unsigned *, int *);
template __global__ void comparisons<__nv_bfloat162>(__nv_bfloat162 *, unsigned *, int *);
template __global__ void functions<__half2>(__half2 *);
template __global__ void functions<__nv_bfloat162>(__nv_bfloat162 *);

__global__ void half_conversions(__half *h, float *f, double *d, int *i, long long *l, unsigned short *s) {
    h[0] = __float2half_rd(f[0]);
    h[1] = __float2half_rz(f[1]);
    h[2] = __double2half(d[0]);
    h[3] = __int2half_ru(i[0]);
    h[4] = __ull2half_rn(l[0]);
    h[5] = __ushort2half_rz(s[0]);
    f[2] = __half2float(h[6]);
    i[1] = __half2int_rd(h[7]) + __half2uint_rn(h[8]) + __half2short_rz(h[9]);
    l[1] = __half2ll_ru(h[10]);
    s[1] = __half_as_ushort(h[11]) + __half2ushort_rd(h[12]);
    reinterpret_cast<__half2 *>(h)[8] = __floats2half2_rn(f[3], f[4]);
    const float2 both = __half22float2(__lowhigh2highlow(reinterpret_cast<__half2 *>(h)[9]));
    f[5] = both.x - both.y;
}

__global__ void bfloat_conversions(__nv_bfloat16 *b, float *f, double *d, int *i) {
    b[0] = __float2bfloat16_rz(f[0]);
    b[1] = __float2bfloat16_rn(f[1]);
    b[2] = __double2bfloat16(d[0]);
    b[3] = __int2bfloat16_rn(i[0]);
    i[1] = __bfloat162int_rz(b[4]);
    f[2] = __bfloat162float(b[5]);
    reinterpret_cast<__nv_bfloat162 *>(b)[8] = __floats2bfloat162_rn(f[3], f[4]);
}

template <class Eight>
__global__ void eight_bits(Eight *e, const float *f, __half *h) {
    e[0] = Eight(f[0]);
    e[1] = Eight(h[0]);
    h[1] = static_cast<__half>(e[2]);
    h[2] = __half(static_cast<float>(e[3]) * f[1]);
}

template __global__ void eight_bits<__nv_fp8_e4m3>(__nv_fp8_e4m3 *, const float *, __half *);
template __global__ void eight_bits<__nv_fp8_e5m2>(__nv_fp8_e5m2 *, const float *, __half *);

__global__ void packed_eights(__nv_fp8x4_e4m3 *four, __nv_fp8x2_e5m2 *two, const float4 *f, float4 *out) {
    four[0] = __nv_fp8x4_e4m3(f[0]);
    two[0] = __nv_fp8x2_e5m2(make_float2(f[1].x, f[1].y));
    out[0] = static_cast<float4>(four[1]);
    out[1].x = static_cast<float2>(two[1]).y;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
__global__ void six_and_four_bits(__nv_fp6_e2m3 *a, __nv_fp6x2_e3m2 *b, __nv_fp4_e2m1 *c, __nv_fp4x2_e2m1 *d, __nv_fp8_e8m0 *scale, float2 *f) {
    a[0] = __nv_fp6_e2m3(f[0].x);
    b[0] = __nv_fp6x2_e3m2(f[1]);
    c[0] = __nv_fp4_e2m1(f[2].y);
    d[0] = __nv_fp4x2_e2m1(f[3]);
    scale[0] = __nv_fp8_e8m0(f[4].x);
    f[5] = static_cast<float2>(b[1]);
    f[6] = static_cast<float2>(d[1]);
    f[7].x = static_cast<float>(scale[1]);
}
#endif
