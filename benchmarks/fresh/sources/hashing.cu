// Hashes: SHA-256, BLAKE2s rounds, murmur, CRC by table, a table with open addressing.
// least: sm_75
// blocks = 1 2 3
// rounds = 2 4 6 8 10
// words = 1 2 3 5 6 8
// use: template __global__ void sha<{blocks}>(const unsigned *, unsigned *, int);
// use: template __global__ void blake<{rounds}>(unsigned *, const unsigned *);
// use: template __global__ void murmur<{words}>(const unsigned *, unsigned *, unsigned);
// use: template __global__ void checksum<{words}>(const unsigned char *, unsigned *);
// use: template __global__ void insert<{words}>(const unsigned long long *, unsigned long long *, int *, int);

__constant__ unsigned primes[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc};
__device__ const unsigned char orders[4][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                               {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                               {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                               {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8}};
__device__ unsigned crc_table[256];

__device__ __forceinline__ unsigned right(unsigned value, int by) { return __funnelshift_r(value, value, by); }

template <int Blocks>
__global__ void sha(const unsigned *message, unsigned *digest, int stride) {
    unsigned state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int block = 0; block < Blocks; ++block) {
        unsigned w[64], s[8];
#pragma unroll
        for (int at = 0; at < 16; ++at) w[at] = __byte_perm(message[(block * 16 + at) * stride + threadIdx.x], 0, 0x0123);
#pragma unroll
        for (int at = 16; at < 64; ++at)
            w[at] = w[at - 16] + w[at - 7] + (right(w[at - 15], 7) ^ right(w[at - 15], 18) ^ w[at - 15] >> 3) +
                    (right(w[at - 2], 17) ^ right(w[at - 2], 19) ^ w[at - 2] >> 10);
        for (int at = 0; at < 8; ++at) s[at] = state[at];
#pragma unroll
        for (int at = 0; at < 64; ++at) {
            const unsigned first = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + primes[at] + w[at];
            const unsigned second = (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + first, s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = first + second;
        }
        for (int at = 0; at < 8; ++at) state[at] += s[at];
    }
    for (int at = 0; at < 8; ++at) digest[at * stride + threadIdx.x] = state[at];
}

__device__ __forceinline__ void mix(unsigned &a, unsigned &b, unsigned &c, unsigned &d, unsigned x, unsigned y) {
    a += b + x, d = right(d ^ a, 16), c += d, b = right(b ^ c, 12);
    a += b + y, d = right(d ^ a, 8), c += d, b = right(b ^ c, 7);
}

template <int Rounds>
__global__ void blake(unsigned *state, const unsigned *message) {
    unsigned v[16];
    for (int at = 0; at < 16; ++at) v[at] = state[at * blockDim.x + threadIdx.x];
#pragma unroll
    for (int round = 0; round < Rounds; ++round) {
        const unsigned char *order = orders[round % 4];
        for (int at = 0; at < 4; ++at) mix(v[at], v[4 + at], v[8 + at], v[12 + at], message[order[2 * at]], message[order[2 * at + 1]]);
        for (int at = 0; at < 4; ++at)
            mix(v[at], v[4 + (at + 1) % 4], v[8 + (at + 2) % 4], v[12 + (at + 3) % 4], message[order[8 + 2 * at]], message[order[9 + 2 * at]]);
    }
    for (int at = 0; at < 16; ++at) state[at * blockDim.x + threadIdx.x] = v[at];
}

template <int Words>
__global__ void murmur(const unsigned *from, unsigned *to, unsigned seed) {
    unsigned hash = seed;
#pragma unroll
    for (int word = 0; word < Words; ++word) {
        hash ^= right(from[threadIdx.x * Words + word] * 0xcc9e2d51u, 17) * 0x1b873593u;
        hash = right(hash, 19) * 5 + 0xe6546b64u;
    }
    hash ^= hash >> 16, hash *= 0x85ebca6bu, hash ^= hash >> 13, hash *= 0xc2b2ae35u;
    to[threadIdx.x] = hash ^ hash >> 16;
}

template <int Bytes>
__global__ void checksum(const unsigned char *from, unsigned *to) {
    unsigned crc = ~0u;
#pragma unroll
    for (int byte = 0; byte < Bytes * 4; ++byte) crc = crc_table[(crc ^ from[threadIdx.x * Bytes * 4 + byte]) & 255] ^ crc >> 8;
    to[threadIdx.x] = ~crc;
}

template <int Tries>
__global__ void insert(const unsigned long long *keys, unsigned long long *table, int *failed, int mask) {
    const unsigned long long key = keys[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned place = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 40);
#pragma unroll
    for (int attempt = 0; attempt < Tries; ++attempt, place += attempt) {
        const unsigned long long found = atomicCAS(table + (place & mask), 0ull, key);
        if (found == 0 || found == key) return;
    }
    atomicAdd(failed, 1);
}
