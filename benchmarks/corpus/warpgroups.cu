// Products of warp groups on Hopper (wgmma), with descriptors of shared memory, as inline PTX.
// Makes nvcc emit: wgmma.mma_async of all element types, fence, commit and wait, setmaxnreg, stmatrix, predicates that scale.
// targets: sm_90a

#include <cstdint>

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Start, leading and stride offsets in units of 16 bytes; a swizzle of 128 bytes.
__device__ __forceinline__ std::uint64_t descriptor(const void *tile, unsigned leading, unsigned stride) {
    return (shared_address(tile) & 0x3ffff) >> 4 | static_cast<std::uint64_t>(leading) << 16 | static_cast<std::uint64_t>(stride) << 32 | 1ull << 62;
}

__global__ void __launch_bounds__(128) halves(const uint4 *from, float *product, unsigned *packed, int steps) {
    __shared__ alignas(1024) uint4 a[512];
    __shared__ alignas(1024) uint4 b[512];
    a[threadIdx.x] = from[threadIdx.x];
    b[threadIdx.x] = from[threadIdx.x + 128];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    float d[8] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int step = 0; step < steps; ++step)
        asm volatile("{\n"
                     "    .reg .pred p;\n"
                     "    setp.ne.b32 p, %10, 0;\n"
                     "    wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;\n"
                     "}"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                     : "l"(descriptor(a + step * 2, 1, 64)), "l"(descriptor(b + step * 2, 1, 64)), "r"(step));
    // The left matrix from registers, its right one transposed and negated.
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, 1, 1, -1, 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "r"(packed[0]), "r"(packed[1]), "r"(packed[2]), "r"(packed[3]), "l"(descriptor(b, 1, 64)));
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 8; ++i)
        product[threadIdx.x * 8 + i] = d[i];
    unsigned two;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(two) : "f"(d[1]), "f"(d[0]));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(shared_address(a + threadIdx.x)), "r"(two) : "memory");
    asm volatile("stmatrix.sync.aligned.x2.trans.m8n8.shared.b16 [%0], {%1, %1};" ::"r"(shared_address(b + threadIdx.x)), "r"(two) : "memory");
}

__global__ void __launch_bounds__(128) other_elements(float *product, int *whole) {
    __shared__ alignas(1024) uint4 tiles[1024];
    const std::uint64_t a = descriptor(tiles, 1, 64), b = descriptor(tiles + 512, 1, 64);
    float d[4] = {};
    int s[4] = {};
    unsigned h[2] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, 1, -1, 1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, 0, 1, 1, 0, 1;" : "+r"(h[0]), "+r"(h[1]) : "l"(a), "l"(b));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {%0, %1, %2, %3}, %4, %5, 1;"
                 : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "l"(a), "l"(b));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {%0, %1, %2, %3}, %4, %5, 1;"
                 : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]) : "l"(a), "l"(b));
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, %6, 0, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "r"(0x44444444));
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 1;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
    product[threadIdx.x] = d[0] + d[3] + h[1];
    whole[threadIdx.x] = s[0] ^ s[3];
}

// Warps that fetch give registers to those that multiply.
__global__ void __launch_bounds__(384, 1) specialised(float *values) {
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        asm volatile("bar.arrive 1, 384;");
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        asm volatile("bar.sync 1, 384;");
        values[threadIdx.x] *= 2;
    }
}
