// Sums, maxima and positions of maxima: per warp, per block, through a tree in shared memory.
// least: sm_75
// type = float double int unsigned long
// threads = 32 64 96 128 192 256 512
// each = 1 2 3 4 6 8 12
// use: template __global__ void sum_tree<{type}, {threads}, {each}>(const {type} *, {type} *, int);
// use: template __global__ void position_of_largest<{type}, {each}>(const {type} *, int *, int, {type});
// use: template __global__ void moments<{type}, {threads}, {each}>(const {type} *, double *, int);

template <class T, int Threads, int Each>
__global__ void sum_tree(const T *from, T *to, int count) {
    __shared__ T partial[Threads];
    T sum = 0;
#pragma unroll
    for (int step = 0; step < Each; ++step) {
        const int at = (blockIdx.x * Each + step) * Threads + threadIdx.x;
        if (at < count) sum += from[at] * from[at];
    }
    partial[threadIdx.x] = sum;
    for (int width = Threads / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
    }
    if (threadIdx.x == 0) to[blockIdx.x] = partial[0];
}

template <class T, int Each>
__global__ void position_of_largest(const T *from, int *to, int count, T floor) {
    T best = floor;
    int where = -1;
    for (int at = threadIdx.x; at < count; at += blockDim.x * Each)
#pragma unroll
        for (int step = 0; step < Each; ++step)
            if (at + step * 32 < count && from[at + step * 32] > best) best = from[where = at + step * 32];
    for (int offset = 16; offset; offset >>= 1) {
        const T other = __shfl_down_sync(~0u, best, offset);
        const int place = __shfl_down_sync(~0u, where, offset);
        if (other > best || (other == best && place < where)) best = other, where = place;
    }
    if (threadIdx.x % 32 == 0) atomicMax(to, where);
}

template <class T, int Threads, int Each>
__global__ void __launch_bounds__(Threads) moments(const T *from, double *to, int count) {
    double power[Each + 1] = {};
    for (int at = blockIdx.x * Threads + threadIdx.x; at < count; at += gridDim.x * Threads) {
        double value = 1;
#pragma unroll
        for (int order = 0; order <= Each; ++order) power[order] += value, value *= (double)from[at];
    }
#pragma unroll
    for (int order = 0; order <= Each; ++order) atomicAdd(to + order, power[order]);
}
