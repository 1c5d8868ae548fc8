// Attention with a running maximum and sum, heads of several sizes, in single and half precision, with a mask.
// least: sm_75
// head = 8 12 16 24 32
// keys = 1 2 4
// causal = true false
// element = float __half __nv_bfloat16
// use: template __global__ void attend<{element}, {head}, {keys}, {causal}>(const {element} *, const {element} *, const {element} *, {element} *, int, float);
// use: template __global__ void softmax_rows<{element}, {keys}>(const {element} *, {element} *, int);
// use: template __global__ void rotate<{element}, {head}>({element} *, const int *, float);
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ __forceinline__ float real(float value) { return value; }
__device__ __forceinline__ float real(__half value) { return __half2float(value); }
__device__ __forceinline__ float real(__nv_bfloat16 value) { return __bfloat162float(value); }

template <class T, int Head, int Keys, bool Causal>
__global__ void attend(const T *queries, const T *keys, const T *values, T *to, int length, float scale) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float query[Head], sums[Head] = {}, largest = -1e30f, total = 0;
#pragma unroll
    for (int at = 0; at < Head; ++at) query[at] = real(queries[row * Head + at]) * scale;
    const int end = Causal ? row + 1 : length;
    for (int begin = 0; begin < end; begin += Keys) {
        float scores[Keys], peak = largest;
#pragma unroll
        for (int key = 0; key < Keys; ++key) {
            scores[key] = 0;
#pragma unroll
            for (int at = 0; at < Head; ++at) scores[key] += query[at] * real(keys[(begin + key) * Head + at]);
            if (begin + key >= end) scores[key] = -1e30f;
            peak = fmaxf(peak, scores[key]);
        }
        const float shrink = __expf(largest - peak);
        largest = peak, total *= shrink;
#pragma unroll
        for (int at = 0; at < Head; ++at) sums[at] *= shrink;
#pragma unroll
        for (int key = 0; key < Keys; ++key) {
            const float weight = __expf(scores[key] - peak);
            total += weight;
            for (int at = 0; at < Head; ++at) sums[at] += weight * real(values[(begin + key) * Head + at]);
        }
    }
    for (int at = 0; at < Head; ++at) to[row * Head + at] = T(sums[at] / total);
}

template <class T, int Each>
__global__ void softmax_rows(const T *from, T *to, int width) {
    float values[Each], peak = -INFINITY, total = 0;
#pragma unroll
    for (int item = 0; item < Each; ++item) {
        const int column = item * 32 + threadIdx.x;
        values[item] = column < width ? real(from[blockIdx.x * width + column]) : -INFINITY;
        peak = fmaxf(peak, values[item]);
    }
    for (int mask = 16; mask; mask /= 2) peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, mask));
#pragma unroll
    for (int item = 0; item < Each; ++item) total += values[item] = expf(values[item] - peak);
    for (int mask = 16; mask; mask /= 2) total += __shfl_xor_sync(~0u, total, mask);
#pragma unroll
    for (int item = 0; item < Each; ++item)
        if (item * 32 + threadIdx.x < width) to[blockIdx.x * width + item * 32 + threadIdx.x] = T(__fdividef(values[item], total));
}

template <class T, int Head>
__global__ void rotate(T *vectors, const int *positions, float base) {
    const int at = threadIdx.x % (Head / 2), row = blockIdx.x * (blockDim.x / (Head / 2)) + threadIdx.x / (Head / 2);
    float sine, cosine;
    sincosf(positions[row] * powf(base, -2.0f * at / Head), &sine, &cosine);
    const float even = real(vectors[row * Head + at]), odd = real(vectors[row * Head + at + Head / 2]);
    vectors[row * Head + at] = T(even * cosine - odd * sine);
    vectors[row * Head + at + Head / 2] = T(even * sine + odd * cosine);
}
