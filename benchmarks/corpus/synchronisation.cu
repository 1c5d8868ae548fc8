// Barriers, semaphores, latches and atomics with scopes and orders of libcu++.
// Makes nvcc emit: ld and st with all orders, atom with scopes, fences, mbarrier polling, nanosleep back-off.
// targets: sm_75 sm_80 sm_89 sm_90 sm_100
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

__device__ cuda::atomic<int, cuda::thread_scope_device> counter;
__device__ cuda::std::atomic<long long> wide_counter;

__global__ void orders(int *plain, int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_block> ref(plain[threadIdx.x]);
    int x = ref.load(cuda::memory_order_acquire);
    ref.store(x + 1, cuda::memory_order_release);
    x += ref.fetch_add(3, cuda::memory_order_relaxed);
    x += ref.exchange(7, cuda::memory_order_acq_rel);
    x += counter.fetch_sub(1, cuda::memory_order_seq_cst);
    x += counter.fetch_max(4, cuda::memory_order_relaxed);
    x += (int)wide_counter.fetch_or(9);
    int expected = 3;
    while (!counter.compare_exchange_weak(expected, expected * 2, cuda::memory_order_acq_rel, cuda::memory_order_acquire)) {}
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
    counter.notify_all();
    counter.wait(0);
    out[threadIdx.x] = x + expected;
}

template <class T> __device__ T all_of(T *at, T value) {
    cuda::atomic_ref<T, cuda::thread_scope_system> ref(*at);
    T x = ref.fetch_add(value);
    x += ref.load();
    ref.store(x);
    ref.compare_exchange_strong(x, value);
    return x;
}

__global__ void widths(char *a, short *b, int *c, long long *d, float *e, double *f, unsigned char *g, unsigned short *h) {
    *a = all_of(a, (char)1);
    *b = all_of(b, (short)2);
    *c = all_of(c, 3);
    *d = all_of(d, 4ll);
    *e = all_of(e, 5.0f);
    *f = all_of(f, 6.0);
    *g = all_of(g, (unsigned char)7);
    *h = all_of(h, (unsigned short)8);
}

__global__ void barriers(int *data) {
    __shared__ cuda::barrier<cuda::thread_scope_block> block;
    if (threadIdx.x == 0) init(&block, blockDim.x);
    __syncthreads();
    data[threadIdx.x] *= 2;
    block.arrive_and_wait();
    auto token = block.arrive();
    data[threadIdx.x] += data[threadIdx.x ^ 1];
    block.wait(cuda::std::move(token));
    block.wait_parity(true);
    block.arrive_and_drop();
}

__device__ cuda::latch<cuda::thread_scope_device> *gate;
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 4> *tickets;
__device__ cuda::binary_semaphore<cuda::thread_scope_system> *lock_of_all;

__global__ void guarded(int *data) {
    tickets->acquire();
    data[blockIdx.x] += 1;
    tickets->release();
    if (lock_of_all->try_acquire()) lock_of_all->release();
    (void)tickets->try_acquire_for(cuda::std::chrono::nanoseconds(500));
    gate->count_down();
    gate->wait();
    gate->arrive_and_wait();
}

__global__ void copies(const float4 *in, float4 *out) {
    extern __shared__ float4 tile[];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0) init(&ready, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(cooperative_groups::this_thread_block(), tile, in, cuda::aligned_size_t<16>(sizeof(float4) * 128), ready);
    ready.arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
