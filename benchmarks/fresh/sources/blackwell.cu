// Matrix products in tensor memory: what only sm_100a has.
// exactly: sm_100a
// tiles = 1 2 3 4
// columns = 32 64 128 256
// use: template __global__ void tensor_memory<{tiles}, {columns}>(unsigned long long, unsigned long long, unsigned *, int);
// use: template __global__ void quantised<{tiles}>(const float4 *, unsigned *);

__device__ __forceinline__ unsigned address_of(const void *at) { return (unsigned)__cvta_generic_to_shared(at); }

template <int Tiles, int Columns>
__global__ void tensor_memory(unsigned long long left, unsigned long long right, unsigned *to, int steps) {
    __shared__ unsigned where;
    __shared__ __align__(8) unsigned long long barrier;
    if (threadIdx.x < 32) asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address_of(&where)), "n"(Columns));
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)));
    __syncthreads();
    const unsigned memory = where;
    for (int step = 0; step < steps; ++step)
        if (threadIdx.x == 0) {
#pragma unroll
            for (int tile = 0; tile < Tiles; ++tile)
                asm volatile("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, add;\n\t}" ::"r"(memory + tile * 16), "l"(left + step),
                             "l"(right + tile), "r"(0x8080490), "r"(step) : "memory");
            asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(address_of(&barrier)) : "memory");
        }
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) {
        unsigned held[4];
        asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0,%1,%2,%3}, [%4];" : "=r"(held[0]), "=r"(held[1]), "=r"(held[2]), "=r"(held[3]) : "r"(memory + tile * 16));
        asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
        for (int part = 0; part < 4; ++part) to[(tile * 4 + part) * 128 + threadIdx.x] = held[part];
    }
    __syncthreads();
    if (threadIdx.x < 32) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(memory), "n"(Columns));
}

template <int Tiles>
__global__ void quantised(const float4 *from, unsigned *to) {
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile) {
        const float4 four = from[tile * blockDim.x + threadIdx.x];
        unsigned short low, high;
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(low) : "f"(four.y), "f"(four.x));
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(high) : "f"(four.w), "f"(four.z));
        to[tile * blockDim.x + threadIdx.x] = (unsigned)high << 16 | low;
    }
}
