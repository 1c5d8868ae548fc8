// An interpreter of byte code on a stack: dense switches, loops that end by data, functions through pointers.
// least: sm_75
// stack = 8 16 24 32
// variant = 1 2 3 5 7
// use: template __global__ void interpret<{stack}, {variant}>(const unsigned char *, const int *, int *, int);
// use: template __global__ void dispatch<{variant}>(const int *, float *, int);
// use: template __global__ void classify<{variant}>(const int *, int *);

template <int Stack, int Variant>
__global__ void interpret(const unsigned char *code, const int *arguments, int *results, int limit) {
    int stack[Stack], top = 0, at = 0, memory[8];
    for (int k = 0; k < 8; ++k) memory[k] = arguments[threadIdx.x * 8 + k];
    for (int steps = 0; steps < limit; ++steps) {
        switch (code[at++]) {
        case 0: results[threadIdx.x] = stack[top - 1]; return;
        case 1: stack[top++ % Stack] = (signed char)code[at++]; break;
        case 2: --top, stack[top - 1] += stack[top]; break;
        case 3: --top, stack[top - 1] -= stack[top] * Variant; break;
        case 4: --top, stack[top - 1] *= stack[top]; break;
        case 5: --top, stack[top - 1] = stack[top] ? stack[top - 1] / stack[top] : 0; break;
        case 6: stack[top] = stack[top - 1], ++top; break;
        case 7: --top; break;
        case 8: stack[top++] = memory[code[at++] & 7]; break;
        case 9: memory[code[at++] & 7] = stack[--top]; break;
        case 10: at = stack[--top] ? at + (signed char)code[at] : at + 1; break;
        case 11: stack[top - 1] = __popc(stack[top - 1]); break;
        case 12: stack[top - 1] = __clz(stack[top - 1] ^ Variant); break;
        case 13: stack[top - 1] = stack[top - 1] << Variant; break;
        case 14: stack[top - 1] = __shfl_xor_sync(__activemask(), stack[top - 1], Variant); break;
        default: results[threadIdx.x] = -at; return;
        }
    }
}

typedef float (*Operation)(float, float);
template <int Variant> __device__ __noinline__ float add(float a, float b) { return a + Variant * b; }
template <int Variant> __device__ __noinline__ float power(float a, float b) { return powf(a, b) + Variant; }
template <int Variant> __device__ __noinline__ float arc(float a, float b) { return atan2f(a, b * Variant); }
template <int Variant> __device__ __noinline__ float rest(float a, float b) { return fmodf(a, b + Variant); }
template <int Variant> __device__ Operation operations[4] = {add<Variant>, power<Variant>, arc<Variant>, rest<Variant>};

template <int Variant>
__global__ void dispatch(const int *codes, float *values, int count) {
    float value = values[threadIdx.x];
    for (int at = 0; at < count; ++at) value = operations<Variant>[codes[at] & 3](value, (float)at);
    values[threadIdx.x] = value;
}

template <int Variant>
__global__ void classify(const int *from, int *to) {
    int kind;
    switch (from[threadIdx.x]) {
    case 3: case 17: case 19: kind = Variant; break;
    case 100: kind = to[0]; break;
    case 101: kind = to[1] / 3; break;
    case 102: kind = to[2] % (Variant + 1); break;
    case 103: kind = __ffs(to[3]); break;
    case 104: kind = to[4] >> Variant; break;
    case 105: kind = abs(to[5]); break;
    case 106: kind = __brev(to[6]); break;
    case 1000: case 5000: case 70000: kind = -Variant; break;
    default: kind = 0;
    }
    to[threadIdx.x] = kind;
}
