// Cooperative groups: tiles, partitions, coalesced threads, grids; sums over them.
// least: sm_75
// type = int float unsigned double
// lanes = 2 4 8 16 32
// use: template __global__ void tiled<{type}, {lanes}>(const {type} *, {type} *);
// use: template __global__ void split<{type}, {lanes}>(const {type} *, {type} *, int);
// use: template __global__ void whole_grid<{type}, {lanes}>({type} *, int);
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace groups = cooperative_groups;

template <class T, int Lanes>
__global__ void tiled(const T *from, T *to) {
    auto tile = groups::tiled_partition<Lanes>(groups::this_thread_block());
    const T value = from[tile.meta_group_rank() * Lanes + tile.thread_rank()];
    const T sum = groups::reduce(tile, value, groups::plus<T>()), before = groups::exclusive_scan(tile, value);
    if (tile.any(value > sum)) to[tile.thread_rank()] = tile.shfl_xor(before, 1);
    tile.sync();
    to[tile.thread_rank() + Lanes] = groups::reduce(tile, value, groups::less<T>());
}

template <class T, int Least>
__global__ void split(const T *from, T *to, int count) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count && from[at] > T(Least)) {
        auto together = groups::coalesced_threads();
        T base = T(0);
        if (together.thread_rank() == 0) base = to[0] + T(together.size());
        to[at] = together.shfl(base, 0) + T(together.thread_rank());
    }
    auto half = groups::tiled_partition(groups::this_thread_block(), Least);
    half.sync();
}

template <class T, int Steps>
__global__ void whole_grid(T *data, int count) {
    auto grid = groups::this_grid();
    for (int step = 0; step < Steps; ++step) {
        for (unsigned long long at = grid.thread_rank(); at < count; at += grid.size()) data[at] = data[(at + step) % count] + T(1);
        grid.sync();
    }
}
