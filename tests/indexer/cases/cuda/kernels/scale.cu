#include "scale.cuh" //: imports scale.cuh
__device__ float scale(float x) { return 2 * x; }
__global__ void kernel(float* data) { data[0] = scale(data[0]); } //: calls scale
void launch(float* data, int n) {
  kernel<<<n, 256>>>(data); //: calls kernel
}
