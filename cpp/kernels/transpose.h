#pragma once

#include <cstddef>

#include "matrix/view.h"

namespace loom::kernels {

// out[j · stride + i] = in[i, j]. `out` overlaps nothing of `in`.
void Transpose(const ConstView& in, float* out, std::size_t stride);

}  // namespace loom::kernels
