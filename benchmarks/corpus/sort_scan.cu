// Device-wide radix sort, merge sort and prefix sums of CUB, for several key types.
// Makes nvcc emit: long unrolled kernels with hundreds of registers, match.any, lop3, bfe, shfl with predicates,
// decoupled look-back with ld.relaxed / st.release, PTX 128-bit loads, and (with -G) an enormous amount of debug information.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

// A comparison that is not one instruction: makes the merge sort call through a functor.
struct ByRemainder {
    int modulus;
    __device__ bool operator()(int left, int right) const {
        return left % modulus != right % modulus ? left % modulus < right % modulus : left < right;
    }
};

// An associative operator for the scan that is no addition.
struct Affine {
    float slope, offset;
};

struct Compose {
    __device__ Affine operator()(Affine first, Affine second) const {
        return {first.slope * second.slope, first.offset * second.slope + second.offset};
    }
};

cudaError_t sort_pairs(void *storage, size_t &bytes, const unsigned *keys, unsigned *sorted, const float *values,
                       float *permuted, int count) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, keys, sorted, values, permuted, count);
}

cudaError_t sort_signed_wide(void *storage, size_t &bytes, const long long *keys, long long *sorted, int count) {
    return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, keys, sorted, count);
}

cudaError_t sort_by_remainder(void *storage, size_t &bytes, int *keys, int count) {
    return cub::DeviceMergeSort::SortKeys(storage, bytes, keys, count, ByRemainder{7});
}

cudaError_t running_sum(void *storage, size_t &bytes, const int *input, int *output, int count) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, input, output, count);
}

cudaError_t running_composition(void *storage, size_t &bytes, const Affine *input, Affine *output, int count) {
    return cub::DeviceScan::InclusiveScan(storage, bytes, input, output, Compose{}, count);
}
