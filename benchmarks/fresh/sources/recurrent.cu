// Recurrent and normalising layers: LSTM, GRU, layer norm, activations, optimisers.
// least: sm_75
// hidden = 4 6 8 12 16
// activation = tanhf erff sigmoid gelu
// type = float __half
// use: template __global__ void long_short<{hidden}, {activation}>(const float *, const float *, const float *, float *, float *, int);
// use: template __global__ void gated<{hidden}, {activation}>(const float *, const float *, float *, int);
// use: template __global__ void normalise<{type}, {hidden}>({type} *, const float *, const float *, int, float);
// use: template __global__ void adam<{type}, {hidden}>({type} *, const {type} *, float *, float *, float, float, float, int);
#include <cuda_fp16.h>

__device__ float sigmoid(float x) { return 1.0f / (1.0f + __expf(-x)); }
__device__ float gelu(float x) { return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }

template <int Hidden, float (*Activation)(float)>
__global__ void long_short(const float *input, const float *weights, const float *bias, float *cells, float *outputs, int steps) {
    float hidden[Hidden] = {}, cell[Hidden] = {};
    for (int step = 0; step < steps; ++step) {
        float fresh[Hidden];
#pragma unroll
        for (int unit = 0; unit < Hidden; ++unit) {
            float gates[4];
#pragma unroll
            for (int gate = 0; gate < 4; ++gate) {
                gates[gate] = bias[gate * Hidden + unit] + input[step * blockDim.x + threadIdx.x];
#pragma unroll
                for (int k = 0; k < Hidden; ++k) gates[gate] += weights[(gate * Hidden + unit) * Hidden + k] * hidden[k];
            }
            cell[unit] = sigmoid(gates[0]) * cell[unit] + sigmoid(gates[1]) * Activation(gates[2]);
            fresh[unit] = sigmoid(gates[3]) * Activation(cell[unit]);
        }
        for (int unit = 0; unit < Hidden; ++unit) hidden[unit] = fresh[unit];
    }
    for (int unit = 0; unit < Hidden; ++unit) cells[unit] = cell[unit], outputs[threadIdx.x * Hidden + unit] = hidden[unit];
}

template <int Hidden, float (*Activation)(float)>
__global__ void gated(const float *input, const float *weights, float *state, int steps) {
    float hidden = state[threadIdx.x];
    for (int step = 0; step < steps; ++step) {
        float reset = input[step], update = input[step + 1], fresh = input[step + 2];
#pragma unroll
        for (int k = 0; k < Hidden; ++k) {
            const float other = __shfl_sync(~0u, hidden, k);
            reset += weights[k] * other, update += weights[Hidden + k] * other, fresh += weights[2 * Hidden + k] * other;
        }
        update = sigmoid(update);
        hidden = update * hidden + (1 - update) * Activation(fresh * sigmoid(reset));
    }
    state[threadIdx.x] = hidden;
}

template <class T, int Each>
__global__ void normalise(T *rows, const float *scale, const float *shift, int width, float epsilon) {
    float values[Each], sum = 0, squares = 0;
#pragma unroll
    for (int item = 0; item < Each; ++item) {
        values[item] = (float)rows[blockIdx.x * width + item * 32 + threadIdx.x];
        sum += values[item], squares += values[item] * values[item];
    }
    for (int mask = 16; mask; mask /= 2) sum += __shfl_xor_sync(~0u, sum, mask), squares += __shfl_xor_sync(~0u, squares, mask);
    const float mean = sum / width, factor = rsqrtf(squares / width - mean * mean + epsilon);
#pragma unroll
    for (int item = 0; item < Each; ++item)
        rows[blockIdx.x * width + item * 32 + threadIdx.x] = T((values[item] - mean) * factor * scale[item] + shift[item]);
}

template <class T, int Each>
__global__ void adam(T *weights, const T *slopes, float *first, float *second, float rate, float b1, float b2, int count) {
#pragma unroll
    for (int item = 0; item < Each; ++item) {
        const int at = (blockIdx.x * Each + item) * blockDim.x + threadIdx.x;
        if (at >= count) return;
        const float slope = (float)slopes[at];
        const float m = first[at] = b1 * first[at] + (1 - b1) * slope, v = second[at] = b2 * second[at] + (1 - b2) * slope * slope;
        weights[at] = T((float)weights[at] - rate * m / (sqrtf(v) + 1e-8f));
    }
}
