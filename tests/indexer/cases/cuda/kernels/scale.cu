#include "scale.cuh" //: imports scale.cuh
__device__ float scale(float x) { return 2 * x; }
__global__ void kernel(float* data) { data[0] = scale(data[0]); } //: calls scale
void launch(float* data, int n) {
  kernel<<<n, 256>>>(data); //: calls kernel
}
struct Buffer {
  float* data;
  __host__ __device__ float first() const { return scale(data[0]); } //: calls scale
};
__global__ void fill(Buffer buffer) { buffer.data[0] = buffer.first(); } //: calls Buffer.first
template <typename T> __device__ T twice(T x) { return x + x; }
__device__ float both(float x) { return twice<float>(scale(x)); } //: calls twice, scale
