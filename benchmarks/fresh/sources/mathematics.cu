// The mathematical library in single and double precision, polynomials, roots, integration, options on shares.
// least: sm_75
// unary = sin cos tan exp log log1p expm1 sinh cosh atan asin acos cbrt erf erfc tgamma lgamma j0 y1 erfinv normcdfinv exp10 rsqrt sinpi
// binary = pow atan2 hypot fmod remainder fdim nextafter copysign
// type = float double
// order = 3 5 6 8 11
// use: FUNCTION_OF_ONE({type}, {unary})
// use: FUNCTION_OF_TWO({type}, {binary})
// use: template __global__ void horner<{type}, {order}>(const {type} *, {type} *, {type});
// use: template __global__ void options<{type}, {order}>(const float *, const {type} *, {type} *, float);
// use: template __global__ void newton<{type}, {order}>(const {type} *, {type} *);
// use: template __global__ void orbit<{order}>(double4_16a *, double);
// use: template __global__ void rounded<{order}>(const double *, float *, long long *, int *);

#define FUNCTION_OF_ONE(TYPE, NAME)                                                   \
    extern "C" __global__ void TYPE##_##NAME(const TYPE *from, TYPE *to, int count) {  \
        const int at = blockIdx.x * blockDim.x + threadIdx.x;                         \
        if (at < count) to[at] = NAME(from[at]);                                      \
    }
#define FUNCTION_OF_TWO(TYPE, NAME)                                                   \
    extern "C" __global__ void TYPE##_##NAME(const TYPE *from, TYPE *to, int count) {  \
        const int at = blockIdx.x * blockDim.x + threadIdx.x;                         \
        if (at < count) to[at] = NAME(from[at], to[at]);                              \
    }

template <class T, int Order>
__global__ void horner(const T *coefficients, T *to, T step) {
    const T x = threadIdx.x * step;
    T value = coefficients[0], slope = 0;
#pragma unroll
    for (int k = 1; k <= Order; ++k) slope = fma(slope, x, value), value = fma(value, x, coefficients[k]);
    to[threadIdx.x] = value / slope;
}

template <class T, int Steps>
__global__ void options(const float *prices, const T *strikes, T *to, float rate) {
    const T spot = prices[threadIdx.x], strike = strikes[threadIdx.x];
    T sum = 0;
#pragma unroll
    for (int step = 1; step <= Steps; ++step) {
        const T root = sqrt((T)step), d = (log(spot / strike) + (rate + (T)0.02) * step) / ((T)0.2 * root);
        sum += spot * normcdf(d) - strike * exp(-rate * step) * normcdf(d - (T)0.2 * root);
    }
    to[threadIdx.x] = sum;
}

template <class T, int Degree>
__global__ void newton(const T *from, T *to) {
    T x = from[threadIdx.x];
    for (int turn = 0; turn < 50; ++turn) {
        const T power = pow(x, (T)(Degree - 1)), change = (power * x - from[threadIdx.x]) / (Degree * power);
        x -= change;
        if (fabs(change) < (T)1e-6 * fabs(x) || isnan(x)) break;
    }
    to[threadIdx.x] = x;
}

template <int Bodies>
__global__ void orbit(double4_16a *bodies, double step) {
    double3 force = {0, 0, 0};
    const double4_16a mine = bodies[threadIdx.x];
#pragma unroll
    for (int body = 0; body < Bodies; ++body) {
        const double4_16a other = bodies[body];
        const double dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
        const double inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1e-9), factor = other.w * inverse * inverse * inverse;
        force.x += dx * factor, force.y += dy * factor, force.z += dz * factor;
    }
    bodies[threadIdx.x] = {mine.x + step * force.x, mine.y + step * force.y, mine.z + step * force.z, mine.w};
}

template <int Each>
__global__ void rounded(const double *from, float *real, long long *wide, int *whole) {
#pragma unroll
    for (int item = 0; item < Each; ++item) {
        const double value = from[threadIdx.x * Each + item];
        real[item] = __double2float_rd(value) + __dadd_ru(value, item) + __fmul_rz((float)value, 3.0f);
        wide[item] = __double2ll_rn(value) + llrint(value * 3) + __double_as_longlong(__ddiv_rz(value, 7.0));
        whole[item] = __double2int_ru(value) + (int)trunc(value) + __double2hiint(value) + ilogb(value);
    }
}
