// C = A*B for square matrices, tile by tile through shared memory: nvcc -arch=sm_80 -ptx -lineinfo matmul.cu
constexpr int TILE = 16;

extern "C" __global__ void matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tileA[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
        tileB[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
