// Fifth-generation tensor cores (tcgen05) with their own memory, and other news of Blackwell, as inline PTX.
// Makes nvcc emit: tcgen05.alloc/.mma/.ld/.st/.cp/.commit/.fence, clusterlaunchcontrol, pairs of floats, tensormap.replace.
// targets: sm_100a

#include <cstdint>

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__global__ void __launch_bounds__(128) products(std::uint64_t a, std::uint64_t b, unsigned instruction, unsigned *out) {
    __shared__ unsigned slot;
    __shared__ std::uint64_t barrier;
    const unsigned full = shared_address(&barrier);
    if (threadIdx.x < 32) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 256;" ::"r"(shared_address(&slot)) : "memory");
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    }
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
    __syncthreads();
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    const unsigned memory = slot;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full));
        asm volatile("{\n"
                     "    .reg .pred accumulate;\n"
                     "    setp.ne.u32 accumulate, %4, 0;\n"
                     "    tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, accumulate;\n"
                     "    tcgen05.mma.cta_group::1.kind::tf32 [%0], %1, %2, %3, {%5, %5, %5, %5}, accumulate;\n"
                     "    tcgen05.mma.cta_group::1.kind::f8f6f4 [%0], [%0 + 64], %2, %3, accumulate;\n"
                     "    tcgen05.mma.cta_group::1.kind::i8 [%0], %1, %2, %3, accumulate;\n"
                     "    tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%0], %1, %2, %3, [%6], [%6 + 4], accumulate;\n"
                     "    tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::fill [%0], %1, %2, %3, accumulate;\n"
                     "    tcgen05.mma.sp.cta_group::1.kind::f16 [%0], %1, %2, [%6], %3, accumulate;\n"
                     "}" ::"r"(memory), "l"(a), "l"(b), "r"(instruction), "r"(out[0]), "r"(0), "r"(memory + 128) : "memory");
        asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(full) : "memory");
        asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" ::"r"(memory), "l"(a) : "memory");
        asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(memory + 8), "l"(b) : "memory");
        asm volatile("tcgen05.shift.cta_group::1.down [%0];" ::"r"(memory) : "memory");
    }
    unsigned r[8];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "r"(memory));
    asm volatile("tcgen05.ld.sync.aligned.16x256b.x1.pack::16b.b32 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(memory + 32));
    asm volatile("tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%0, %1}, [%2], 16;" : "=r"(r[4]), "=r"(r[5]) : "r"(memory));
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    asm volatile("tcgen05.st.sync.aligned.16x64b.x2.unpack::16b.b32 [%0], {%1, %2};" ::"r"(memory), "r"(r[0]), "r"(r[1]) : "memory");
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
    for (int i = 0; i < 8; ++i)
        out[threadIdx.x * 8 + i] = r[i];
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 256;" ::"r"(memory));
}

// Blocks that ask for the work of blocks not yet started.
__global__ void stolen_work(unsigned *out) {
    __shared__ uint4 response;
    __shared__ std::uint64_t barrier;
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];"
                 ::"r"(shared_address(&response)), "r"(shared_address(&barrier)) : "memory");
    asm volatile("{\n"
                 "    .reg .pred canceled;\n"
                 "    .reg .b128 answer;\n"
                 "    ld.shared.b128 answer, [%4];\n"
                 "    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 canceled, answer;\n"
                 "    selp.u32 %3, 1, 0, canceled;\n"
                 "    @canceled clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%0, %1, %2, _}, answer;\n"
                 "}" : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3]) : "r"(shared_address(&response)) : "memory");
}

// Two floats at a time, three operands at a time, and packed conversions.
__global__ void pairs(unsigned long long *two, float *f, unsigned *u) {
    asm("fma.rn.f32x2 %0, %1, %2, %3;" : "=l"(two[3]) : "l"(two[0]), "l"(two[1]), "l"(two[2]));
    asm("add.rz.ftz.f32x2 %0, %1, %2;" : "=l"(two[4]) : "l"(two[0]), "l"(two[1]));
    asm("max.f32 %0, %1, %2, %3;" : "=f"(f[3]) : "f"(f[0]), "f"(f[1]), "f"(f[2]));
    asm("{ .reg .b8 byte; cvt.rn.satfinite.e2m1x2.f32 byte, %1, %2; mov.b32 %0, {byte, byte, byte, byte}; }" : "=r"(u[0]) : "f"(f[0]), "f"(f[1]));
    asm("redux.sync.max.abs.NaN.f32 %0, %1, 0xffffffff;" : "=f"(f[4]) : "f"(f[5]));
}

// A tensor map made on the device.
__global__ void new_map(void *map, const void *data) {
    __shared__ alignas(128) unsigned words[32];
    const std::uint64_t place = __cvta_generic_to_shared(words);
    words[threadIdx.x] = 0;
    __syncwarp();
    if (threadIdx.x == 0) {
        asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"l"(place), "l"(data) : "memory");
        asm volatile("tensormap.replace.tile.rank.shared::cta.b1024.b32 [%0], 1;" ::"l"(place) : "memory");
        asm volatile("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"l"(place), "r"(64) : "memory");
        asm volatile("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%0], 6;" ::"l"(place) : "memory");
    }
    __syncwarp();
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(map), "l"(place) : "memory");
}
