// <cuda/ptx>: each instruction as a function, as people use them now instead of asm.
// Makes nvcc emit: inline asm blocks with one instruction each: bulk copies, mbarriers, fences, cluster ranks, special registers.
// targets: sm_90 sm_100 sm_100a sm_103a sm_120a
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void barriers(int *out) {
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 32);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    __syncthreads();
    auto token = ptx::mbarrier_arrive(&bar);
    while (!ptx::mbarrier_try_wait(&bar, token)) {}
    auto second = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 16);
    while (!ptx::mbarrier_try_wait_parity(&bar, 0, 1000)) {}
    while (!ptx::mbarrier_test_wait(&bar, second)) {}
    ptx::mbarrier_arrive_no_complete(&bar, 2);
    out[threadIdx.x] = ptx::get_sreg_laneid() + ptx::get_sreg_cluster_ctarank() + ptx::get_sreg_smid() + ptx::get_sreg_lanemask_le();
    out[threadIdx.x] += (int)ptx::get_sreg_globaltimer() + ptx::get_sreg_clock() + ptx::get_sreg_nclusterid_x() + ptx::get_sreg_warpid();
}

__global__ void bulk(float *global, const float *source) {
    __shared__ alignas(128) float tile[1024];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, source, 4096, &bar);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 4096);
        while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {}
        tile[0] += 1;
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, global, tile, 4096);
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, (int *)global, (const int *)tile, 1024);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

__global__ void clusters(int *out) {
    __shared__ int mine;
    __shared__ uint64_t bar;
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
    int *theirs = static_cast<int *>(__cluster_map_shared_rank(&mine, 1));
    uint64_t *their_bar = static_cast<uint64_t *>(__cluster_map_shared_rank(&bar, 1));
    ptx::st_async(theirs, 4, their_bar);
    ptx::red_async(ptx::op_add, theirs, 5, their_bar);
    ptx::fence(ptx::sem_sc, ptx::scope_cluster);
    ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu);
    out[threadIdx.x] = mine + ptx::getctarank(ptx::space_cluster, theirs);
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void tensor_map(const void *map, int *out) {
    __shared__ alignas(128) char buffer[1024];
    __shared__ uint64_t bar;
    int32_t at[2] = {0, 1};
    int32_t three[3] = {0, 1, 2};
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, buffer, map, at, &bar);
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, three, buffer);
        ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_max, map, at, buffer);
        ptx::cp_async_bulk_commit_group();
    }
    out[0] = buffer[threadIdx.x];
}
