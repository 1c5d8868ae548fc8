// Algorithms of the library that comes with CUDA (CUB): long code, much of it inlined.
// least: sm_75
// type = int float double unsigned
// threads = 64 128 256
// items = 2 3 4 5 7
// use: template __global__ void library_sort<{type}, {threads}, {items}>({type} *);
// use: template __global__ void library_scan<{type}, {threads}, {items}>({type} *);
// use: template __global__ void library_reduce<{type}, {threads}, {items}>(const {type} *, {type} *);
// use: template __global__ void library_histogram<{threads}, {items}>(const unsigned char *, unsigned *);
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

template <class T, int Threads, int Items>
__global__ void library_sort(T *data) {
    typedef cub::BlockRadixSort<T, Threads, Items> Sort;
    __shared__ typename Sort::TempStorage storage;
    T held[Items];
    cub::LoadDirectBlocked(threadIdx.x, data, held);
    Sort(storage).Sort(held);
    for (int item = 0; item < Items; ++item) data[threadIdx.x * Items + item] = held[item];
}

template <class T, int Threads, int Items>
__global__ void library_scan(T *data) {
    typedef cub::BlockScan<T, Threads> Scan;
    __shared__ typename Scan::TempStorage storage;
    T held[Items];
    cub::LoadDirectStriped<Threads>(threadIdx.x, data, held);
    Scan(storage).InclusiveSum(held, held);
    for (int item = 0; item < Items; ++item) data[threadIdx.x * Items + item] = held[item];
}

template <class T, int Threads, int Items>
__global__ void library_reduce(const T *from, T *to) {
    typedef cub::BlockReduce<T, Threads> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    T held[Items];
    cub::LoadDirectBlocked(threadIdx.x, from, held);
    const T sum = Reduce(storage).Sum(held);
    if (threadIdx.x == 0) to[blockIdx.x] = sum;
}

template <int Threads, int Items>
__global__ void library_histogram(const unsigned char *from, unsigned *to) {
    typedef cub::BlockHistogram<unsigned char, Threads, Items, 256> Histogram;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ unsigned bins[256];
    unsigned char held[Items];
    cub::LoadDirectBlocked(threadIdx.x, from, held);
    Histogram(storage).Histogram(held, bins);
    __syncthreads();
    to[threadIdx.x] = bins[threadIdx.x];
}
