// Calls of every kind: pointers to functions, virtual functions, recursion, large arguments and results, variable jumps.
// Makes nvcc emit: .func with .param arrays, call with prototypes, tables of functions, virtual tables, .branchtargets, .weak, brx.idx.
// targets: sm_75 sm_80 sm_90a sm_100a

struct Matrix {
    float cells[4][4];
};

using Unary = float (*)(float);

__device__ float twice(float x) { return x + x; }
__device__ float square(float x) { return x * x; }
__device__ __noinline__ float wave(float x) { return sinpif(x) * 0.5f; }

__device__ Unary table[4] = {twice, square, wave, twice};
__constant__ Unary fixed_table[2] = {wave, square};

__global__ void through_pointers(float *values, int which) {
    const float x = values[threadIdx.x];
    values[threadIdx.x] = table[which & 3](x) + fixed_table[which & 1](x);
}

class Shape {
  public:
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual float scaled(float factor, int power) const { return powf(factor, power) * area(); }
};

class Circle : public Shape {
  public:
    __device__ explicit Circle(float radius) : radius_(radius) {}
    __device__ float area() const override { return 3.14159265f * radius_ * radius_; }

  private:
    float radius_;
};

class Box : public Shape {
  public:
    __device__ Box(float width, float height) : width_(width), height_(height) {}
    __device__ float area() const override { return width_ * height_; }
    __device__ float scaled(float factor, int) const override { return factor * area(); }

  private:
    float width_, height_;
};

__global__ void through_virtual_tables(float *values, int kind) {
    Shape *shape = kind ? static_cast<Shape *>(new Circle(values[0])) : new Box(values[0], values[1]);
    values[2] = shape->area() + shape->scaled(2.0f, kind);
    delete shape;
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __noinline__ Matrix multiply(const Matrix left, const Matrix right) {
    Matrix product;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            float sum = 0;
            for (int k = 0; k < 4; ++k)
                sum += left.cells[i][k] * right.cells[k][j];
            product.cells[i][j] = sum;
        }
    return product;
}

__device__ __noinline__ long long mixed(char a, short b, unsigned char c, double d, long long e, float4 f, bool g) {
    return a + b + c + static_cast<long long>(d) + e + static_cast<long long>(f.x + f.w) + (g ? 1 : 2);
}

__global__ void with_large_arguments(Matrix *matrices, long long *result, unsigned depth) {
    matrices[0] = multiply(matrices[1], matrices[2]);
    result[0] = mixed(1, -2, 3, 4.5, 6, make_float4(1, 2, 3, 4), depth != 0);
    result[1] = ackermann(depth & 3, depth >> 2);
}

// A switch dense enough for a table of jumps.
__global__ void through_jumps(int *values, const int *program, int length) {
    int accumulator = values[threadIdx.x];
    for (int i = 0; i < length; ++i)
        switch (program[i]) {
        case 0: accumulator += 7; break;
        case 1: accumulator *= program[++i]; break;
        case 2: accumulator ^= accumulator >> 3; break;
        case 3: accumulator = __popc(accumulator); break;
        case 4: accumulator = values[accumulator & 31]; break;
        case 5: __syncthreads(); break;
        case 6: accumulator = __brev(accumulator); break;
        case 7: accumulator = -accumulator; break;
        case 8: accumulator = __clz(accumulator); break;
        case 9: accumulator = ~accumulator; break;
        case 10: accumulator -= program[++i]; break;
        case 11: accumulator = __vabsdiffs4(accumulator, i); break;
        case 12: accumulator /= program[++i]; break;
        default: __trap();
        }
    values[threadIdx.x] = accumulator;
}
