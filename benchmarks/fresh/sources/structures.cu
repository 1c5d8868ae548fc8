// Structures by value to kernels and between functions that are not inlined; classes with virtual functions; unions; bit fields.
// least: sm_75
// count = 2 3 4 5 7 9 12
// type = float double int long
// use: template __global__ void by_value<{type}, {count}>(Bundle<{type}, {count}>, {type} *);
// use: template __global__ void through_functions<{type}, {count}>(const Bundle<{type}, {count}> *, Bundle<{type}, {count}> *, int);
// use: template __global__ void shapes<{count}>(const float *, float *, int);
// use: template __global__ void packed<{count}>(Packed *, int);
// use: template __global__ void quaternions<{type}, {count}>(Four<{type}> *, Four<{type}>);

template <class T, int Count> struct Bundle {
    char tag;
    T items[Count];
    short length;
    T *more;
};

template <class T, int Count>
__global__ void by_value(Bundle<T, Count> bundle, T *to) {
    T sum = 0;
#pragma unroll 1
    for (int at = 0; at < bundle.length; ++at) sum += bundle.items[at] * bundle.more[threadIdx.x];
    to[threadIdx.x] = sum + bundle.tag;
}

template <class T, int Count>
__device__ __noinline__ Bundle<T, Count> combined(Bundle<T, Count> a, const Bundle<T, Count> &b, int depth) {
    for (int at = 0; at < Count; ++at) a.items[at] = a.items[at] > b.items[at] ? a.items[at] - b.items[at] : b.items[at];
    a.length = (short)(a.length + b.length), a.tag ^= b.tag;
    return depth > 0 ? combined(b, a, depth - 1) : a;
}

template <class T, int Count>
__global__ void through_functions(const Bundle<T, Count> *from, Bundle<T, Count> *to, int depth) {
    to[threadIdx.x] = combined(from[threadIdx.x], from[threadIdx.x + 1], depth);
}

struct Shape {
    float size;
    __device__ Shape(float size) : size(size) {}
    __device__ virtual float area() const = 0;
    __device__ virtual float grown(int by) const { return size * by; }
};
struct Square : Shape {
    __device__ Square(float size) : Shape(size) {}
    __device__ float area() const override { return size * size; }
};
struct Disc : Shape {
    __device__ Disc(float size) : Shape(size) {}
    __device__ float area() const override { return 3.14159265f * size * size; }
    __device__ float grown(int by) const override { return size + by; }
};

template <int Count>
__global__ void shapes(const float *sizes, float *to, int kind) {
    float sum = 0;
    for (int at = 0; at < Count; ++at) {
        Square square(sizes[at]);
        Disc disc(sizes[at + 1]);
        Shape *shape = (kind >> at & 1) ? (Shape *)&square : (Shape *)&disc;
        sum += shape->area() * shape->grown(Count);
    }
    to[threadIdx.x] = sum;
}

struct __align__(16) Packed {
    unsigned low : 5, middle : 11, high : 16;
    union { float real; int whole; unsigned char bytes[4]; };
    unsigned long long wide : 40;
};

template <int Count>
__global__ void packed(Packed *items, int flags) {
#pragma unroll
    for (int at = 0; at < Count; ++at) {
        Packed item = items[threadIdx.x * Count + at];
        item.middle = item.low * 3 + flags, item.high ^= item.middle, item.wide += item.bytes[at & 3];
        if (item.whole < 0) item.real = -item.real;
        items[threadIdx.x * Count + at] = item;
    }
}

template <class T> struct Four { T x, y, z, w; };
template <class T> __device__ __noinline__ Four<T> multiplied(Four<T> a, Four<T> b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
template <class T, int Count>
__global__ void quaternions(Four<T> *items, Four<T> by) {
    Four<T> item = items[threadIdx.x];
    for (int at = 0; at < Count; ++at) item = multiplied(item, by);
    items[threadIdx.x] = item;
}
