// The double functions of CUDA's mathematical library.
// Makes nvcc emit: f64 arithmetic with 0d literals, mov.b64 packing and unpacking, calls of internal library functions, slow paths.
// targets: sm_75 sm_80 sm_90a sm_100a

#define MAP(name, expression)                                         \
    __global__ void map_##name(double *values, const double *others) { \
        const double x = values[threadIdx.x], y = others[threadIdx.x];  \
        values[threadIdx.x] = expression;                              \
    }

MAP(sine, sin(x) + cos(y))
MAP(tangent, tan(x) - atan2(x, y))
MAP(power, pow(x, y) + exp2(x) + exp10(y))
MAP(logarithm, log(x) * log1p(y) + log2(x) - log10(y))
MAP(hyperbolic, sinh(x) + cosh(y) + tanh(x) + asinh(y) + acosh(x) + atanh(y))
MAP(inverse, asin(x) + acos(y) + atan(x))
MAP(error_function, erf(x) + erfc(y) + erfcx(x) + erfinv(y) + erfcinv(x) + normcdf(y) + normcdfinv(x))
MAP(gamma, tgamma(x) + lgamma(y))
MAP(bessel, j0(x) + j1(y) + y0(x) + y1(y) + jn(3, x) + yn(2, y) + cyl_bessel_i0(x) + cyl_bessel_i1(y))
MAP(remainder, fmod(x, y) + remainder(x, y))
MAP(roots, sqrt(x) + rsqrt(y) + cbrt(x) + rcbrt(y) + hypot(x, y) + rhypot(x, y) + norm3d(x, y, x) + rnorm4d(x, y, x, y))
MAP(rounding, rint(x) + floor(y) + ceil(x) + trunc(y) + round(x) + nearbyint(y) + lrint(x) + llround(y))
MAP(parts, frexp(x, reinterpret_cast<int *>(values + 32)) + ldexp(y, 3) + logb(x) + ilogb(y) + modf(x, values + 64))
MAP(comparison, fmax(x, y) + fmin(x, 3.0) + fdim(x, y) + copysign(x, y) + fabs(y) + nextafter(x, y))
MAP(directed, __dadd_rd(x, y) + __dsub_ru(x, y) + __dmul_rz(x, y) + __fma_rn(x, y, x) + __ddiv_rd(x, y) + __dsqrt_ru(x) + __drcp_rz(y))
MAP(conversions, __double2int_rd(x) + __double2uint_ru(y) + __double2ll_rz(x) + __ull2double_rn(7ull * threadIdx.x) + __double2float_rn(x) + __hiloint2double(__double2hiint(x), __double2loint(y)) + __longlong_as_double(__double_as_longlong(y) ^ 1))
MAP(division, x / y + 1.0 / x)

// A small Gauss elimination in registers and local memory.
__global__ void solve(const double *matrices, const double *right_sides, double *solutions, int size) {
    double rows[6][7];
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j)
            rows[i][j] = matrices[(place * size + i) * size + j];
        rows[i][6] = right_sides[place * size + i];
    }
    for (int pivot = 0; pivot < size; ++pivot) {
        int best = pivot;
        for (int i = pivot + 1; i < size; ++i)
            if (fabs(rows[i][pivot]) > fabs(rows[best][pivot]))
                best = i;
        for (int j = 0; j < 7; ++j) {
            const double kept = rows[pivot][j];
            rows[pivot][j] = rows[best][j];
            rows[best][j] = kept;
        }
        for (int i = pivot + 1; i < size; ++i) {
            const double factor = rows[i][pivot] / rows[pivot][pivot];
            for (int j = pivot; j < 7; ++j)
                rows[i][j] = fma(-factor, rows[pivot][j], rows[i][j]);
        }
    }
    for (int i = size - 1; i >= 0; --i) {
        double value = rows[i][6];
        for (int j = i + 1; j < size; ++j)
            value -= rows[i][j] * solutions[place * size + j];
        solutions[place * size + i] = value / rows[i][i];
    }
}
