// Graphs: breadth first search, shortest paths, ranks, components, triangles; irregular loops and atomics.
// least: sm_75
// weight = int float unsigned
// per_thread = 1 2 4 8
// shared_queue = 32 64 128
// use: template __global__ void breadth<{per_thread}, {shared_queue}>(const int *, const int *, int *, int *, int *, int, int);
// use: template __global__ void relax<{weight}, {per_thread}>(const int *, const int *, const {weight} *, {weight} *, int *, int);
// use: template __global__ void rank<{per_thread}>(const int *, const int *, const float *, float *, float, int);
// use: template __global__ void components<{per_thread}>(const int2 *, int *, bool *, int);
// use: template __global__ void triangles<{per_thread}>(const int *, const int *, unsigned long long *, int);

template <int Each, int Queue>
__global__ void breadth(const int *heads, const int *edges, int *level, int *next, int *length, int depth, int count) {
    __shared__ int queue[Queue], filled, base;
    if (threadIdx.x == 0) filled = 0;
    __syncthreads();
    for (int step = 0; step < Each; ++step) {
        const int node = (blockIdx.x * Each + step) * blockDim.x + threadIdx.x;
        if (node >= count || level[node] != depth) continue;
        for (int edge = heads[node]; edge < heads[node + 1]; ++edge) {
            const int other = edges[edge];
            if (atomicCAS(level + other, -1, depth + 1) != -1) continue;
            const int place = atomicAdd(&filled, 1);
            if (place < Queue) queue[place] = other;
            else next[atomicAdd(length, 1)] = other;
        }
    }
    __syncthreads();
    const int kept = min(filled, Queue);
    if (threadIdx.x == 0) base = atomicAdd(length, kept);
    __syncthreads();
    for (int place = threadIdx.x; place < kept; place += blockDim.x) next[base + place] = queue[place];
}

__device__ __forceinline__ int least(int *at, int value) { return atomicMin(at, value); }
__device__ __forceinline__ unsigned least(unsigned *at, unsigned value) { return atomicMin(at, value); }
__device__ __forceinline__ float least(float *at, float value) { return __int_as_float(atomicMin((int *)at, __float_as_int(value))); }

template <class W, int Each>
__global__ void relax(const int *heads, const int *edges, const W *weights, W *distance, int *changed, int count) {
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= count) return;
    const W here = distance[node];
    int edge = heads[node];
    const int end = heads[node + 1];
    for (; edge + Each <= end; edge += Each)
#pragma unroll
        for (int step = 0; step < Each; ++step) {
            const W there = here + weights[edge + step];
            if (there < least(distance + edges[edge + step], there)) *changed = 1;
        }
    for (; edge < end; ++edge)
        if (here + weights[edge] < least(distance + edges[edge], here + weights[edge])) *changed = 1;
}

template <int Each>
__global__ void rank(const int *heads, const int *edges, const float *from, float *to, float damping, int count) {
    const int node = (blockIdx.x * blockDim.x + threadIdx.x) / Each, lane = threadIdx.x % Each;
    float sum = 0;
    if (node < count)
        for (int edge = heads[node] + lane; edge < heads[node + 1]; edge += Each) sum += from[edges[edge]] / (heads[edges[edge] + 1] - heads[edges[edge]]);
    for (int offset = Each / 2; offset; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
    if (lane == 0 && node < count) to[node] = (1 - damping) / count + damping * sum;
}

template <int Hops>
__global__ void components(const int2 *edges, int *parent, bool *changed, int count) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    int one = edges[at].x, other = edges[at].y;
    for (int hop = 0; hop < Hops; ++hop) one = parent[one], other = parent[other];
    while (parent[one] != one) one = parent[one];
    while (parent[other] != other) other = parent[other];
    if (one != other) {
        atomicMin(parent + max(one, other), min(one, other));
        *changed = true;
    }
}

template <int Ahead>
__global__ void triangles(const int *heads, const int *edges, unsigned long long *total, int count) {
    unsigned found = 0;
    for (int node = blockIdx.x * blockDim.x + threadIdx.x; node < count; node += gridDim.x * blockDim.x)
        for (int edge = heads[node]; edge < heads[node + 1]; ++edge) {
            int a = edge + 1, b = heads[edges[edge]];
            while (a < heads[node + 1] && b < heads[edges[edge] + 1]) {
                const int difference = edges[a] - edges[b];
                found += difference == 0;
                a += difference <= 0 ? 1 : 0, b += difference >= 0 ? Ahead : 0;
            }
        }
    for (int offset = 16; offset; offset /= 2) found += __shfl_down_sync(~0u, found, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(total, (unsigned long long)found);
}
