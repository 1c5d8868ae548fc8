// Asynchronous copies and barriers with phases, written in PTX within CUDA; reductions of a warp in one instruction.
// least: sm_80
// stages = 2 3 4 5
// bytes = 4 8 16
// use: template __global__ void staged<{stages}, {bytes}>(const char *, char *, int);
// use: template __global__ void phased<{stages}>(const float *, float *, int);
// use: template __global__ void named_barriers<{stages}>(float *, int);
// use: template __global__ void warp_sums<{stages}>(const int *, int *);

__device__ __forceinline__ unsigned shared_address(const void *at) { return (unsigned)__cvta_generic_to_shared(at); }

template <int Stages, int Bytes>
__global__ void staged(const char *from, char *to, int rounds) {
    __shared__ __align__(16) char buffer[Stages][128 * Bytes];
    for (int round = 0; round < rounds + Stages; ++round) {
        if (round < rounds)
            asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" ::"r"(shared_address(&buffer[round % Stages][threadIdx.x * Bytes])),
                         "l"(from + (round * 128 + threadIdx.x) * Bytes), "n"(Bytes) : "memory");
        asm volatile("cp.async.commit_group;\n\tcp.async.wait_group %0;" ::"n"(Stages - 1) : "memory");
        __syncthreads();
#pragma unroll
        for (int byte = 0; byte < Bytes; ++byte) to[threadIdx.x * Bytes + byte] += buffer[(round + 1) % Stages][threadIdx.x * Bytes + byte];
    }
}

template <int Stages>
__global__ void phased(const float *from, float *to, int rounds) {
    __shared__ __align__(8) unsigned long long barriers[Stages];
    __shared__ float buffer[Stages][128];
    if (threadIdx.x == 0)
        for (int stage = 0; stage < Stages; ++stage) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barriers + stage)), "r"(128));
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        const unsigned barrier = shared_address(barriers + round % Stages);
        unsigned long long state;
        unsigned done = 0;
        buffer[round % Stages][threadIdx.x] = from[round * 128 + threadIdx.x];
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
        while (!done)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(barrier), "l"(state) : "memory");
        to[threadIdx.x] += buffer[round % Stages][127 - threadIdx.x];
    }
}

template <int Halves>
__global__ void named_barriers(float *data, int rounds) {
    __shared__ float exchange[256];
    for (int round = 0; round < rounds; ++round) {
        if (threadIdx.x < 128) {
            exchange[threadIdx.x] = data[threadIdx.x] * Halves;
            asm volatile("bar.arrive %0, 256;" ::"n"(Halves) : "memory");
        } else {
            asm volatile("bar.sync %0, 256;" ::"n"(Halves) : "memory");
            data[threadIdx.x] = exchange[threadIdx.x - 128];
        }
        asm volatile("barrier.cta.sync %0;" ::"n"(Halves + 1) : "memory");
    }
}

template <int Each>
__global__ void warp_sums(const int *from, int *to) {
#pragma unroll
    for (int item = 0; item < Each; ++item) {
        const int value = from[threadIdx.x * Each + item];
        to[item] = __reduce_add_sync(~0u, value) + __reduce_max_sync(~0u, value);
        to[item + 8] = __reduce_or_sync(0xffffu, (unsigned)value) ^ __reduce_xor_sync(~0u, (unsigned)value);
    }
}
