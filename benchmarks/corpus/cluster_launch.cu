// Clusters, grids and distributed shared memory through cooperative groups, with launch bounds of all kinds.
// Makes nvcc emit: cluster directives, cluster barriers, mapa, cvta of shared memory, grid barriers, labeled partitions, minctas.
// targets: sm_90 sm_100 sm_120
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(256, 2) exchange(int *data) {
    __shared__ int box[256];
    auto cluster = cg::this_cluster();
    box[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
    cluster.sync();
    int *far = cluster.map_shared_rank(box, (cluster.block_rank() + 1) % cluster.num_blocks());
    data[blockIdx.x * 256 + threadIdx.x] = far[threadIdx.x] + cluster.thread_rank() + cluster.dim_blocks().x;
    cluster.barrier_arrive();
    atomicAdd(&far[0], 3);
    cluster.barrier_wait();
}

__global__ void __launch_bounds__(128, 1, 8) grids(float *data, int n) {
    auto grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.num_threads()) data[i] *= 2;
    grid.sync();
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    float x = cg::reduce(tile, data[block.thread_rank()], cg::plus<float>());
    x += cg::inclusive_scan(tile, data[block.thread_rank()]);
    x += cg::exclusive_scan(tile, (int)x, cg::bit_xor<int>());
    auto active = cg::coalesced_threads();
    if (threadIdx.x % 3 == 0) {
        auto some = cg::coalesced_threads();
        x += some.shfl(x, 0) + cg::reduce(some, (int)x, cg::less<int>());
    }
    auto binary = cg::binary_partition(active, threadIdx.x & 1);
    auto labeled = cg::labeled_partition(active, threadIdx.x / 5);
    data[grid.thread_rank()] = x + binary.size() + labeled.meta_group_rank() + tile.any(x > 3) + tile.match_any((int)x);
}

__global__ void __maxnreg__(48) copies(const int4 *in, int4 *out) {
    extern __shared__ int4 tile[];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int4) * block.size());
    cg::wait(block);
    out[block.thread_rank()] = tile[block.thread_rank()];
    cg::invoke_one(block, [&] { out[0].x = 5; });
}
