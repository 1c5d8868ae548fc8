// Fourier transforms of several radices in registers and through shared memory; twiddle factors computed or from a table.
// least: sm_75
// pair = float2 double2
// radix = 2 3 4 5 8
// points = 64 128 256 512
// use: template __global__ void transform<{pair}, {radix}>(const {pair} *, {pair} *, int);
// use: template __global__ void shared_transform<{pair}, {points}>({pair} *);
// use: template __global__ void convolve<{pair}, {radix}>(const {pair} *, const {pair} *, {pair} *);

__constant__ float2 twiddles[64] = {{1.0f, 0.0f}, {0.99518f, -0.098017f}, {0.98079f, -0.19509f}, {0.95694f, -0.29028f}};

template <class P> struct Real;
template <> struct Real<float2> { typedef float type; };
template <> struct Real<double2> { typedef double type; };
__device__ __forceinline__ void turn(float by, float *sine, float *cosine) { sincospif(by, sine, cosine); }
__device__ __forceinline__ void turn(double by, double *sine, double *cosine) { sincospi(by, sine, cosine); }

template <class P> __device__ __forceinline__ P times(P a, P b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
template <class P> __device__ __noinline__ P rotated(P value, int step, int of) {
    typename Real<P>::type sine, cosine;
    turn((typename Real<P>::type)(-2) * step / of, &sine, &cosine);
    return times(value, P{cosine, sine});
}

template <class P, int Radix>
__global__ void transform(const P *from, P *to, int stride) {
    P values[Radix], sums[Radix];
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < Radix; ++k) values[k] = rotated(from[at + k * stride], k * (at % stride), Radix * stride);
#pragma unroll
    for (int j = 0; j < Radix; ++j) {
        sums[j] = values[0];
#pragma unroll
        for (int k = 1; k < Radix; ++k) {
            typename Real<P>::type sine, cosine;
            turn((typename Real<P>::type)(-2) * (j * k % Radix) / Radix, &sine, &cosine);
            const P turned = times(values[k], P{cosine, sine});
            sums[j].x += turned.x, sums[j].y += turned.y;
        }
    }
#pragma unroll
    for (int j = 0; j < Radix; ++j) to[at * Radix + j] = sums[j];
}

template <class P, int Points>
__global__ void shared_transform(P *data) {
    __shared__ P row[Points];
    const int lane = threadIdx.x;
    row[__brev(lane) >> (32 - __ffs(Points) + 1)] = data[blockIdx.x * Points + lane];
#pragma unroll
    for (int width = 1; width < Points; width *= 2) {
        __syncthreads();
        if (lane < Points / 2) {
            const int low = lane / width * 2 * width + lane % width;
            const float2 w = twiddles[lane % width * (64 / width) & 63];
            const P other = times(row[low + width], P{w.x, w.y}), one = row[low];
            row[low] = {one.x + other.x, one.y + other.y}, row[low + width] = {one.x - other.x, one.y - other.y};
        }
    }
    __syncthreads();
    data[blockIdx.x * Points + lane] = row[lane];
}

template <class P, int Taps>
__global__ void convolve(const P *signal, const P *filter, P *to) {
    P sum = {0, 0};
#pragma unroll
    for (int tap = 0; tap < Taps; ++tap) {
        const P part = times(signal[threadIdx.x + tap], filter[tap]);
        sum.x += part.x, sum.y += part.y;
    }
    to[threadIdx.x] = sum;
}
