// Sorting: bitonic networks in shared memory, odd-even in registers, merging by bisection, counts of radix digits.
// least: sm_75
// key = int float unsigned long short
// size = 64 128 256 512 1024
// items = 3 4 5 6 7 8 10
// use: template __global__ void bitonic<{key}, {size}>({key} *, int *);
// use: template __global__ void in_registers<{key}, {items}>({key} *);
// use: template __global__ void merge<{key}, {items}>(const {key} *, int, const {key} *, int, {key} *);
// use: template __global__ void digits<{items}>(const unsigned *, int *, int, int);

template <class T, int Size>
__global__ void bitonic(T *keys, int *places) {
    __shared__ T sorted[Size];
    __shared__ int from[Size];
    const int lane = threadIdx.x;
    sorted[lane] = keys[blockIdx.x * Size + lane], from[lane] = lane;
    for (int block = 2; block <= Size; block *= 2)
        for (int step = block / 2; step; step /= 2) {
            __syncthreads();
            const int other = lane ^ step;
            if (other > lane && (sorted[lane] > sorted[other]) == !(lane & block)) {
                const T key = sorted[lane];
                const int place = from[lane];
                sorted[lane] = sorted[other], from[lane] = from[other];
                sorted[other] = key, from[other] = place;
            }
        }
    __syncthreads();
    keys[blockIdx.x * Size + lane] = sorted[lane], places[blockIdx.x * Size + lane] = from[lane];
}

template <class T, int Items>
__global__ void in_registers(T *keys) {
    T held[Items];
    T *mine = keys + (blockIdx.x * blockDim.x + threadIdx.x) * Items;
#pragma unroll
    for (int item = 0; item < Items; ++item) held[item] = mine[item];
#pragma unroll
    for (int pass = 0; pass < Items; ++pass)
#pragma unroll
        for (int item = pass & 1; item + 1 < Items; item += 2)
            if (held[item + 1] < held[item]) {
                const T key = held[item];
                held[item] = held[item + 1], held[item + 1] = key;
            }
#pragma unroll
    for (int item = 0; item < Items; ++item) mine[item] = held[item];
}

template <class T>
__device__ __noinline__ int cut(const T *left, int lefts, const T *right, int rights, int diagonal) {
    int low = max(0, diagonal - rights), high = min(diagonal, lefts);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (left[middle] <= right[diagonal - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    return low;
}

template <class T, int Items>
__global__ void merge(const T *left, int lefts, const T *right, int rights, T *to) {
    const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * Items;
    int a = cut(left, lefts, right, rights, diagonal), b = diagonal - a;
#pragma unroll
    for (int item = 0; item < Items; ++item) {
        const bool take = b >= rights || (a < lefts && left[a] <= right[b]);
        to[diagonal + item] = take ? left[a++] : right[b++];
    }
}

template <int Bits>
__global__ void digits(const unsigned *keys, int *counts, int count, int shift) {
    __shared__ int local[1 << Bits];
    for (int at = threadIdx.x; at < 1 << Bits; at += blockDim.x) local[at] = 0;
    __syncthreads();
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += blockDim.x * gridDim.x)
        atomicAdd(local + (keys[at] >> shift & ((1 << Bits) - 1)), 1);
    __syncthreads();
    for (int at = threadIdx.x; at < 1 << Bits; at += blockDim.x) atomicAdd(counts + at, local[at]);
}
