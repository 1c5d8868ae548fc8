// Search in text: automata by table and by switch, approximate search with bits, tokens of numbers, base 64, UTF-8.
// least: sm_75
// length = 3 4 5 6 8 12
// errors = 1 2 3
// use: template __global__ void automaton<{length}>(const char *, const short *, int *, int);
// use: template __global__ void approximate<{length}, {errors}>(const char *, const unsigned long long *, int *, int);
// use: template __global__ void numbers<{length}>(const char *, double *, int);
// use: template __global__ void base64<{length}>(const unsigned char *, char *);
// use: template __global__ void edit_distance<{length}>(const char *, const char *, int *, int);

__constant__ char letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <int Ahead>
__global__ void automaton(const char *text, const short *table, int *hits, int count) {
    int state = 0;
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
    for (int at = begin; at < min(begin + 64, count); at += Ahead)
#pragma unroll
        for (int step = 0; step < Ahead; ++step) {
            state = table[state * 256 + (unsigned char)text[at + step]];
            if (state < 0) atomicAdd(hits - state, 1), state = 0;
        }
}

template <int Length, int Errors>
__global__ void approximate(const char *text, const unsigned long long *masks, int *where, int count) {
    unsigned long long rows[Errors + 1];
#pragma unroll
    for (int error = 0; error <= Errors; ++error) rows[error] = ~0ull << error;
    for (int at = threadIdx.x; at < count; at += blockDim.x) {
        const unsigned long long mask = masks[(unsigned char)text[at]];
        unsigned long long before = rows[0];
        rows[0] = (rows[0] | mask) << 1;
#pragma unroll
        for (int error = 1; error <= Errors; ++error) {
            const unsigned long long kept = rows[error];
            rows[error] = ((kept | mask) << 1) & (before << 1) & ((before & rows[error - 1]) << 1);
            before = kept;
        }
        if (!(rows[Errors] >> Length & 1)) *where = at;
    }
}

template <int Digits>
__global__ void numbers(const char *text, double *to, int count) {
    double value = 0, scale = 1;
    int state = 0, exponent = 0;
    bool negative = false;
    for (int at = threadIdx.x * Digits; at < min((threadIdx.x + 1) * Digits, count); ++at) {
        const char c = text[at];
        switch (state) {
        case 0:
            if (c == '-') negative = true;
            else if (c == '.') state = 2;
            else if (c >= '0' && c <= '9') value = c - '0', state = 1;
            break;
        case 1:
            if (c >= '0' && c <= '9') value = value * 10 + (c - '0');
            else if (c == '.') state = 2;
            else if (c == 'e' || c == 'E') state = 3;
            else state = 5;
            break;
        case 2:
            if (c >= '0' && c <= '9') value += (c - '0') * (scale /= 10);
            else state = c == 'e' ? 3 : 5;
            break;
        case 3: exponent = c == '-' ? -1 : c - '0', state = 4; break;
        case 4: exponent = exponent < 0 ? -(c - '0') : exponent * 10 + c - '0'; break;
        default: __builtin_assume(state < 6); value *= exp10((double)exponent); return;
        }
    }
    to[threadIdx.x] = negative ? -value : value;
}

template <int Groups>
__global__ void base64(const unsigned char *from, char *to) {
#pragma unroll
    for (int group = 0; group < Groups; ++group) {
        const unsigned char *in = from + (threadIdx.x * Groups + group) * 3;
        const unsigned bits = in[0] << 16 | in[1] << 8 | in[2];
        const char4 out = {letters[bits >> 18], letters[bits >> 12 & 63], letters[bits >> 6 & 63], letters[bits & 63]};
        reinterpret_cast<char4 *>(to)[threadIdx.x * Groups + group] = out;
    }
}

template <int Length>
__global__ void edit_distance(const char *pattern, const char *text, int *to, int count) {
    int row[Length + 1];
#pragma unroll
    for (int at = 0; at <= Length; ++at) row[at] = at;
    for (int column = 0; column < count; ++column) {
        int diagonal = row[0]++;
#pragma unroll
        for (int at = 1; at <= Length; ++at) {
            const int kept = row[at];
            row[at] = min(min(kept, row[at - 1]) + 1, diagonal + (pattern[at - 1] != text[column]));
            diagonal = kept;
        }
    }
    to[threadIdx.x] = row[Length];
}
