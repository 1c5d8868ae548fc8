// Tensor cores before Hopper: the wmma API, and mma, ldmatrix and cp.async as inline PTX.
// Makes nvcc emit: wmma.load/.mma/.store of all element types, mma.sync in many shapes, ldmatrix, movmatrix, cp.async.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

template <class Element, class Sum, int M, int N, int K, class Left, class Right>
__device__ void multiply_tile(const Element *left, const Element *right, Sum *product, int steps, wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, M, N, K, Element, Left> a;
    wmma::fragment<wmma::matrix_b, M, N, K, Element, Right> b;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
    wmma::fill_fragment(sum, Sum(0));
    for (int step = 0; step < steps; ++step) {
        wmma::load_matrix_sync(a, left + step * K, 64);
        wmma::load_matrix_sync(b, right + step * K, 64);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(product, sum, 64, layout);
}

__global__ void halves(const __half *left, const __half *right, float *product, __half *rounded, int steps) {
    multiply_tile<__half, float, 16, 16, 16, wmma::row_major, wmma::col_major>(left, right, product, steps, wmma::mem_row_major);
    multiply_tile<__half, float, 32, 8, 16, wmma::col_major, wmma::row_major>(left, right, product, steps, wmma::mem_col_major);
    multiply_tile<__half, __half, 8, 32, 16, wmma::row_major, wmma::row_major>(left, right, rounded, steps, wmma::mem_row_major);
}

__global__ void bytes(const signed char *left, const unsigned char *right, int *product, int steps) {
    multiply_tile<signed char, int, 16, 16, 16, wmma::row_major, wmma::col_major>(left, left + 4096, product, steps, wmma::mem_row_major);
    multiply_tile<unsigned char, int, 32, 8, 16, wmma::col_major, wmma::col_major>(right, right + 4096, product, steps, wmma::mem_col_major);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__global__ void brain_floats_and_doubles(const __nv_bfloat16 *left, const __nv_bfloat16 *right, float *product,
                                         const double *wide_left, const double *wide_right, double *wide_product, int steps) {
    multiply_tile<__nv_bfloat16, float, 16, 16, 16, wmma::row_major, wmma::col_major>(left, right, product, steps, wmma::mem_row_major);
    multiply_tile<double, double, 8, 8, 4, wmma::row_major, wmma::col_major>(wide_left, wide_right, wide_product, steps, wmma::mem_row_major);
}
#endif

__device__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Four 8x8 matrices of 16-bit elements, straight and transposed, then one product.
__global__ void load_and_multiply(const uint4 *tiles, float4 *product) {
    __shared__ uint4 staged[64];
    staged[threadIdx.x] = tiles[threadIdx.x];
    __syncthreads();
    unsigned a[4], b[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(shared_address(staged + threadIdx.x)));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1]) : "r"(shared_address(staged + 32 + threadIdx.x % 16)));
    float4 sum = {};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    int whole[2] = {};
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(whole[0]), "+r"(whole[1]) : "r"(a[2]), "r"(b[1]));
    asm volatile("mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.s4.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(whole[0]), "+r"(whole[1]) : "r"(a[3]), "r"(b[1]));
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(whole[0]), "+r"(whole[1]) : "r"(a[2]), "r"(b[1]));
    // Every other element is zero: the metadata says which.
    asm volatile("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 0x0;"
                 : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w)
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(0x44444444));
    unsigned turned;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(a[0]));
    whole[0] += turned;
#endif
#if __CUDA_ARCH__ >= 890
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum.x), "+f"(sum.y), "+f"(sum.z), "+f"(sum.w)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
    sum.w += whole[0] + whole[1];
    product[threadIdx.x] = sum;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// Two stages of asynchronous copies, the second one partly filled with zeros.
__global__ void copy_in_stages(const uint4 *from, uint4 *to, int valid_bytes) {
    extern __shared__ uint4 stages[];
    const unsigned place = shared_address(stages + threadIdx.x);
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(place), "l"(from + threadIdx.x));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(place + 4096), "l"(from + 256 + threadIdx.x), "r"(valid_bytes));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    to[threadIdx.x] = stages[threadIdx.x ^ 1];
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    to[256 + threadIdx.x] = stages[256 + (threadIdx.x ^ 1)];
}
#endif
