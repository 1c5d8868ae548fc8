// Texture and surface objects of all geometries.
// Makes nvcc emit: tex, tld4, tex.level, tex.grad, sust, suld, with 64-bit handles as parameters and vectors of results.
// targets: sm_75 sm_80 sm_90a sm_100a

__global__ void lines_and_planes(cudaTextureObject_t image, float4 *output, float x, float y) {
    output[0] = tex1D<float4>(image, x);
    output[1] = tex1Dfetch<float4>(image, threadIdx.x);
    output[2] = tex2D<float4>(image, x, y);
    output[3] = tex2DLod<float4>(image, x, y, 2.0f);
    output[4] = tex2DGrad<float4>(image, x, y, make_float2(0.5f, 0.25f), make_float2(0.125f, 1.0f));
    output[5] = tex1DLod<float4>(image, x, 1.0f);
    output[6] = tex1DGrad<float4>(image, x, 0.5f, 0.25f);
    output[7] = tex2Dgather<float4>(image, x, y, 0);
    output[8] = tex2Dgather<float4>(image, x, y, 3);
}

__global__ void volumes_layers_cubes(cudaTextureObject_t image, float4 *output, float x, float y, float z, int layer) {
    output[0] = tex3D<float4>(image, x, y, z);
    output[1] = tex3DLod<float4>(image, x, y, z, 1.5f);
    output[2] = tex3DGrad<float4>(image, x, y, z, make_float4(1, 2, 3, 0), make_float4(4, 5, 6, 0));
    output[3] = tex1DLayered<float4>(image, x, layer);
    output[4] = tex2DLayered<float4>(image, x, y, layer);
    output[5] = tex2DLayeredLod<float4>(image, x, y, layer, 3.0f);
    output[6] = texCubemap<float4>(image, x, y, z);
    output[7] = texCubemapLod<float4>(image, x, y, z, 1.0f);
    output[8] = texCubemapLayered<float4>(image, x, y, z, layer);
}

// Other element types, and textures that say whether their page is resident.
__global__ void elements(cudaTextureObject_t image, int4 *whole, uint4 *natural, float x, float y) {
    bool resident;
    whole[0] = tex2D<int4>(image, x, y);
    natural[0] = tex3D<uint4>(image, x, y, 0.5f);
    const short2 pair = tex2D<short2>(image, x, y);
    const unsigned char single = tex1D<unsigned char>(image, x);
    const float4 sparse = tex2D<float4>(image, x, y, &resident);
    whole[1] = make_int4(pair.x, pair.y, single, resident ? static_cast<int>(sparse.x) : 0);
}

template <cudaSurfaceBoundaryMode Mode>
__global__ void surfaces(cudaSurfaceObject_t surface, uint4 *output, int x, int y, int z) {
    uint4 four = surf2Dread<uint4>(surface, x * 16, y, Mode);
    const ushort2 two = surf3Dread<ushort2>(surface, x * 4, y, z, Mode);
    four.x += two.x + surf1Dread<unsigned char>(surface, x, Mode) + surf2DLayeredread<unsigned>(surface, x * 4, y, z, Mode);
    const ulonglong2 wide = surf1DLayeredread<ulonglong2>(surface, x * 16, z, Mode);
    four.y += static_cast<unsigned>(wide.x + wide.y) + surfCubemapread<unsigned>(surface, x * 4, y, z, Mode);
    surf2Dwrite(four, surface, x * 16, y, Mode);
    surf3Dwrite(four.x, surface, x * 4, y, z, Mode);
    surf1Dwrite(static_cast<unsigned char>(four.y), surface, x, Mode);
    surf2DLayeredwrite(make_float2(1, 2), surface, x * 8, y, z, Mode);
    surfCubemapLayeredwrite(static_cast<unsigned short>(9), surface, x * 2, y, z, Mode);
    output[threadIdx.x] = four;
}

template __global__ void surfaces<cudaBoundaryModeTrap>(cudaSurfaceObject_t, uint4 *, int, int, int);
template __global__ void surfaces<cudaBoundaryModeClamp>(cudaSurfaceObject_t, uint4 *, int, int, int);
template __global__ void surfaces<cudaBoundaryModeZero>(cudaSurfaceObject_t, uint4 *, int, int, int);

// What can be asked of a handle, as inline PTX.
__global__ void properties(cudaTextureObject_t image, cudaSurfaceObject_t surface, int *output) {
    asm("txq.width.b32 %0, [%1];" : "=r"(output[0]) : "l"(image));
    asm("txq.level.height.b32 %0, [%1], 1;" : "=r"(output[1]) : "l"(image));
    asm("txq.num_mipmap_levels.b32 %0, [%1];" : "=r"(output[2]) : "l"(image));
    asm("suq.width.b32 %0, [%1];" : "=r"(output[3]) : "l"(surface));
    asm("suq.channel_order.b32 %0, [%1];" : "=r"(output[4]) : "l"(surface));
    asm volatile("sured.b.2d.add.u32.zero [%0, {%1, %2}], %3;" ::"l"(surface), "r"(output[5]), "r"(output[6]), "r"(output[7]));
}
