// printf of everything, assert, traps, clocks, memory from the device's heap.
// least: sm_75
// many = 1 2 3 4 6
// type = int float double long
// use: template __global__ void trace<{type}, {many}>(const {type} *, int);
// use: template __global__ void checked<{many}>(int *, int);
// use: template __global__ void allocated<{type}, {many}>({type} **, int);
// use: template __global__ void timed<{many}>(long long *, float *);
#include <cassert>
#include <cstdio>

template <class T, int Many>
__global__ void trace(const T *values, int verbosity) {
    for (int at = 0; at < Many; ++at) {
        if (verbosity > at) printf("block %d thread %d value %g of %s\n", blockIdx.x, threadIdx.x, (double)values[at], "a row");
        if (verbosity > 2 * at) printf("%p: %lld %c %5.2f%%\n", values + at, (long long)values[at], 'a' + at, 1.5 * at);
    }
}

template <int Many>
__global__ void checked(int *values, int count) {
#pragma unroll
    for (int at = 0; at < Many; ++at) {
        assert(values[at] >= 0 && "no value may be negative");
        if (values[at] > count) __trap();
        if (values[at] == 12345 * Many) __brkpt();
        values[at] = __vadd4(values[at], count) + __dp4a(values[at], count, at) + __vabsdiffu2(count, at);
    }
}

template <class T, int Many>
__global__ void allocated(T **rows, int length) {
    for (int row = 0; row < Many; ++row) {
        T *fresh = (T *)malloc(length * sizeof(T));
        if (!fresh) return;
        for (int at = 0; at < length; ++at) fresh[at] = T(at * row);
        free(rows[row]);
        rows[row] = fresh;
    }
}

template <int Many>
__global__ void timed(long long *ticks, float *values) {
    const long long begin = clock64();
    unsigned lane, block;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(block));
#pragma unroll
    for (int at = 0; at < Many; ++at) values[at] = __sinf(values[at]) * __log2f(values[lane]) + __frcp_rn(values[block % 8]);
    ticks[threadIdx.x] = clock64() - begin;
}
