// Floats of four, six and eight bits, and packed arithmetic on them.
// Makes nvcc emit: cvt with all packed formats and saturation, emulation of it on older targets, prmt, byte vectors.
// targets: sm_75 sm_89 sm_100a sm_103a sm_120 sm_120a
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

__global__ void to_narrow(const float4 *in, __nv_fp4x4_e2m1 *four, __nv_fp6x4_e3m2 *six, __nv_fp6x4_e2m3 *six_too, __nv_fp8x4_e4m3 *eight,
                          __nv_fp8x4_e5m2 *eight_too, __nv_fp8x4_e8m0 *scales) {
    int i = threadIdx.x;
    four[i] = __nv_fp4x4_e2m1(in[i]);
    six[i] = __nv_fp6x4_e3m2(in[i]);
    six_too[i] = __nv_fp6x4_e2m3(in[i]);
    eight[i] = __nv_fp8x4_e4m3(in[i]);
    eight_too[i] = __nv_fp8x4_e5m2(in[i]);
    scales[i] = __nv_fp8x4_e8m0(in[i]);
}

__global__ void from_narrow(const __nv_fp4x4_e2m1 *four, const __nv_fp6x4_e3m2 *six, const __nv_fp8x4_e4m3 *eight, const __nv_fp8x4_e8m0 *scales,
                            float4 *out) {
    int i = threadIdx.x;
    float4 a = (float4)four[i], b = (float4)six[i], c = (float4)eight[i], d = (float4)scales[i];
    out[i] = make_float4(a.x + b.y, b.z * c.w, c.x - d.x, d.y / a.w);
}

__global__ void halves(const __half2 *in, __nv_fp8x2_e4m3 *out, __nv_fp4x2_e2m1 *tiny, __nv_bfloat162 *wide) {
    int i = threadIdx.x;
    out[i] = __nv_fp8x2_e4m3(in[i]);
    tiny[i] = __nv_fp4x2_e2m1(in[i]);
#if __CUDA_ARCH__ >= 800
    wide[i] = __hfma2(wide[i], __float2bfloat162_rn(1.5f), __hmax2(wide[i], __hneg2(wide[i])));
    wide[i] = h2exp(wide[i]) + h2sqrt(wide[i]) * h2rcp(h2log(wide[i])) - h2sin(wide[i]);
#endif
}

__global__ void singles(const double *in, __nv_fp8_e5m2 *a, __nv_fp6_e2m3 *b, __nv_fp4_e2m1 *c, int *d) {
    int i = threadIdx.x;
    a[i] = __nv_fp8_e5m2(in[i]);
    b[i] = __nv_fp6_e2m3(in[i]);
    c[i] = __nv_fp4_e2m1((float)in[i]);
    d[i] = (int)a[i] + (int)(short)b[i] + (int)(float)c[i];
}
