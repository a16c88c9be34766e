#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i] = Σ_j in[i, j], from +0, j ascending.
void RowSum(const ConstView& in, float* out);

}  // namespace loom::kernels
