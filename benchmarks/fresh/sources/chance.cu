// Random numbers: Philox, xorshift, lagged; their use in sums, walks and rejection.
// least: sm_75
// rounds = 5 7 10
// each = 1 2 3 4 8
// type = float double
// use: template __global__ void philox<{rounds}, {each}>(uint4 *, unsigned, unsigned);
// use: template __global__ void area<{type}, {each}>({type} *, unsigned long long);
// use: template __global__ void walk<{type}, {each}>({type} *, unsigned, int);
// use: template __global__ void rejected<{type}, {each}>({type} *, unsigned);

template <int Rounds, int Each>
__global__ void philox(uint4 *to, unsigned low, unsigned high) {
#pragma unroll
    for (int item = 0; item < Each; ++item) {
        uint4 state = {threadIdx.x, blockIdx.x, (unsigned)item, 0};
        unsigned first = low, second = high;
#pragma unroll
        for (int round = 0; round < Rounds; ++round) {
            const unsigned a = __umulhi(0xD2511F53u, state.x), b = 0xD2511F53u * state.x, c = __umulhi(0xCD9E8D57u, state.z), d = 0xCD9E8D57u * state.z;
            state = {c ^ state.y ^ first, d, a ^ state.w ^ second, b};
            first += 0x9E3779B9u, second += 0xBB67AE85u;
        }
        to[(blockIdx.x * Each + item) * blockDim.x + threadIdx.x] = state;
    }
}

__device__ __forceinline__ unsigned long long next(unsigned long long &state) {
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return state * 2685821657736338717ull;
}

template <class T, int Each>
__global__ void area(T *to, unsigned long long seed) {
    unsigned long long state = seed + threadIdx.x;
    int inside = 0;
    for (int turn = 0; turn < 1000; ++turn)
#pragma unroll
        for (int item = 0; item < Each; ++item) {
            const T x = (next(state) >> 11) * (T)1.1102230246251565e-16, y = (next(state) >> 11) * (T)1.1102230246251565e-16;
            inside += x * x + y * y < 1;
        }
    to[threadIdx.x] = (T)4 * inside / (1000 * Each);
}

template <class T, int Dimensions>
__global__ void walk(T *to, unsigned seed, int steps) {
    T place[Dimensions] = {};
    unsigned state = seed ^ threadIdx.x * 747796405u;
    while (steps-- > 0) {
        state = state * 747796405u + 2891336453u;
        const unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
        place[word % Dimensions] += word >> 31 ? T(1) : T(-1);
    }
    T length = 0;
#pragma unroll
    for (int k = 0; k < Dimensions; ++k) length += place[k] * place[k];
    to[threadIdx.x] = sqrt(length);
}

template <class T, int Each>
__global__ void rejected(T *to, unsigned seed) {
    unsigned long long state = seed | 1;
    for (int item = 0; item < Each; ++item) {
        T u, v, s;
        do {
            u = (T)(long long)next(state) * (T)1.08420217e-19, v = (T)(long long)next(state) * (T)1.08420217e-19;
            s = u * u + v * v;
        } while (s >= 1 || s == 0);
        to[threadIdx.x * Each + item] = u * sqrt(-2 * log(s) / s);
    }
}
