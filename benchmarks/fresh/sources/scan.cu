// Running sums and compaction, with shuffles, ballots and a chain of blocks that look at those before them.
// least: sm_75
// type = int float double unsigned
// width = 4 8 16 32
// items = 2 3 4 5 7 8 9
// use: template __global__ void inclusive<{type}, {width}, {items}>(const {type} *, {type} *, int);
// use: template __global__ void compact<{type}, {items}>(const {type} *, {type} *, int *, {type}, int);
// use: template __global__ void chained<{type}, {items}>(const {type} *, {type} *, volatile {type} *, volatile int *);

template <class T, int Width, int Items>
__global__ void inclusive(const T *from, T *to, int count) {
    T values[Items];
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * Items;
#pragma unroll
    for (int item = 0; item < Items; ++item) values[item] = begin + item < count ? from[begin + item] : T(0);
#pragma unroll
    for (int item = 1; item < Items; ++item) values[item] += values[item - 1];
    T before = values[Items - 1];
#pragma unroll
    for (int offset = 1; offset < Width; offset *= 2) {
        const T other = __shfl_up_sync(0xffffffff, before, offset, Width);
        if (threadIdx.x % Width >= offset) before += other;
    }
    before -= values[Items - 1];
#pragma unroll
    for (int item = 0; item < Items; ++item)
        if (begin + item < count) to[begin + item] = before + values[item];
}

template <class T, int Items>
__global__ void compact(const T *from, T *to, int *length, T least, int count) {
    for (int item = 0; item < Items; ++item) {
        const int at = (blockIdx.x * Items + item) * blockDim.x + threadIdx.x;
        const bool taken = at < count && from[at] >= least;
        const unsigned chosen = __ballot_sync(~0u, taken);
        int base = 0;
        if (threadIdx.x % 32 == 0) base = atomicAdd(length, __popc(chosen));
        base = __shfl_sync(~0u, base, 0);
        if (taken) to[base + __popc(chosen & ((1u << threadIdx.x % 32) - 1))] = from[at];
    }
}

template <class T, int Items>
__global__ void chained(const T *from, T *to, volatile T *sums, volatile int *ready) {
    __shared__ T carry;
    T sum = 0;
    for (int item = 0; item < Items; ++item) sum += from[(blockIdx.x * Items + item) * blockDim.x + threadIdx.x];
    if (threadIdx.x == 0) {
        while (blockIdx.x && !ready[blockIdx.x - 1]) __nanosleep(20);
        carry = blockIdx.x ? sums[blockIdx.x - 1] : T(0);
        sums[blockIdx.x] = carry + sum;
        __threadfence();
        ready[blockIdx.x] = 1;
    }
    __syncthreads();
    to[blockIdx.x * blockDim.x + threadIdx.x] = carry + sum;
}
