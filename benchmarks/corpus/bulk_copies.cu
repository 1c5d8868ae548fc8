// The asynchronous machine of Hopper: tensor copies (TMA), transaction barriers, clusters, programmatic launches, as inline PTX.
// Makes nvcc emit: cp.async.bulk and cp.async.bulk.tensor of one to five dimensions, cp.reduce.async.bulk, mbarrier, mapa, fence.proxy, st.async.
// targets: sm_90a sm_100a

#include <cstdint>

struct alignas(64) TensorMap {
    std::uint64_t words[16];
};

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void barrier_init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
    asm volatile("{\n"
                 "    .reg .pred complete;\n"
                 "WAIT:\n"
                 "    mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 complete, [%0], %1, %2;\n"
                 "    @complete bra DONE;\n"
                 "    bra WAIT;\n"
                 "DONE:\n"
                 "}" ::"r"(barrier), "r"(parity), "r"(0x989680) : "memory");
}

__device__ __forceinline__ bool elected() {
    unsigned chosen;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(chosen));
    return chosen;
}

// Tiles of one to five dimensions in, one to five dimensions out.
__global__ void tiles(const __grid_constant__ TensorMap map, int x, int y, int z, int u, int v) {
    extern __shared__ uint4 staged[];
    __shared__ std::uint64_t barrier;
    const unsigned place = shared_address(staged), full = shared_address(&barrier);
    if (threadIdx.x == 0) {
        barrier_init(full, 1);
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
    }
    __syncthreads();
    if (threadIdx.x < 32 && elected()) {
        barrier_expect(full, 5 * 4096);
        asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"
                     ::"r"(place), "l"(&map), "r"(full), "r"(x) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     ::"r"(place + 4096), "l"(&map), "r"(full), "r"(x), "r"(y) : "memory");
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%3, %4, %5}], [%2], %6;"
                     ::"r"(place + 8192), "l"(&map), "r"(full), "r"(x), "r"(y), "r"(z), "l"(0x12f0000000000000ull) : "memory");
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};"
                     ::"r"(place + 12288), "l"(&map), "r"(full), "r"(x), "r"(y), "r"(z), "r"(u), "h"((short)1), "h"((short)2) : "memory");
        asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4, %5, %6, %7}], [%2], %8;"
                     ::"r"(place + 16384), "l"(&map), "r"(full), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v), "h"((short)3) : "memory");
        asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(&map), "r"(x), "r"(y) : "memory");
    }
    barrier_wait(full, 0);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map), "r"(place), "r"(x), "r"(y) : "memory");
        asm volatile("cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(&map), "r"(place), "r"(x), "r"(y), "r"(z) : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// Copies of plain runs of bytes, and sums on the way.
__global__ void runs_of_bytes(const char *from, char *to, unsigned bytes) {
    __shared__ alignas(128) char staged[4096];
    __shared__ std::uint64_t barrier;
    const unsigned place = shared_address(staged), full = shared_address(&barrier);
    barrier_init(full, 1);
    barrier_expect(full, bytes);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place), "l"(from), "r"(bytes), "r"(full) : "memory");
    barrier_wait(full, 0);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(place), "r"(bytes) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to), "r"(place), "r"(bytes) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64 [%0], [%1], %2;" ::"l"(to), "r"(place), "r"(bytes) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%0], [%1], %2;" ::"l"(to), "r"(place), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from + 4096), "r"(bytes));
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

// A cluster in which every block writes into its neighbour and signals there.
__global__ void __cluster_dims__(2, 1, 1) neighbours(unsigned *values) {
    __shared__ unsigned inbox[4];
    __shared__ std::uint64_t barrier;
    unsigned rank, remote_inbox, remote_barrier;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    barrier_init(shared_address(&barrier), 1);
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote_inbox) : "r"(shared_address(inbox)), "r"(rank ^ 1));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote_barrier) : "r"(shared_address(&barrier)), "r"(rank ^ 1));
    barrier_expect(shared_address(&barrier), 16);
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %1, %1, %1}, [%2];"
                 ::"r"(remote_inbox), "r"(values[rank]), "r"(remote_barrier) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0], %1, [%2];"
                 ::"r"(remote_inbox), "r"(9), "r"(remote_barrier) : "memory");
    barrier_wait(shared_address(&barrier), 0);
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote_barrier) : "memory");
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(values[2 + rank]) : "r"(remote_inbox) : "memory");
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;");
    values[4] = inbox[1];
}

// Starts before its predecessor has ended, and lets its successor start early.
__global__ void overlapping(unsigned *values) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    values[threadIdx.x] += 1;
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("fence.proxy.alias;\n\tfence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    asm volatile("{ .reg .b64 state; .reg .pred p; mbarrier.arrive.noComplete.shared.b64 state, [%0], 1; mbarrier.test_wait.shared.b64 p, [%0], state; }"
                 ::"r"(static_cast<unsigned>(threadIdx.x) * 8) : "memory");
}
