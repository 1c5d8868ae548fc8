// Products of block-scaled and narrow floats: what only sm_120a has.
// exactly: sm_120a
// rows = 1 2 3 4
// columns = 1 2 3 4
// use: template __global__ void scaled<{rows}, {columns}>(const unsigned *, const unsigned *, const unsigned *, float *, int);
// use: template __global__ void narrow<{rows}, {columns}>(const unsigned *, const unsigned *, float *);

template <int Rows, int Columns>
__global__ void scaled(const unsigned *left, const unsigned *right, const unsigned *scales, float *to, int steps) {
    float d[Rows][Columns][4] = {};
    for (int step = 0; step < steps; ++step)
#pragma unroll
        for (int row = 0; row < Rows; ++row)
#pragma unroll
            for (int column = 0; column < Columns; ++column) {
                const unsigned *a = left + (step * Rows + row) * 128 + threadIdx.x * 4, *b = right + (step * Columns + column) * 64 + threadIdx.x * 2;
                asm volatile("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 "
                             "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, %10, {0, 0}, %11, {0, 0};"
                             : "+f"(d[row][column][0]), "+f"(d[row][column][1]), "+f"(d[row][column][2]), "+f"(d[row][column][3])
                             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(scales[row]), "r"(scales[column + 8]));
            }
#pragma unroll
    for (int part = 0; part < 4 * Rows * Columns; ++part) to[part * 32 + threadIdx.x] = d[part / 4 / Columns][part / 4 % Columns][part % 4];
}

template <int Rows, int Columns>
__global__ void narrow(const unsigned *left, const unsigned *right, float *to) {
    float d[Rows][Columns][4] = {};
#pragma unroll
    for (int row = 0; row < Rows; ++row)
#pragma unroll
        for (int column = 0; column < Columns; ++column)
            asm volatile("mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e3m2.e2m3.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(d[row][column][0]), "+f"(d[row][column][1]), "+f"(d[row][column][2]), "+f"(d[row][column][3])
                         : "r"(left[row]), "r"(left[row + 1]), "r"(left[row + 2]), "r"(left[row + 3]), "r"(right[column]), "r"(right[column + 1]));
#pragma unroll
    for (int part = 0; part < 4 * Rows * Columns; ++part) to[part * 32 + threadIdx.x] = d[part / 4 / Columns][part / 4 % Columns][part % 4];
}
