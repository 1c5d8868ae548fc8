// Hopper: TMA brings two tiles into shared memory, one warpgroup multiplies them: nvcc -arch=sm_90a -ptx tensor_tile.cu
// D (64x8, f32) = A (64x16, f16) * B (16x8, f16). The shared memory layout is K-major without swizzle.
#include <cstdint>

struct alignas(64) TensorMap { uint64_t words[16]; };

__device__ uint32_t address_of(const void *shared)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

__device__ void load_tile(void *to, const TensorMap *map, int x, int y, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(address_of(to)), "l"(map), "r"(x), "r"(y), "r"(address_of(barrier)) : "memory");
}

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" :: "r"(address_of(barrier)), "r"(parity) : "memory");
}

// Matrix descriptor: start address, leading and stride byte offset, all in units of 16 bytes.
__device__ uint64_t descriptor(const void *shared, uint64_t leading, uint64_t stride)
{
    return (address_of(shared) & 0x3FFFF) >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32;
}

extern "C" __global__ void __launch_bounds__(128)
tensor_tile(const __grid_constant__ TensorMap mapA, const __grid_constant__ TensorMap mapB, float *d)
{
    __shared__ alignas(128) uint16_t tileA[64 * 16];
    __shared__ alignas(128) uint16_t tileB[16 * 8];
    __shared__ uint64_t barrier;

    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(address_of(&barrier)));
        asm volatile("fence.proxy.async;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                     :: "r"(address_of(&barrier)), "r"(static_cast<uint32_t>(sizeof tileA + sizeof tileB)) : "memory");
        load_tile(tileA, &mapA, 0, 0, &barrier);
        load_tile(tileB, &mapB, 0, 0, &barrier);
    }
    __syncthreads();
    wait(&barrier, 0);

    float sum[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "l"(descriptor(tileA, 128, 256)), "l"(descriptor(tileB, 128, 256)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

    int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
    int column = threadIdx.x % 4 * 2;
    d[row * 8 + column] = sum[0];
    d[row * 8 + column + 1] = sum[1];
    d[(row + 8) * 8 + column] = sum[2];
    d[(row + 8) * 8 + column + 1] = sum[3];
}
