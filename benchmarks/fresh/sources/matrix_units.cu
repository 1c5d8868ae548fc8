// Matrix products with inline mma.sync and ldmatrix, of four element types and tile sizes, double buffered.
// least: sm_80
// rows = 1 2 3 4
// columns = 1 2 3 4 6
// depth = 2 3 4
// use: template __global__ void product<Half, {rows}, {columns}, {depth}>(const unsigned *, const unsigned *, Half::sum *, int);
// use: template __global__ void product<Brain, {rows}, {columns}, {depth}>(const unsigned *, const unsigned *, Brain::sum *, int);
// use: template __global__ void product<Tensor, {rows}, {columns}, {depth}>(const unsigned *, const unsigned *, Tensor::sum *, int);
// use: template __global__ void product<Byte, {rows}, {columns}, {depth}>(const unsigned *, const unsigned *, Byte::sum *, int);

#define PRODUCT(SHAPE, C)                                                                                     \
    asm volatile("mma.sync.aligned." SHAPE " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"           \
                 : "+" C(d[0]), "+" C(d[1]), "+" C(d[2]), "+" C(d[3])                                          \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

struct Half {
    typedef float sum;
    static __device__ void multiply(float *d, const unsigned *a, const unsigned *b) { PRODUCT("m16n8k16.row.col.f32.f16.f16.f32", "f"); }
};
struct Brain {
    typedef float sum;
    static __device__ void multiply(float *d, const unsigned *a, const unsigned *b) { PRODUCT("m16n8k16.row.col.f32.bf16.bf16.f32", "f"); }
};
struct Tensor {
    typedef float sum;
    static __device__ void multiply(float *d, const unsigned *a, const unsigned *b) { PRODUCT("m16n8k8.row.col.f32.tf32.tf32.f32", "f"); }
};
struct Byte {
    typedef int sum;
    static __device__ void multiply(int *d, const unsigned *a, const unsigned *b) { PRODUCT("m16n8k32.row.col.satfinite.s32.s8.s8.s32", "r"); }
};

__device__ __forceinline__ void load4(unsigned *to, const unsigned *from) {
    const unsigned address = (unsigned)__cvta_generic_to_shared(from);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory");
}
__device__ __forceinline__ void load2(unsigned *to, const unsigned *from) {
    const unsigned address = (unsigned)__cvta_generic_to_shared(from);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "r"(address) : "memory");
}
__device__ __forceinline__ void copy(unsigned *to, const unsigned *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

template <class Kind, int Rows, int Columns, int Depth>
__global__ void __launch_bounds__(128) product(const unsigned *left, const unsigned *right, typename Kind::sum *to, int steps) {
    __shared__ __align__(16) unsigned lefts[Depth][Rows * 128], rights[Depth][Columns * 64];
    typename Kind::sum sums[Rows][Columns][4] = {};
    const int lane = threadIdx.x % 32;
    for (int stage = 0; stage < Depth - 1; ++stage) {
        for (int row = 0; row < Rows; ++row) copy(&lefts[stage][row * 128 + lane * 4], left + (stage * Rows + row) * 128 + lane * 4);
        for (int column = 0; column < Columns; ++column)
            if (lane < 16) copy(&rights[stage][column * 64 + lane * 4], right + (stage * Columns + column) * 64 + lane * 4);
        asm volatile("cp.async.commit_group;");
    }
    for (int step = 0; step < steps; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(Depth - 2));
        __syncthreads();
        unsigned a[Rows][4], b[Columns][2];
#pragma unroll
        for (int row = 0; row < Rows; ++row) load4(a[row], &lefts[step % Depth][row * 128 + lane * 4]);
#pragma unroll
        for (int column = 0; column < Columns; ++column) load2(b[column], &rights[step % Depth][column * 64 + lane % 16 * 4]);
#pragma unroll
        for (int row = 0; row < Rows; ++row)
#pragma unroll
            for (int column = 0; column < Columns; ++column) Kind::multiply(sums[row][column], a[row], b[column]);
        if (step + Depth - 1 < steps) copy(&lefts[(step + Depth - 1) % Depth][lane * 4], left + step * 128 + lane * 4);
        asm volatile("cp.async.commit_group;");
    }
#pragma unroll
    for (int row = 0; row < Rows; ++row)
#pragma unroll
        for (int column = 0; column < Columns; ++column)
#pragma unroll
            for (int part = 0; part < 4; ++part) to[((row * Columns + column) * 4 + part) * 32 + lane] = sums[row][column][part];
}
