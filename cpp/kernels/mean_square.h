#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i] = (Σ_j in[i, j]²) / d over the d columns, summed from +0, j ascending; 0 where d = 0.
void RowMeanSquare(const ConstView& in, float* out);

}  // namespace loom::kernels
