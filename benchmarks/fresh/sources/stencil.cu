// Stencils in two and three dimensions, heat, waves and life, from global, shared and constant memory.
// least: sm_75
// type = float double
// radius = 1 2 3 4
// tile = 8 16 32
// use: template __global__ void plane<{type}, {radius}, {tile}>(const {type} *, {type} *, int, int);
// use: template __global__ void space<{type}, {radius}>(const {type} *, {type} *, int, int, int, {type});
// use: template __global__ void wave<{type}, {radius}>(const {type} *, const {type} *, {type} *, const {type} *, int);
// use: template __global__ void life<{radius}, {tile}>(const unsigned char *, unsigned char *, int);

__constant__ double weights[9] = {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 1, 2, 3};

template <class T, int Radius, int Tile>
__global__ void plane(const T *from, T *to, int width, int height) {
    __shared__ T cells[Tile + 2 * Radius][Tile + 2 * Radius + 1];
    for (int y = threadIdx.y; y < Tile + 2 * Radius; y += blockDim.y)
        for (int x = threadIdx.x; x < Tile + 2 * Radius; x += blockDim.x) {
            const int column = min(max((int)(blockIdx.x * Tile) + x - Radius, 0), width - 1);
            const int row = min(max((int)(blockIdx.y * Tile) + y - Radius, 0), height - 1);
            cells[y][x] = from[row * width + column];
        }
    __syncthreads();
    T sum = 0;
#pragma unroll
    for (int dy = -Radius; dy <= Radius; ++dy)
#pragma unroll
        for (int dx = -Radius; dx <= Radius; ++dx)
            sum += (T)weights[abs(dx) + abs(dy)] * cells[threadIdx.y + Radius + dy][threadIdx.x + Radius + dx];
    const int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
    if (x < width && y < height) to[y * width + x] = sum;
}

template <class T, int Radius>
__global__ void space(const T *from, T *to, int nx, int ny, int nz, T step) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + Radius, y = blockIdx.y * blockDim.y + threadIdx.y + Radius;
    T column[2 * Radius + 1];
    if (x >= nx - Radius || y >= ny - Radius) return;
#pragma unroll
    for (int k = 0; k < 2 * Radius; ++k) column[k + 1] = from[(k * ny + y) * nx + x];
    for (int z = Radius; z < nz - Radius; ++z) {
#pragma unroll
        for (int k = 0; k < 2 * Radius; ++k) column[k] = column[k + 1];
        column[2 * Radius] = from[((z + Radius) * ny + y) * nx + x];
        T sum = -6 * column[Radius];
#pragma unroll
        for (int r = 1; r <= Radius; ++r)
            sum += (column[Radius + r] + column[Radius - r] + from[(z * ny + y) * nx + x + r] + from[(z * ny + y) * nx + x - r] +
                    from[(z * ny + y + r) * nx + x] + from[(z * ny + y - r) * nx + x]) / (r * r);
        to[(z * ny + y) * nx + x] = column[Radius] + step * sum;
    }
}

template <class T, int Order>
__global__ void wave(const T *before, const T *now, T *after, const T *speed, int count) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    T slope = -2 * now[at];
    for (int reach = 1; reach <= Order; ++reach) {
        if (at >= reach) slope += __ldg(now + at - reach) / (T)reach;
        if (at + reach < count) slope += __ldg(now + at + reach) / (T)reach;
    }
    after[at] = 2 * now[at] - before[at] + speed[at] * speed[at] * slope;
}

template <int Radius, int Tile>
__global__ void life(const unsigned char *from, unsigned char *to, int width) {
    const int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
    int alive = 0;
#pragma unroll
    for (int dy = -Radius; dy <= Radius; ++dy)
#pragma unroll
        for (int dx = -Radius; dx <= Radius; ++dx) alive += (dx || dy) ? from[(y + dy) * width + x + dx] : 0;
    to[y * width + x] = alive == 3 || (alive == 2 && from[y * width + x]);
}
