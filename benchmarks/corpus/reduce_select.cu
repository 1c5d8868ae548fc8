// Device-wide reductions, selections, histograms and run-length codes of CUB.
// Makes nvcc emit: redux, vote, vectorised loads, shared-memory and global atomics of many types, f64 arithmetic in reductions.
// targets: sm_75 sm_80 sm_90a sm_100a

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>

struct IsEven {
    __device__ bool operator()(int value) const { return (value & 1) == 0; }
};

cudaError_t sum_float(void *storage, size_t &bytes, const float *input, float *output, int count) {
    return cub::DeviceReduce::Sum(storage, bytes, input, output, count);
}

cudaError_t largest_double(void *storage, size_t &bytes, const double *input, double *output, int count) {
    return cub::DeviceReduce::Max(storage, bytes, input, output, count);
}

cudaError_t place_of_smallest(void *storage, size_t &bytes, const short *input, short *smallest, long long *place, int count) {
    return cub::DeviceReduce::ArgMin(storage, bytes, input, smallest, place, static_cast<long long>(count));
}

cudaError_t sums_of_segments(void *storage, size_t &bytes, const int *input, int *output, int segments, const int *offsets) {
    return cub::DeviceSegmentedReduce::Sum(storage, bytes, input, output, segments, offsets, offsets + 1);
}

cudaError_t only_even(void *storage, size_t &bytes, const int *input, int *output, int *selected, int count) {
    return cub::DeviceSelect::If(storage, bytes, input, output, selected, count, IsEven{});
}

cudaError_t even_first(void *storage, size_t &bytes, const int *input, int *output, int *selected, int count) {
    return cub::DevicePartition::If(storage, bytes, input, output, selected, count, IsEven{});
}

cudaError_t distinct(void *storage, size_t &bytes, const unsigned char *input, unsigned char *output, int *selected, int count) {
    return cub::DeviceSelect::Unique(storage, bytes, input, output, selected, count);
}

cudaError_t run_lengths(void *storage, size_t &bytes, const int *input, int *values, int *lengths, int *runs, int count) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, input, values, lengths, runs, count);
}

cudaError_t histogram_of_bytes(void *storage, size_t &bytes, const unsigned char *samples, int *bins, int count) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, samples, bins, 257, 0, 256, count);
}

cudaError_t histogram_of_pixels(void *storage, size_t &bytes, const unsigned char *pixels, int *bins[3], int count) {
    int levels[3] = {257, 257, 257};
    float lower[3] = {0, 0, 0}, upper[3] = {256, 256, 256};
    return cub::DeviceHistogram::MultiHistogramEven<4, 3>(storage, bytes, pixels, bins, levels, lower, upper, count);
}
