// Matrix products of warp groups, bulk copies of tensors, clusters: what only sm_90a has.
// exactly: sm_90a
// tiles = 1 2 3 4
// stages = 2 3 4
// use: template __global__ void warp_group<{tiles}, {stages}>(unsigned long long, unsigned long long, float *, int);
// use: template __global__ void tensor_copy<{tiles}, {stages}>(const __grid_constant__ Map, float *, int);
// use: template __global__ void cluster_sum<{tiles}>(const float *, float *);
struct __align__(64) Map { char bytes[128]; };

__device__ __forceinline__ unsigned address_of(const void *at) { return (unsigned)__cvta_generic_to_shared(at); }

template <int Tiles, int Stages>
__global__ void __launch_bounds__(128) warp_group(unsigned long long left, unsigned long long right, float *to, int steps) {
    float sums[Tiles][4] = {};
    for (int step = 0; step < steps; ++step) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int tile = 0; tile < Tiles; ++tile)
            asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %6, 0;\n\twgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 1;\n\t}"
                         : "+f"(sums[tile][0]), "+f"(sums[tile][1]), "+f"(sums[tile][2]), "+f"(sums[tile][3])
                         : "l"(left + tile * 64), "l"(right + step * 2), "r"(step));
        asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned %0;" ::"n"(Stages - 2) : "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int tile = 0; tile < Tiles; ++tile)
        for (int part = 0; part < 4; ++part) to[(tile * 4 + part) * 128 + threadIdx.x] = sums[tile][part];
}

template <int Tiles, int Stages>
__global__ void tensor_copy(const __grid_constant__ Map map, float *to, int rounds) {
    __shared__ __align__(128) float buffer[Stages][256];
    __shared__ __align__(8) unsigned long long full[Stages];
    if (threadIdx.x == 0)
        for (int stage = 0; stage < Stages; ++stage) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(full + stage)));
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        const unsigned barrier = address_of(full + round % Stages);
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(1024) : "memory");
#pragma unroll
            for (int tile = 0; tile < Tiles; ++tile)
                asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(address_of(buffer[round % Stages])),
                             "l"(&map), "r"(round * 16), "r"(tile * 16), "r"(barrier) : "memory");
        }
        unsigned done = 0;
        while (!done)
            asm volatile("{\n\t.reg .pred ready;\n\tmbarrier.try_wait.parity.shared::cta.b64 ready, [%1], %2;\n\tselp.b32 %0, 1, 0, ready;\n\t}"
                         : "=r"(done) : "r"(barrier), "r"(round / Stages & 1) : "memory");
        to[threadIdx.x] += buffer[round % Stages][threadIdx.x];
    }
}

template <int Tiles>
__global__ void __cluster_dims__(2, 1, 1) cluster_sum(const float *from, float *to) {
    __shared__ float sum[Tiles * 32];
    sum[threadIdx.x] = from[blockIdx.x * Tiles * 32 + threadIdx.x];
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    unsigned remote;
    float other;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address_of(sum + threadIdx.x)), "r"(1));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(other) : "r"(remote));
    to[threadIdx.x] = other + sum[threadIdx.x];
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}
