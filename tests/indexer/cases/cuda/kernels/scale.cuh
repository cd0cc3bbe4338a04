#pragma once
__device__ float scale(float x);
void launch(float* data, int n);
