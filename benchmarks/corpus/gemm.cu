// Matrix products through tiles in shared memory, for five element types.
// Makes nvcc emit: fma of every kind, shared memory with 2-D indexing, bar.sync, unrolled loops, half and bf16 arithmetic.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class Element, int Tile>
__global__ void multiply(const Element *left, const Element *right, Element *product, int size) {
    __shared__ Element left_tile[Tile][Tile], right_tile[Tile][Tile + 1];
    const int column = blockIdx.x * Tile + threadIdx.x, row = blockIdx.y * Tile + threadIdx.y;
    Element sum = Element(0.0f);
    for (int begin = 0; begin < size; begin += Tile) {
        left_tile[threadIdx.y][threadIdx.x] = left[row * size + begin + threadIdx.x];
        right_tile[threadIdx.y][threadIdx.x] = right[(begin + threadIdx.y) * size + column];
        __syncthreads();
#pragma unroll
        for (int step = 0; step < Tile; ++step)
            sum = sum + left_tile[threadIdx.y][step] * right_tile[step][threadIdx.x];
        __syncthreads();
    }
    product[row * size + column] = sum;
}

template __global__ void multiply<float, 16>(const float *, const float *, float *, int);
template __global__ void multiply<double, 16>(const double *, const double *, double *, int);
template __global__ void multiply<__half, 32>(const __half *, const __half *, __half *, int);
template __global__ void multiply<__nv_bfloat16, 16>(const __nv_bfloat16 *, const __nv_bfloat16 *, __nv_bfloat16 *, int);
template __global__ void multiply<int, 32>(const int *, const int *, int *, int);
template __global__ void multiply<long long, 8>(const long long *, const long long *, long long *, int);

// Eight by eight results per thread, vectorised loads, registers instead of shared memory for the sums.
__global__ void __launch_bounds__(256, 2)
multiply_blocked(const float4 *__restrict__ left, const float4 *__restrict__ right, float4 *__restrict__ product, int size) {
    __shared__ float4 left_tile[8][32], right_tile[8][32];
    float sums[8][8] = {};
    const int quarter = size / 4, row = threadIdx.x / 16, column = threadIdx.x % 16;
    for (int begin = 0; begin < size; begin += 8) {
        left_tile[threadIdx.x / 32][threadIdx.x % 32] = left[(begin + threadIdx.x / 32) * quarter + blockIdx.y * 32 + threadIdx.x % 32];
        right_tile[threadIdx.x / 32][threadIdx.x % 32] = right[(begin + threadIdx.x / 32) * quarter + blockIdx.x * 32 + threadIdx.x % 32];
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 8; ++step) {
            const float4 a0 = left_tile[step][row * 2], a1 = left_tile[step][row * 2 + 1];
            const float4 b0 = right_tile[step][column * 2], b1 = right_tile[step][column * 2 + 1];
            const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        for (int half = 0; half < 2; ++half)
            product[(blockIdx.y * 128 + row * 8 + i) * quarter + blockIdx.x * 32 + column * 2 + half] =
                make_float4(sums[i][half * 4], sums[i][half * 4 + 1], sums[i][half * 4 + 2], sums[i][half * 4 + 3]);
}
