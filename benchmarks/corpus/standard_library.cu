// Containers, numbers and algorithms of libcu++: what people write who write C++ for the device.
// Makes nvcc emit: calls with structures, local depots, chains of branches from variants and optionals, 128-bit integers, bit counts.
// targets: sm_75 sm_86 sm_90 sm_120
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/variant>

namespace cs = cuda::std;

__global__ void spans(const int *data, int *out, int n) {
    cs::span<const int> all(data, n);
    auto head = all.first(n / 2);
    int sum = 0;
    for (int value : head) sum += value;
    cs::array<int, 8> local{1, 2, 3, 4, 5, 6, 7, 8};
    for (auto &x : local) x *= sum;
    out[threadIdx.x] = local[threadIdx.x & 7] + head.back();
}

__device__ cs::optional<float> root(float x) {
    if (x < 0) return cs::nullopt;
    return sqrtf(x);
}

__global__ void optionals(const float *in, float *out) {
    auto r = root(in[threadIdx.x]);
    out[threadIdx.x] = r.value_or(-1.0f) + (r ? 1.0f : 0.0f);
}

struct Circle { float r; };
struct Box { float w, h; };
struct Polygon { double side; int corners; };

__global__ void variants(const int *kinds, float *out) {
    cs::variant<Circle, Box, Polygon> shape;
    switch (kinds[threadIdx.x] % 3) {
    case 0: shape = Circle{2.0f}; break;
    case 1: shape = Box{1.0f, (float)threadIdx.x}; break;
    default: shape = Polygon{3.0, kinds[threadIdx.x]};
    }
    struct Area {
        __device__ float operator()(const Circle &c) const { return 3.14f * c.r * c.r; }
        __device__ float operator()(const Box &b) const { return b.w * b.h; }
        __device__ float operator()(const Polygon &p) const { return (float)(p.side * p.corners); }
    };
    out[threadIdx.x] = cs::visit(Area{}, shape);
}

__global__ void numbers(const unsigned long long *in, unsigned long long *out) {
    unsigned long long x = in[threadIdx.x];
    out[0] = cs::popcount(x) + cs::countl_zero(x) + cs::countr_one((unsigned)x) + cs::bit_width(x);
    out[1] = cs::rotl(x, 13) ^ cs::rotr((unsigned)x, 5) ^ cs::bit_ceil((unsigned)x);
    out[2] = cs::gcd(x, 36ull) + cs::lcm((unsigned)x, 8u) + cs::midpoint(x, 99ull);
    out[3] = cs::bit_cast<unsigned long long>(1.0 / (double)x);
    __int128 wide = (__int128)x * x - 7;
    out[4] = (unsigned long long)(wide >> 50) + (unsigned long long)(wide / 1000003);
    out[5] = cs::numeric_limits<int>::max() - x % 17;
}

__global__ void complexes(cs::complex<float> *a, cs::complex<double> *b) {
    auto z = a[threadIdx.x];
    auto w = b[threadIdx.x];
    a[threadIdx.x] = z * z + cs::complex<float>(1, 2) / z + cs::exp(z);
    b[threadIdx.x] = cs::sqrt(w) * cs::conj(w) + cs::polar(1.0, cs::arg(w));
}

__global__ void tuples(const int *in, float *out) {
    auto t = cs::make_tuple(in[0], (float)in[1], (double)in[2]);
    auto [a, b, c] = t;
    auto u = cs::apply([](int x, float y, double z) { return (float)(x * y + z); }, t);
    out[threadIdx.x] = a + b + (float)c + u;
}

__global__ void spaces(float *data, int rows, int columns) {
    cs::mdspan<float, cs::extents<int, cs::dynamic_extent, cs::dynamic_extent>> m(data, rows, columns);
    for (int i = threadIdx.x; i < m.extent(0); i += blockDim.x)
        for (int j = 0; j < m.extent(1); ++j) m(i, j) = m(i, j) * 2 + i - j;
}

__global__ void times(long long *out) {
    auto begin = cs::chrono::system_clock::now();
    auto d = begin.time_since_epoch();
    out[threadIdx.x] = cs::chrono::duration_cast<cs::chrono::milliseconds>(d).count();
}
