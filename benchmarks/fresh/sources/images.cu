// Images: textures and surfaces, convolution with constant tables, colours, rays through a volume, morphology.
// least: sm_75
// taps = 3 5 7 9
// channels = 1 2 4
// use: template __global__ void sampled<{taps}>(cudaTextureObject_t, float *, int, float);
// use: template __global__ void written<{taps}>(cudaSurfaceObject_t, const uchar4 *, int);
// use: template __global__ void filtered<{taps}, {channels}>(const unsigned char *, unsigned char *, int, int);
// use: template __global__ void colours<{taps}>(const uchar3 *, float3 *, int);
// use: template __global__ void rays<{taps}>(cudaTextureObject_t, float4 *, float3, float3);
// use: template __global__ void median<{taps}>(const short *, short *, int);

__constant__ float kernel_table[81] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};
__constant__ int offsets[5][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}};

template <int Taps>
__global__ void sampled(cudaTextureObject_t image, float *to, int width, float scale) {
    float sum = 0;
#pragma unroll
    for (int tap = 0; tap < Taps; ++tap) {
        sum += tex2D<float>(image, threadIdx.x * scale + tap, blockIdx.x) + tex1Dfetch<float>(image, tap);
        sum += tex2DLod<float>(image, tap, scale, 1.5f) + tex2Dgather<float4>(image, scale, tap, 2).y;
    }
    to[blockIdx.x * width + threadIdx.x] = sum;
}

template <int Taps>
__global__ void written(cudaSurfaceObject_t image, const uchar4 *from, int width) {
#pragma unroll
    for (int tap = 0; tap < Taps; ++tap) {
        uchar4 pixel = surf2Dread<uchar4>(image, threadIdx.x * 4, blockIdx.x + tap, cudaBoundaryModeClamp);
        pixel.x = __usad(pixel.x, from[tap].y, pixel.z), pixel.w = max(pixel.w, from[tap].x);
        surf2Dwrite(pixel, image, threadIdx.x * 4, blockIdx.x + tap, cudaBoundaryModeZero);
    }
}

template <int Taps, int Channels>
__global__ void filtered(const unsigned char *from, unsigned char *to, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width - Taps || y >= height - Taps) return;
#pragma unroll
    for (int channel = 0; channel < Channels; ++channel) {
        float sum = 0.5f;
#pragma unroll
        for (int row = 0; row < Taps; ++row)
#pragma unroll
            for (int column = 0; column < Taps; ++column)
                sum += kernel_table[row * Taps + column] * from[((y + row) * width + x + column) * Channels + channel];
        to[(y * width + x) * Channels + channel] = (unsigned char)__saturatef(sum / 255.0f) * 255;
    }
}

template <int Turns>
__global__ void colours(const uchar3 *from, float3 *to, int count) {
    for (int turn = 0; turn < Turns; ++turn) {
        const int at = (blockIdx.x * Turns + turn) * blockDim.x + threadIdx.x;
        if (at >= count) return;
        const float r = from[at].x / 255.0f, g = from[at].y / 255.0f, b = from[at].z / 255.0f;
        const float most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b)), range = most - least;
        float hue = 0;
        if (range > 0) hue = most == r ? (g - b) / range : most == g ? 2 + (b - r) / range : 4 + (r - g) / range;
        to[at] = {hue < 0 ? hue + 6 : hue, most > 0 ? range / most : 0, most};
    }
}

template <int Steps>
__global__ void rays(cudaTextureObject_t volume, float4 *to, float3 origin, float3 direction) {
    float4 colour = {0, 0, 0, 0};
#pragma unroll
    for (int step = 0; step < Steps; ++step) {
        const float t = step * 0.1f, density = tex3D<float>(volume, origin.x + t * direction.x, origin.y + t * direction.y, origin.z + t * direction.z);
        const float weight = (1 - colour.w) * density;
        colour.x += weight * kernel_table[step], colour.y += weight * density, colour.z += weight, colour.w += weight;
        if (colour.w > 0.99f) break;
    }
    to[threadIdx.x] = colour;
}

template <int Count>
__global__ void median(const short *from, short *to, int width) {
    short window[Count];
#pragma unroll
    for (int k = 0; k < Count; ++k) window[k] = from[threadIdx.x + offsets[k % 5][0] + offsets[k % 5][1] * width + k / 5];
#pragma unroll
    for (int k = 0; k <= Count / 2; ++k)
#pragma unroll
        for (int j = k + 1; j < Count; ++j) {
            const short small = min(window[k], window[j]);
            window[j] = max(window[k], window[j]), window[k] = small;
        }
    to[threadIdx.x] = window[Count / 2];
}
