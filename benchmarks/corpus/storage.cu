// Where data lives: constants, shared memory static and dynamic, initialised globals, managed variables, launch bounds, kernel parameters.
// Makes nvcc emit: .const and .global with initialisers of all types, .extern .shared, .managed, performance directives, ld.const, ld.param of structs.
// targets: sm_75 sm_80 sm_90a sm_100a

struct Settings {
    char letter;
    short small[3];
    double scale;
    const int *table;
    float4 bounds;
};

struct alignas(64) Line {
    unsigned char bytes[64];
};

__constant__ float weights[3][5] = {{1, 2.5f, -3}, {1e-9f, 1e30f}, {0, 0, 0, 0, 7}};
__constant__ Settings defaults = {'x', {1, -2, 3}, 0.1, nullptr, {1, 2, 3, 4}};
__device__ int numbers[] = {1, -2, 0x7fffffff, 1 << 30};
__device__ const double precise[2] = {3.141592653589793, -1e-300};
__device__ unsigned char text[8] = "PTX\n\t\"";
__device__ int *into_numbers = numbers + 2;
__device__ const char *const words[] = {"zero", "one", "two"};
__device__ Line aligned_line;
__device__ volatile int flag;
__managed__ int shared_with_host = 42;
static __device__ float private_cells[16];
extern __shared__ unsigned char dynamic[];

__global__ void __launch_bounds__(128) bounded(int *out) { out[threadIdx.x] = numbers[threadIdx.x & 3] + *into_numbers; }
__global__ void __launch_bounds__(256, 4) bounded_twice(float *out) { out[threadIdx.x] = weights[threadIdx.x % 3][threadIdx.x % 5]; }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void __launch_bounds__(64, 1, 8) in_small_clusters(float *out) { out[0] = 1; }
__global__ void __cluster_dims__(2, 2, 1) in_clusters(float *out) { out[0] = 2; }
__global__ void __block_size__((128, 2, 1)) exact_block(double *out) { out[threadIdx.x] = precise[threadIdx.y & 1]; }
#endif
__global__ void __maxnreg__(64) few_registers(double *out) { out[threadIdx.x] = precise[threadIdx.x & 1]; }

__global__ void by_value(const Settings settings, const __grid_constant__ Settings constant, Settings *out) {
    *out = settings;
    out->small[threadIdx.x % 3] = constant.small[threadIdx.y % 3] + defaults.small[1];
    out->table = &constant.table[2];
}

__global__ void in_shared_memory(const float *__restrict__ from, float *__restrict__ to, int bytes) {
    __shared__ float staged[4][33];
    __shared__ double sums[8];
    __shared__ Line line;
    float *const tail = reinterpret_cast<float *>(dynamic + bytes);
    staged[threadIdx.x & 3][threadIdx.x & 31] = __ldg(from + threadIdx.x);
    tail[threadIdx.x] = from[threadIdx.x + 1];
    line.bytes[threadIdx.x & 63] = threadIdx.x;
    if (threadIdx.x < 8)
        sums[threadIdx.x] = line.bytes[3];
    __syncthreads();
    to[threadIdx.x] = staged[threadIdx.x >> 5][threadIdx.x & 31] + tail[threadIdx.x ^ 1] + sums[threadIdx.x & 7];
}

__global__ void everywhere(int *out, int index) {
    int local[32];
    for (int i = 0; i < 32; ++i)
        local[i] = out[i] ^ index;
    private_cells[index] += local[index];
    aligned_line.bytes[0] = words[index][1] + text[2];
    flag = local[(index + 7) & 31];
    shared_with_host += flag;
    out[0] = __isGlobal(out) + __isShared(local) * 2 + __isConstant(weights) * 4 + __isLocal(local) * 8;
    out[1] = static_cast<int>(__cvta_generic_to_global(out) >> 4);
}

// Loads and stores of all cache operators and vectors.
__global__ void cached(const float4 *from, float4 *to, const double2 *pairs, double2 *out, short4 *tiny) {
    to[0] = __ldg(from);
    to[1] = __ldcg(from + 1);
    to[2] = __ldca(from + 2);
    to[3] = __ldcs(from + 3);
    to[4] = __ldlu(from + 4);
    to[5] = __ldcv(from + 5);
    __stwb(to + 6, from[6]);
    __stcg(to + 7, from[7]);
    __stcs(to + 8, from[8]);
    __stwt(to + 9, from[9]);
    out[0] = pairs[1];
    tiny[0] = tiny[1];
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from + 64));
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[10].x), "=f"(to[10].y), "=f"(to[10].z), "=f"(to[10].w) : "l"(from + 10));
#if __CUDA_ARCH__ >= 1000
    asm volatile("{\n"
                 "    .reg .f32 x<8>;\n"
                 "    ld.global.v8.f32 {x0, x1, x2, x3, x4, x5, x6, x7}, [%0];\n"
                 "    st.global.L1::evict_last.v8.f32 [%1], {x7, x6, x5, x4, x3, x2, x1, x0};\n"
                 "}" ::"l"(from), "l"(to) : "memory");
#endif
}
