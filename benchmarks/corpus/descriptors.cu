// Descriptors as libraries build them: a ring of stages in shared memory, K steps on the low word, shapes as templates.
// Makes nvcc emit: wgmma.mma_async and tcgen05.mma, .cp with descriptors from loops, lanes, halves of words, constants.
// targets: sm_90a sm_100a

#include <cstdint>

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

struct Descriptor {
    unsigned low, high;
    __device__ __forceinline__ std::uint64_t whole() const { return static_cast<std::uint64_t>(high) << 32 | low; }
    // A step along K stays within the address: only the low word changes.
    __device__ __forceinline__ Descriptor step(unsigned units) const { return {low + units, high}; }
};

// start, leading and stride in bytes; what else is fixed in the high word.
__device__ __forceinline__ Descriptor make_descriptor(unsigned start, unsigned leading, unsigned stride, unsigned upper) {
    return {(start >> 4 & 0x3fff) | (leading >> 4) << 16, stride >> 4 | upper};
}

__device__ __forceinline__ std::uint64_t make_whole(unsigned start, unsigned leading, unsigned stride, std::uint64_t upper) {
    return (start >> 4 & 0x3fff) | static_cast<std::uint64_t>(leading >> 4) << 16 | static_cast<std::uint64_t>(stride >> 4) << 32 | upper << 32;
}

constexpr int STAGES = 4;
extern __shared__ __align__(1024) unsigned char smem[];

#if __CUDA_ARCH__ == 900

__device__ __forceinline__ void multiply(float (&d)[4], std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}

// upper: swizzle 128B, 64B, 32B, none.
template <unsigned UPPER, unsigned STRIDE>
__global__ void __launch_bounds__(128) ring(float *out, int tiles) {
    float d[4] = {};
    int stage = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        Descriptor a = make_descriptor(shared_address(smem + stage * 8192), 16, STRIDE, UPPER);
        Descriptor b = make_descriptor(shared_address(smem + STAGES * 8192 + stage * 1024), 16, STRIDE, UPPER);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < 4; ++k)
            multiply(d, a.step(2 * k).whole(), b.step(2 * k).whole());
        asm volatile("wgmma.commit_group.sync.aligned;");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        stage = stage + 1 == STAGES ? 0 : stage + 1;
    }
    for (int i = 0; i < 4; ++i)
        out[threadIdx.x * 4 + i] = d[i];
}

template __global__ void ring<0x40000000u, 1024>(float *, int);
template __global__ void ring<0x80000000u, 512>(float *, int);
template __global__ void ring<0xc0000000u, 256>(float *, int);
template __global__ void ring<0u, 128>(float *, int);

// The low word from one lane; the whole descriptor stepped on by 64 bits.
__global__ void __launch_bounds__(128) chosen(float *out, int stage) {
    float d[4] = {};
    std::uint64_t a = make_whole(shared_address(smem + stage * 8192), 16, 1024, 0x40000000ull);
    Descriptor b = make_descriptor(shared_address(smem + 32768 + (threadIdx.x & 3) * 1024), 8192, 1024, 0x40000000u);
    b.low = __shfl_sync(~0u, b.low, stage);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < 4; ++k)
        multiply(d, a + 2 * k, b.whole());
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i)
        out[threadIdx.x * 4 + i] = d[i];
}

#else

// D type, A type, B type, M and N of a product of 16-bit floats.
__device__ constexpr unsigned make_instruction(unsigned d, unsigned a, unsigned b, unsigned m, unsigned n) {
    return d << 4 | a << 7 | b << 10 | n / 8 << 17 | m / 16 << 24;
}

__device__ __forceinline__ void multiply(unsigned d, std::uint64_t a, std::uint64_t b, unsigned idesc, bool add) {
    asm volatile("{\n    .reg .pred p;\n    setp.ne.b32 p, %4, 0;\n"
                 "    tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(d), "l"(a), "l"(b), "r"(idesc), "r"(int(add)));
}

__device__ __forceinline__ unsigned allocate(unsigned *slot) {
    if (threadIdx.x < 32) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 256;" ::"r"(shared_address(slot)) : "memory");
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    }
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
    __syncthreads();
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    return *slot;
}

__device__ __forceinline__ void release(unsigned memory) {
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 256;" ::"r"(memory));
}

// upper: bit 46, and swizzle 128B, 64B, 32B, none.
template <unsigned UPPER, unsigned STRIDE, unsigned N>
__global__ void __launch_bounds__(128) ring(int tiles) {
    __shared__ unsigned slot;
    __shared__ std::uint64_t done;
    unsigned memory = allocate(&slot);
    if (threadIdx.x == 0) {
        int stage = 0;
        for (int tile = 0; tile < tiles; ++tile) {
            Descriptor a = make_descriptor(shared_address(smem + stage * 16384), 16, STRIDE, UPPER | 1u << 14);
            Descriptor b = make_descriptor(shared_address(smem + STAGES * 16384 + stage * 8192), 16, STRIDE, UPPER | 1u << 14);
            for (int k = 0; k < 4; ++k)
                multiply(memory, a.step(2 * k).whole(), b.step(2 * k).whole(), make_instruction(1, 1, 1, 128, N), tile + k > 0);
            stage = stage + 1 == STAGES ? 0 : stage + 1;
        }
        asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(shared_address(&done)) : "memory");
    }
    release(memory);
}

template __global__ void ring<0x40000000u, 1024, 128>(int);
template __global__ void ring<0x80000000u, 512, 64>(int);
template __global__ void ring<0xc0000000u, 256, 256>(int);
template __global__ void ring<0u, 128, 8>(int);

// Scale factors are copied with a descriptor; their places stand in the instruction descriptor, from an address.
__global__ void __launch_bounds__(128) scaled(unsigned scales) {
    __shared__ unsigned slot;
    __shared__ std::uint64_t done;
    unsigned memory = allocate(&slot);
    if (threadIdx.x == 0) {
        std::uint64_t factors = make_whole(shared_address(smem + 65536), 16, 128, 0x4000ull);
        asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(memory + 128), "l"(factors));
        std::uint64_t a = make_whole(shared_address(smem), 16, 1024, 0x40004000ull);
        unsigned idesc = 0x08a00000u | (scales >> 30) << 29 | (scales >> 30) << 4;
        asm volatile("tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%0], %1, %1, %2, [%3], [%4], 1;" ::"r"(memory), "l"(a),
                     "r"(idesc), "r"(memory + 128 + scales), "r"(memory + 160 + scales));
        asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(shared_address(&done)) : "memory");
    }
    release(memory);
}

#endif
