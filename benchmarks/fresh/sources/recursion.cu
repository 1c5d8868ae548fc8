// Recursion, arrays in local memory, mazes, queens, fractals by subdivision, arithmetic of big numbers.
// least: sm_75
// depth = 4 6 8 10
// limbs = 2 3 4 6 8
// use: template __global__ void queens<{depth}>(unsigned long long *);
// use: template __global__ void quick<{depth}>(int *, int);
// use: template __global__ void big_product<{limbs}>(const unsigned *, const unsigned *, unsigned *);
// use: template __global__ void big_power<{limbs}>(unsigned *, const unsigned *, unsigned);
// use: template __global__ void fractal<{depth}>(float *, float, float);
// use: template __global__ void permuted<{depth}>(const int *, int *, int);

template <int Size>
__device__ int placed(unsigned columns, unsigned left, unsigned right) {
    if (columns == (1u << Size) - 1) return 1;
    int found = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << Size) - 1); free; free &= free - 1) {
        const unsigned bit = free & -free;
        found += placed<Size>(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}
template <int Size> __global__ void queens(unsigned long long *total) { atomicAdd(total, (unsigned long long)placed<Size>(1u << threadIdx.x % Size, 2u << threadIdx.x % Size, (1u << threadIdx.x % Size) >> 1)); }

__device__ __noinline__ void sorted(int *data, int low, int high, int depth) {
    if (low >= high || depth == 0) return;
    const int pivot = data[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
        while (data[i] < pivot) ++i;
        while (data[j] > pivot) --j;
        if (i <= j) {
            const int held = data[i];
            data[i++] = data[j], data[j--] = held;
        }
    }
    sorted(data, low, j, depth - 1), sorted(data, i, high, depth - 1);
}
template <int Depth> __global__ void quick(int *data, int count) { sorted(data + threadIdx.x * count, 0, count - 1, Depth); }

template <int Limbs>
__global__ void big_product(const unsigned *left, const unsigned *right, unsigned *to) {
    unsigned sums[2 * Limbs] = {};
#pragma unroll
    for (int i = 0; i < Limbs; ++i) {
        unsigned carry = 0;
#pragma unroll
        for (int j = 0; j < Limbs; ++j) {
            asm("mad.lo.cc.u32 %0, %2, %3, %0;\n\tmadc.hi.u32 %1, %2, %3, 0;" : "+r"(sums[i + j]), "=r"(carry) : "r"(left[i]), "r"(right[j]));
            asm("add.cc.u32 %0, %0, %2;\n\taddc.u32 %1, %1, 0;" : "+r"(sums[i + j + 1]), "+r"(sums[(i + j + 2) % (2 * Limbs)]) : "r"(carry));
        }
    }
#pragma unroll
    for (int k = 0; k < 2 * Limbs; ++k) to[k * blockDim.x + threadIdx.x] = sums[k];
}

template <int Limbs>
__global__ void big_power(unsigned *base, const unsigned *modulus, unsigned exponent) {
    unsigned value[Limbs], result[Limbs] = {1};
    for (int k = 0; k < Limbs; ++k) value[k] = base[k];
    for (; exponent; exponent >>= 1) {
        unsigned long long carry = 0;
        if (exponent & 1)
#pragma unroll
            for (int k = 0; k < Limbs; ++k) carry += (unsigned long long)result[k] * value[k], result[k] = (unsigned)carry, carry >>= 32;
#pragma unroll
        for (int k = 0; k < Limbs; ++k) {
            carry += (unsigned long long)value[k] * value[Limbs - 1 - k];
            value[k] = (unsigned)(carry % modulus[k]), carry /= modulus[k] | 1;
        }
    }
    for (int k = 0; k < Limbs; ++k) base[k] = result[k];
}

template <int Depth>
__device__ __noinline__ float split(float low, float high) {
    if constexpr (Depth == 0) return sinf(low) * (high - low);
    else return fabsf(high - low) < 1e-4f ? low : split<Depth - 1>(low, (low + high) / 2) + split<Depth - 1>((low + high) / 2, high);
}
template <int Depth> __global__ void fractal(float *to, float low, float high) { to[threadIdx.x] = split<Depth>(low, high + threadIdx.x); }

template <int Size>
__global__ void permuted(const int *order, int *to, int turns) {
    int table[Size * 4];
    for (int at = 0; at < Size * 4; ++at) table[at] = at * at;
    for (int turn = 0; turn < turns; ++turn) {
        const int a = order[turn] & (Size - 1), b = order[turn + 1] & (Size - 1), held = table[a];
        table[a] = table[b], table[b] = held;
    }
    to[threadIdx.x] = table[order[threadIdx.x] & 3];
}
