// Atomic operations: CUDA's functions of all types and scopes, and libcu++ with its memory orders.
// Makes nvcc emit: atom and red of all operations, ld.acquire, st.release, fence.acq_rel and fence.sc at all scopes, compare-and-swap loops.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void integers(int *i, unsigned *u, long long *l, unsigned long long *ul) {
    const int x = threadIdx.x;
    i[8] = atomicAdd(i, x) + atomicSub(i + 1, x) + atomicMin(i + 2, x) + atomicMax(i + 3, x) + atomicExch(i + 4, x);
    u[8] = atomicInc(u, 17) + atomicDec(u + 1, 18) + atomicAnd(u + 2, x) + atomicOr(u + 3, x) + atomicXor(u + 4, x) + atomicCAS(u + 5, 1, 2);
    l[8] = atomicMin(l, x) + atomicMax(l + 1, -x);
    ul[8] = atomicAdd(ul, x) + atomicExch(ul + 1, x) + atomicCAS(ul + 2, 3, x) + atomicAnd(ul + 3, x) + atomicOr(ul + 4, x) + atomicMax(ul + 5, x);
}

// Without use of the old value nvcc makes reductions.
__global__ void reductions(int *i, float *f, double *d, unsigned long long *ul) {
    atomicAdd(i, 1);
    atomicMax(i + 1, threadIdx.x);
    atomicOr(i + 2, 4);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    atomicAdd(ul, 3);
    atomicXor(ul + 1, 5);
}

__global__ void scopes(int *i, float *f, unsigned long long *ul) {
    __shared__ int shared[32];
    i[8] = atomicAdd_block(i, 1) + atomicAdd_system(i + 1, 2) + atomicCAS_block(i + 2, 1, 2) + atomicExch_system(i + 3, 3);
    f[8] = atomicAdd_block(f, 1.0f) + atomicAdd_system(f + 1, 2.0f);
    ul[8] = atomicMax_block(ul, 7) + atomicMin_system(ul + 1, 8);
    i[9] = atomicAdd(shared + threadIdx.x, 1) + atomicCAS(shared, 0, 1) + atomicMin(shared + 1, 7) + atomicInc(reinterpret_cast<unsigned *>(shared) + 2, 9);
}

__global__ void small_types(__half2 *h2, __half *h, __nv_bfloat162 *b2, __nv_bfloat16 *b, unsigned short *s) {
    h2[1] = atomicAdd(h2, h2[2]);
    h[8] = atomicAdd(h, h[9]);
    b2[1] = atomicAdd(b2, b2[2]);
    b[8] = atomicAdd(b, b[9]);
    s[2] = atomicCAS(s, s[3], s[4]);
}

template <class Value, cuda::thread_scope Scope>
__device__ void all_orders(Value *values) {
    cuda::atomic_ref<Value, Scope> first(values[0]), second(values[1]);
    Value seen = first.load(cuda::memory_order_relaxed) + first.load(cuda::memory_order_acquire) + first.load(cuda::memory_order_seq_cst);
    second.store(seen, cuda::memory_order_relaxed);
    second.store(seen + 1, cuda::memory_order_release);
    second.store(seen + 2, cuda::memory_order_seq_cst);
    seen += first.fetch_add(1, cuda::memory_order_acq_rel) + first.fetch_sub(2, cuda::memory_order_release) + first.exchange(3, cuda::memory_order_acquire);
    second.compare_exchange_strong(seen, 5, cuda::memory_order_acq_rel, cuda::memory_order_acquire);
    second.compare_exchange_weak(seen, 6, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
    values[2] = seen;
}

__global__ void libcu_orders(int *i, unsigned long long *ul, float *f, double *d) {
    all_orders<int, cuda::thread_scope_block>(i);
    all_orders<int, cuda::thread_scope_device>(i + 4);
    all_orders<int, cuda::thread_scope_system>(i + 8);
    all_orders<unsigned long long, cuda::thread_scope_device>(ul);
    all_orders<float, cuda::thread_scope_device>(f);
    all_orders<double, cuda::thread_scope_system>(d);
}

__global__ void libcu_flags(cuda::atomic<int> *flag, cuda::atomic<unsigned, cuda::thread_scope_block> *counter, char *small) {
    cuda::atomic_ref<char, cuda::thread_scope_device> letter(*small);
    letter.fetch_add('a');
    counter->fetch_max(threadIdx.x);
    counter->fetch_and(0xff, cuda::memory_order_relaxed);
    flag->wait(0, cuda::memory_order_acquire);
    flag->notify_all();
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_system);
}

__global__ void fences(volatile int *data, int *flag) {
    data[0] = 1;
    __threadfence_block();
    data[1] = 2;
    __threadfence();
    data[2] = 3;
    __threadfence_system();
    *flag = data[3];
}

// The same and more as inline PTX: vectors of sums, cache hints, asynchronous sums in shared memory.
__global__ void inline_atomics(float *f, unsigned *u) {
    unsigned old;
    asm volatile("atom.relaxed.gpu.global.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(u), "r"(u[1]) : "memory");
    asm volatile("red.release.sys.global.min.u32 [%0], %1;" ::"l"(u + 2), "r"(old) : "memory");
#if __CUDA_ARCH__ >= 800
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(policy));
    asm volatile("atom.global.add.L2::cache_hint.u32 %0, [%1], %2, %3;" : "=r"(old) : "l"(u + 3), "r"(old), "l"(policy) : "memory");
#endif
#if __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(f), "f"(f[4]), "f"(f[5]), "f"(f[6]), "f"(f[7]) : "memory");
    asm volatile("atom.global.v2.f32.add {%0, %1}, [%2], {%3, %4};" : "=f"(f[8]), "=f"(f[9]) : "l"(f + 12), "f"(f[10]), "f"(f[11]) : "memory");
    asm volatile("{\n"
                 "    .reg .b128 fresh, before;\n"
                 "    mov.b128 fresh, {%0, %0};\n"
                 "    atom.relaxed.gpu.global.exch.b128 before, [%1], fresh;\n"
                 "}" ::"l"(policy), "l"(u) : "memory");
#endif
}
