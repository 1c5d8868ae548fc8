// As much of CUDA as the sources here need: the tests need no toolkit.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct float4 {
  float x, y, z, w;
};
