// Descriptors from functions and classes that a compiler may leave as they are: makers, bit fields, iterators over K.
// Makes nvcc emit, unoptimised: descriptors in local memory, from calls, through pointers; optimised: plain constants.
// targets: sm_90a sm_100a

#include <cstdint>

extern __shared__ __align__(1024) unsigned char smem[];

__device__ inline unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// The fields by name, as one reads them in the manual.
union MatrixDescriptor {
    std::uint64_t whole;
    struct {
        std::uint16_t start : 14, : 2;
        std::uint16_t leading : 14, : 2;
        std::uint16_t stride : 14, version : 2;
        std::uint8_t : 1, base : 3, : 4;
#if __CUDA_ARCH__ >= 1000
        std::uint8_t : 5, swizzle : 3;
#else
        std::uint8_t : 6, swizzle : 2;
#endif
    } fields;
    struct {
        unsigned low, high;
    } words;
};

#if __CUDA_ARCH__ >= 1000
enum Swizzle : unsigned { NONE, WIDE = 2, MIDDLE = 4, NARROW = 6 };
#else
enum Swizzle : unsigned { NONE, WIDE, MIDDLE, NARROW };
#endif

// Start, leading and stride in bytes.
__device__ inline MatrixDescriptor make_smem_desc(const void *pointer, unsigned leading, unsigned stride, Swizzle swizzle) {
    MatrixDescriptor made;
    made.whole = 0;
    made.fields.start = shared_address(pointer) >> 4;
    made.fields.leading = leading >> 4;
    made.fields.stride = stride >> 4;
#if __CUDA_ARCH__ >= 1000
    made.fields.version = 1;
#endif
    made.fields.base = 0;
    made.fields.swizzle = swizzle;
    return made;
}

// A step along K moves the address alone: the low word.
__device__ inline std::uint64_t advance_low_word(MatrixDescriptor from, unsigned bytes) {
    from.words.low += bytes >> 4;
    return from.whole;
}

struct Iterator {
    MatrixDescriptor now;
    __device__ inline std::uint64_t operator*() const { return now.whole; }
    __device__ inline Iterator operator+(int units) const {
        Iterator next = *this;
        next.now.words.low += units;
        return next;
    }
    __device__ inline Iterator &operator+=(int units) {
        now.words.low += units;
        return *this;
    }
};

#if __CUDA_ARCH__ == 900

__device__ inline void multiply(float (&d)[4], std::uint64_t a, std::uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}

__device__ inline void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

__device__ inline void end() {
    asm volatile("wgmma.commit_group.sync.aligned;\n    wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// The product stands in the kernel: what it takes is made by functions.
#define MULTIPLY(d, a, b)                                                                                            \
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"      \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                    \
                 : "l"(static_cast<std::uint64_t>(a)), "l"(static_cast<std::uint64_t>(b)))

#define BEGIN() begin()
#define END(out, d)                                                                                                  \
    end();                                                                                                           \
    for (int i = 0; i < 4; ++i)                                                                                      \
    out[threadIdx.x * 4 + i] = d[i]
#define ACCUMULATOR float d[4] = {}
using Result = float *;

#else

// Types, transposition and shape of a product, by name as well.
union InstructionDescriptor {
    unsigned whole;
    struct {
        unsigned sparse_id : 2, sparse : 1, saturate : 1, d : 2, : 1, a : 3, b : 3, negate_a : 1, negate_b : 1;
        unsigned transpose_a : 1, transpose_b : 1, n : 6, : 1, m : 5, : 1, shift : 2;
    } fields;
};

__device__ inline unsigned make_instr_desc(unsigned m, unsigned n, unsigned type) {
    InstructionDescriptor made;
    made.whole = 0;
    made.fields.d = 1;
    made.fields.a = type;
    made.fields.b = type;
    made.fields.m = m >> 4;
    made.fields.n = n >> 3;
    return made.whole;
}

__device__ inline std::uint64_t make_runtime_instr_desc(unsigned idesc) { return static_cast<std::uint64_t>(idesc) << 32; }

__device__ inline void multiply(unsigned d, std::uint64_t a, std::uint64_t b) {
    asm volatile("{\n    .reg .pred p;\n    setp.ne.b32 p, 1, 0;\n"
                 "    tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(d), "l"(a), "l"(b),
                 "r"(make_instr_desc(128, 64, 1)));
}

#define MULTIPLY(d, a, b)                                                                                            \
    asm volatile("{\n    .reg .pred p;\n    setp.ne.b32 p, 1, 0;\n"                                                  \
                 "    tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(d), "l"(a), "l"(b),          \
                 "r"(static_cast<unsigned>(make_runtime_instr_desc(make_instr_desc(128, 128, 1)) >> 32)))
#define BEGIN()
#define END(out, d)                                                                                                  \
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(                \
                     shared_address(smem))                                                                           \
                 : "memory")
#define ACCUMULATOR unsigned d = *reinterpret_cast<unsigned *>(smem + 65536)
using Result = int;

#endif

// In the way of one library: a maker by value, the low word stepped on.
extern "C" __global__ void __launch_bounds__(128) made_by_functions(Result out, int tiles) {
    ACCUMULATOR;
    for (int tile = 0; tile < tiles; ++tile) {
        unsigned char *stage = smem + tile % 4 * 16384;
        MatrixDescriptor a = make_smem_desc(stage, 0, 1024, WIDE);
        MatrixDescriptor b = make_smem_desc(stage + 8192, 0, 1024, WIDE);
        BEGIN();
        for (int k = 0; k < 4; ++k)
            MULTIPLY(d, advance_low_word(a, k * 32), advance_low_word(b, k * 32));
    }
    END(out, d);
}

// In the way of another one: iterators that are added to.
extern "C" __global__ void __launch_bounds__(128) iterated(Result out, int tiles) {
    ACCUMULATOR;
    Iterator a{make_smem_desc(smem, 16, 512, MIDDLE)};
    Iterator b{make_smem_desc(smem + 32768, 16, 256, NARROW)};
    for (int tile = 0; tile < tiles; ++tile) {
        BEGIN();
        MULTIPLY(d, *a, *b);
        MULTIPLY(d, *(a + 2), *(b + 2));
        a += 256;
        b += 256;
    }
    END(out, d);
}

// Kept in words, chosen, and given on to a function that multiplies.
extern "C" __global__ void __launch_bounds__(128) given_on(Result out, int leading) {
    ACCUMULATOR;
    MatrixDescriptor pair[2];
    pair[0] = make_smem_desc(smem, 128, 256, NONE);
    pair[1] = make_smem_desc(smem + 4096, leading, 256, NONE);
    BEGIN();
    MULTIPLY(d, pair[0].whole, pair[1].whole);
    MULTIPLY(d, pair[leading > 128].whole, make_smem_desc(smem + 8192, 128, 256, NONE).whole);
    multiply(d, pair[0].whole, pair[0].whole);
    END(out, d);
}
