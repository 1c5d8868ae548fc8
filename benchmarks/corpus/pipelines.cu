// Asynchronous barriers and pipelines of libcu++.
// Makes nvcc emit: mbarrier operations, cp.async with barriers, try_wait loops with labels, shared objects with constructors.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void with_barriers(const float *from, float *to, int rounds) {
    __shared__ float stage[256];
    __shared__ Barrier full, empty;
    if (threadIdx.x == 0) {
        init(&full, blockDim.x);
        init(&empty, blockDim.x);
    }
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        cuda::memcpy_async(stage + threadIdx.x, from + round * 256 + threadIdx.x, sizeof(float), full);
        full.arrive_and_wait();
        to[round * 256 + threadIdx.x] = 2 * stage[255 - threadIdx.x];
        Barrier::arrival_token token = empty.arrive();
        empty.wait(static_cast<Barrier::arrival_token &&>(token));
    }
    if (rounds & 1)
        empty.arrive_and_drop();
}

__global__ void with_stages(const int4 *from, int4 *to, int rounds) {
    constexpr int depth = 3;
    __shared__ int4 stage[depth][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state);
    for (int fetched = 0, done = 0; done < rounds; ++done) {
        for (; fetched < rounds && fetched < done + depth; ++fetched) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&stage[fetched % depth][threadIdx.x], from + fetched * 128 + threadIdx.x, cuda::aligned_size_t<16>(16), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        to[done * 128 + threadIdx.x] = stage[done % depth][threadIdx.x ^ 1];
        pipeline.consumer_release();
    }
}
