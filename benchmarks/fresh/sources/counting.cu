// Atomics of all kinds and scopes, histograms, locks, votes.
// least: sm_75
// type = int unsigned float double
// bins = 16 32 64 100
// each = 1 2 3 4 8
// use: template __global__ void histogram<{type}, {bins}, {each}>(const unsigned char *, {type} *, int);
// use: template __global__ void all_kinds<{each}>(int *, unsigned *, unsigned long long *, float *, double *);
// use: template __global__ void scopes<{each}>(int *, unsigned long long *);
// use: template __global__ void locked<{type}, {each}>(int *, {type} *);
// use: template __global__ void votes<{each}>(const int *, unsigned *);

template <class T, int Bins, int Each>
__global__ void histogram(const unsigned char *from, T *to, int count) {
    __shared__ T bins[Each][Bins];
    for (int at = threadIdx.x; at < Bins * Each; at += blockDim.x) (&bins[0][0])[at] = 0;
    __syncthreads();
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += gridDim.x * blockDim.x) atomicAdd(&bins[threadIdx.x % Each][from[at] % Bins], T(1));
    __syncthreads();
    for (int at = threadIdx.x; at < Bins; at += blockDim.x) {
        T sum = 0;
#pragma unroll
        for (int copy = 0; copy < Each; ++copy) sum += bins[copy][at];
        atomicAdd(to + at, sum);
    }
}

template <int Each>
__global__ void all_kinds(int *ints, unsigned *words, unsigned long long *longs, float *floats, double *doubles) {
#pragma unroll
    for (int at = 0; at < Each; ++at) {
        ints[at] += atomicMax(ints + at + 8, threadIdx.x) + atomicSub(ints + at + 16, 3) + atomicExch(ints + at + 24, at);
        words[at] += atomicInc(words + at + 8, 100) + atomicDec(words + at + 16, 50) + atomicXor(words + at + 24, 0xff) + atomicAnd(words + at + 32, 7);
        longs[at] += atomicOr(longs + at + 8, 1ull << at) + atomicMin(longs + at + 16, 1000ull) + atomicCAS(longs + at + 24, 5ull, 6ull);
        floats[at] += atomicAdd(floats + at + 8, 0.5f) + atomicExch(floats + at + 16, 1.0f);
        doubles[at] += atomicAdd(doubles + at + 8, 0.25);
    }
}

template <int Each>
__global__ void scopes(int *ints, unsigned long long *longs) {
#pragma unroll
    for (int at = 0; at < Each; ++at) {
        atomicAdd_block(ints + at, 1), atomicAdd_system(ints + at + 8, 2);
        atomicMax_block(longs + at, 3ull), atomicCAS_system(longs + at + 8, 4ull, 5ull);
        __threadfence_block(), __threadfence(), __threadfence_system();
        int seen;
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(ints + at) : "memory");
        asm volatile("st.release.sys.global.s32 [%0], %1;" ::"l"(ints + at + 1), "r"(seen) : "memory");
    }
}

template <class T, int Each>
__global__ void locked(int *lock, T *value) {
    for (int turn = 0; turn < Each; ++turn) {
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                *(volatile T *)value = *(volatile T *)value * 2 + turn;
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
        }
    }
}

template <int Each>
__global__ void votes(const int *from, unsigned *to) {
#pragma unroll
    for (int at = 0; at < Each; ++at) {
        const int value = from[threadIdx.x * Each + at];
        unsigned word = __match_any_sync(~0u, value);
        if (__any_sync(~0u, value > at)) word ^= __ballot_sync(0xffff, value & 1);
        if (__all_sync(~0u, value < 1000)) word += __fns(word, 0, 2);
        to[threadIdx.x] = word;
        __syncwarp();
    }
    to[0] = __syncthreads_count(to[1]) + __syncthreads_or(to[2]) + __syncthreads_and(to[3]);
}
