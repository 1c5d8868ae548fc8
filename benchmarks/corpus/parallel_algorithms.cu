// Algorithms of Thrust as kernels: by key, with iterators and tuples, sets, partitions.
// Makes nvcc emit: big tuned kernels, generic loads of tuples, decoupled look-back, local arrays, inlined functors.
// targets: sm_80 sm_89 sm_90 sm_100
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

struct Square { __host__ __device__ float operator()(float x) const { return x * x; } };
struct Mix { __host__ __device__ float operator()(thrust::tuple<float, int> t) const { return thrust::get<0>(t) * thrust::get<1>(t); } };

float totals(thrust::device_ptr<float> a, thrust::device_ptr<int> b, int n) {
    auto zipped = thrust::make_zip_iterator(thrust::make_tuple(a, b));
    float x = thrust::transform_reduce(thrust::device, a, a + n, Square(), 0.0f, thrust::plus<float>());
    x += thrust::reduce(thrust::device, thrust::make_transform_iterator(zipped, Mix()), thrust::make_transform_iterator(zipped + n, Mix()));
    return x + thrust::reduce(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), 0, thrust::maximum<int>());
}

void by_key(thrust::device_ptr<int> keys, thrust::device_ptr<float> values, thrust::device_ptr<int> out, thrust::device_ptr<float> sums, int n) {
    thrust::reduce_by_key(thrust::device, keys, keys + n, values, out, sums);
    thrust::inclusive_scan_by_key(thrust::device, keys, keys + n, values, sums);
    thrust::unique_by_key(thrust::device, keys, keys + n, values);
    thrust::set_intersection(thrust::device, keys, keys + n, out, out + n, out);
}
