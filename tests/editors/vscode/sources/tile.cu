#include "cuda_runtime.h"

// Starts the copy of a row to shared memory.
__device__ void copy_row(unsigned row, const float4 *source) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 8;\n"
               :: "r"(row), "l"(source) : "memory");
}

// d += a * b, for the 16 x 8 elements of a warp.
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// The sum over the lanes of a warp.
__device__ float sum(float x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    float other;
    asm("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(other) : "f"(x), "r"(distance));
    x += other;
  }
  return x * scale;
}

__global__ void kernel(const float4 *tiles, float *out) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  copy_row(lane * 16, tiles + lane);
  out[lane] = sum(lane);
}
