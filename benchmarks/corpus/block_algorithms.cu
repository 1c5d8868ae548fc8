// Algorithms of CUB for blocks and warps: sorts, scans, histograms, exchanges, loads and stores in all arrangements.
// Makes nvcc emit: shared memory behind unions, long unrolled exchanges, shfl with predicates, match, packed counters, wide loads.
// targets: sm_86 sm_90 sm_103a sm_120a
#include <cuda/functional>
#include <cuda/std/functional>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

template <class T, int ITEMS> __device__ void sort_block(const T *in, T *out) {
    using Load = cub::BlockLoad<T, 128, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<T, 128, ITEMS>;
    using Store = cub::BlockStore<T, 128, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union { typename Load::TempStorage load; typename Sort::TempStorage sort; typename Store::TempStorage store; } temp;
    T items[ITEMS];
    Load(temp.load).Load(in, items);
    __syncthreads();
    Sort(temp.sort).SortDescending(items);
    __syncthreads();
    Store(temp.store).Store(out, items);
}
__global__ void sort_floats(const float *in, float *out) { sort_block<float, 4>(in, out); }
__global__ void sort_bytes(const unsigned char *in, unsigned char *out) { sort_block<unsigned char, 8>(in, out); }
__global__ void sort_wide(const long long *in, long long *out) { sort_block<long long, 2>(in, out); }

template <cub::BlockScanAlgorithm A> __device__ void scan_block(int *data) {
    using Scan = cub::BlockScan<int, 256, A>;
    __shared__ typename Scan::TempStorage temp;
    int items[3], total;
    for (int i = 0; i < 3; ++i) items[i] = data[threadIdx.x * 3 + i];
    Scan(temp).ExclusiveSum(items, items, total);
    __syncthreads();
    Scan(temp).InclusiveScan(items, items, cuda::maximum<>());
    for (int i = 0; i < 3; ++i) data[threadIdx.x * 3 + i] = items[i] + total;
}
__global__ void scan_raking(int *data) { scan_block<cub::BLOCK_SCAN_RAKING>(data); }
__global__ void scan_warps(int *data) { scan_block<cub::BLOCK_SCAN_WARP_SCANS>(data); }

__global__ void reductions(const double *in, double *out) {
    using Reduce = cub::BlockReduce<double, 128>;
    using Commutative = cub::BlockReduce<double, 128, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>;
    __shared__ union { Reduce::TempStorage a; Commutative::TempStorage b; } temp;
    double sum = Reduce(temp.a).Sum(in[threadIdx.x]);
    __syncthreads();
    double other = Commutative(temp.b).Sum(in[threadIdx.x] * 2);
    if (threadIdx.x == 0) out[blockIdx.x] = sum + other;
}

__global__ void histogram(const unsigned char *in, unsigned *out) {
    using Histogram = cub::BlockHistogram<unsigned char, 128, 4, 256, cub::BLOCK_HISTO_SORT>;
    __shared__ Histogram::TempStorage temp;
    __shared__ unsigned bins[256];
    unsigned char items[4];
    for (int i = 0; i < 4; ++i) items[i] = in[threadIdx.x * 4 + i];
    Histogram(temp).Histogram(items, bins);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

struct Less { __device__ bool operator()(float a, float b) const { return a < b; } };
__global__ void merges(float *keys, int *values) {
    using Sort = cub::BlockMergeSort<float, 128, 4, int>;
    using WarpSort = cub::WarpMergeSort<float, 4, 32>;
    __shared__ union { Sort::TempStorage block; WarpSort::TempStorage warps[4]; } temp;
    float k[4]; int v[4];
    for (int i = 0; i < 4; ++i) k[i] = keys[threadIdx.x * 4 + i], v[i] = values[threadIdx.x * 4 + i];
    Sort(temp.block).StableSort(k, v, Less());
    __syncthreads();
    WarpSort(temp.warps[threadIdx.x / 32]).Sort(k, Less());
    for (int i = 0; i < 4; ++i) keys[threadIdx.x * 4 + i] = k[i], values[threadIdx.x * 4 + i] = v[i];
}

__global__ void neighbours(int *data, int *flags) {
    using Flags = cub::BlockDiscontinuity<int, 128>;
    using Difference = cub::BlockAdjacentDifference<int, 128>;
    using Shuffle = cub::BlockShuffle<int, 128>;
    using Exchange = cub::BlockExchange<int, 128, 4>;
    __shared__ union { Flags::TempStorage a; Difference::TempStorage b; Shuffle::TempStorage c; Exchange::TempStorage d; } temp;
    int items[4], heads[4], differences[4];
    for (int i = 0; i < 4; ++i) items[i] = data[threadIdx.x + i * 128];
    Exchange(temp.d).StripedToBlocked(items, items);
    __syncthreads();
    Flags(temp.a).FlagHeads(heads, items, cuda::std::not_equal_to<>());
    __syncthreads();
    Difference(temp.b).SubtractLeft(items, differences, cuda::std::minus<>());
    __syncthreads();
    Shuffle(temp.c).Up(items, items);
    for (int i = 0; i < 4; ++i) data[threadIdx.x + i * 128] = items[i] + differences[i], flags[threadIdx.x * 4 + i] = heads[i];
}

__global__ void warps(int *data, float *more) {
    using Reduce = cub::WarpReduce<int>;
    using Narrow = cub::WarpReduce<float, 8>;
    using Scan = cub::WarpScan<float>;
    __shared__ union { Reduce::TempStorage a[4]; Narrow::TempStorage b[16]; Scan::TempStorage c[4]; } temp;
    int sum = Reduce(temp.a[threadIdx.x / 32]).HeadSegmentedSum(data[threadIdx.x], threadIdx.x % 5 == 0);
    __syncthreads();
    float best = Narrow(temp.b[threadIdx.x / 8]).Reduce(more[threadIdx.x], cuda::maximum<>());
    __syncthreads();
    float in, ex;
    Scan(temp.c[threadIdx.x / 32]).Scan(more[threadIdx.x], in, ex, cuda::std::plus<>());
    data[threadIdx.x] = sum;
    more[threadIdx.x] = best + in - ex;
}
