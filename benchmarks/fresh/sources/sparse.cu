// Sparse matrices in several formats times vectors and matrices; a triangular solver that waits for rows.
// least: sm_75
// type = float double
// index = int long
// lanes = 2 4 8 16 32
// columns = 1 2 3 4 8
// use: template __global__ void by_rows<{type}, {index}, {lanes}>(const {index} *, const {index} *, const {type} *, const {type} *, {type} *, {index});
// use: template __global__ void by_columns<{type}, {index}, {columns}>(const {index} *, const {type} *, const {type} *, {type} *, {index}, {index});
// use: template __global__ void coordinates<{type}, {index}>(const {index} *, const {index} *, const {type} *, const {type} *, {type} *, {index});
// use: template __global__ void blocks<{type}, {columns}>(const int *, const int *, const {type} *, const {type} *, {type} *);
// use: template __global__ void solve<{type}, {lanes}>(const int *, const int *, const {type} *, {type} *, volatile int *);

template <class T, class I, int Lanes>
__global__ void by_rows(const I *heads, const I *columns, const T *values, const T *vector, T *to, I rows) {
    const I row = (blockIdx.x * (I)blockDim.x + threadIdx.x) / Lanes;
    if (row >= rows) return;
    T sum = 0;
    for (I at = heads[row] + threadIdx.x % Lanes; at < heads[row + 1]; at += Lanes) sum += values[at] * __ldg(vector + columns[at]);
#pragma unroll
    for (int offset = Lanes / 2; offset; offset /= 2) sum += __shfl_down_sync(__activemask(), sum, offset, Lanes);
    if (threadIdx.x % Lanes == 0) to[row] = sum;
}

template <class T, class I, int Columns>
__global__ void by_columns(const I *columns, const T *values, const T *matrix, T *to, I rows, I width) {
    const I row = blockIdx.x * (I)blockDim.x + threadIdx.x;
    if (row >= rows) return;
    T sums[Columns] = {};
    for (I slot = 0; slot < width; ++slot) {
        const I column = columns[slot * rows + row];
        if (column < 0) break;
        const T value = values[slot * rows + row];
#pragma unroll
        for (int k = 0; k < Columns; ++k) sums[k] += value * matrix[column * Columns + k];
    }
#pragma unroll
    for (int k = 0; k < Columns; ++k) to[row * Columns + k] = sums[k];
}

template <class T, class I>
__global__ void coordinates(const I *rows, const I *columns, const T *values, const T *vector, T *to, I count) {
    for (I at = blockIdx.x * (I)blockDim.x + threadIdx.x; at < count; at += (I)blockDim.x * gridDim.x)
        atomicAdd(to + rows[at], values[at] * vector[columns[at]]);
}

template <class T, int Size>
__global__ void blocks(const int *heads, const int *columns, const T *values, const T *vector, T *to) {
    T sums[Size] = {};
    for (int at = heads[blockIdx.x] + threadIdx.x; at < heads[blockIdx.x + 1]; at += blockDim.x) {
        T part[Size];
#pragma unroll
        for (int k = 0; k < Size; ++k) part[k] = vector[columns[at] * Size + k];
#pragma unroll
        for (int row = 0; row < Size; ++row)
#pragma unroll
            for (int k = 0; k < Size; ++k) sums[row] = fma(values[(at * Size + row) * Size + k], part[k], sums[row]);
    }
#pragma unroll
    for (int row = 0; row < Size; ++row) atomicAdd(to + blockIdx.x * Size + row, sums[row]);
}

template <class T, int Lanes>
__global__ void solve(const int *heads, const int *columns, const T *values, T *vector, volatile int *done) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes;
    T sum = vector[row];
    for (int at = heads[row]; at < heads[row + 1] - 1; ++at) {
        while (!done[columns[at]]) __threadfence();
        sum -= values[at] * ((volatile T *)vector)[columns[at]];
    }
    vector[row] = sum / values[heads[row + 1] - 1];
    __threadfence();
    done[row] = 1;
}
