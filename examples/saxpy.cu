// y = a*x + y, one element per thread: nvcc -arch=sm_80 -ptx saxpy.cu
extern "C" __global__ void saxpy(int count, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = a * x[i] + y[i];
}
