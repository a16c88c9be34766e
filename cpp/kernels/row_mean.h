#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i] = (Σ_j in[i, j]) / d over the d columns, summed from +0, j ascending; 0 where d = 0.
void RowMean(const ConstView& in, float* out);

}  // namespace loom::kernels
