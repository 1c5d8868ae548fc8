// Exchanges between the threads of a warp, a block and a cluster: intrinsics and cooperative groups.
// Makes nvcc emit: shfl, vote, match, redux, activemask, bar with counts and reductions, lane masks, cluster barriers, mapa.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void shuffles(int *values, double *wide) {
    const unsigned all = 0xffffffffu;
    int x = values[threadIdx.x];
    x += __shfl_sync(all, x, 3) + __shfl_up_sync(all, x, 1) + __shfl_down_sync(all, x, 2, 16) + __shfl_xor_sync(all, x, 16);
    wide[threadIdx.x] = __shfl_xor_sync(all, wide[threadIdx.x], 8) + __shfl_up_sync(all, wide[threadIdx.x], x & 7);
    values[threadIdx.x] = x;
}

__global__ void votes(int *values, unsigned long long *wide) {
    const int x = values[threadIdx.x];
    int all_same;
    unsigned mask = __activemask();
    mask = __ballot_sync(mask, x > 3) ^ __match_any_sync(mask, x) ^ __match_all_sync(mask, x, &all_same) ^ __match_any_sync(mask, wide[0]);
    values[threadIdx.x] = __any_sync(mask, x < 9) + __all_sync(mask, x < 10) + __uni_sync(mask, x & 1) + all_same + __popc(mask) + __ffs(mask);
    __syncwarp(mask);
#if __CUDA_ARCH__ >= 800
    values[threadIdx.x] += __reduce_add_sync(mask, x) + __reduce_min_sync(mask, x) + __reduce_max_sync(mask, static_cast<unsigned>(x)) + __reduce_and_sync(mask, x) + __reduce_or_sync(mask, x) + __reduce_xor_sync(mask, x);
#endif
}

__global__ void barriers(int *values) {
    const int x = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = __syncthreads_count(x > 1) + __syncthreads_and(x > 2) + __syncthreads_or(x > 3);
    asm volatile("bar.sync 3, 64;");
    asm volatile("bar.arrive 4, %0;" ::"r"(64));
    asm volatile("barrier.cta.red.popc.aligned.u32 %0, 5, %1;" : "=r"(values[threadIdx.x]) : "n"(32));
}

__global__ void special_registers(unsigned *out, unsigned long long *wide) {
#define READ(place, name) asm volatile("mov.u32 %0, %%" name ";" : "=r"(out[place]))
    READ(0, "laneid");
    READ(1, "warpid");
    READ(2, "nwarpid");
    READ(3, "smid");
    READ(4, "nsmid");
    READ(5, "lanemask_eq");
    READ(6, "lanemask_le");
    READ(7, "lanemask_lt");
    READ(8, "lanemask_ge");
    READ(9, "lanemask_gt");
    READ(10, "clock");
    READ(11, "globaltimer_lo");
    READ(12, "total_smem_size");
    READ(13, "dynamic_smem_size");
    READ(14, "nctaid.y");
    READ(15, "tid.z");
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(wide[0]));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(wide[1]));
}

__global__ void groups(int *values, float *reals) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
    const cg::coalesced_group active = cg::coalesced_threads();
    int x = values[block.thread_rank()];
    x = cg::reduce(warp, x, cg::plus<int>()) + cg::reduce(eight, x, cg::less<int>()) + cg::inclusive_scan(eight, x) + active.shfl(x, 0);
    reals[block.thread_rank()] = cg::reduce(warp, reals[block.thread_rank()], cg::greater<float>()) + eight.shfl_down(1.5f, 2);
    const auto odd = cg::binary_partition(warp, x & 1);
    values[block.thread_rank()] = odd.size() + odd.any(x > 7) + warp.match_any(x) + warp.ballot(x > 2);
    cg::sync(block);
    warp.sync();
}

__global__ void whole_grid(int *values) {
    const cg::grid_group grid = cg::this_grid();
    values[grid.thread_rank()] = grid.size();
    grid.sync();
    values[grid.thread_rank()] += values[(grid.thread_rank() + 1) % grid.size()];
}

__global__ void copied_together(const int4 *from, int4 *to) {
    __shared__ int4 stage[128];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, stage, from + blockIdx.x * 128, sizeof stage);
    cg::wait(block);
    to[blockIdx.x * 128 + threadIdx.x] = stage[127 - threadIdx.x];
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(4, 1, 1) across_a_cluster(int *values) {
    __shared__ int mine[64];
    const cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = values[threadIdx.x] + cluster.block_rank() + cluster.num_blocks();
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(mine, (cluster.block_rank() + 1) % 4);
    values[blockIdx.x * 64 + threadIdx.x] = theirs[threadIdx.x] + cluster.query_shared_rank(theirs);
    cluster.barrier_arrive();
    cluster.barrier_wait();
}
#endif
