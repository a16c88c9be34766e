#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i] = (Σ_j (in[i, j] − mean[i])²) / d over the d columns (not d − 1), summed from +0, j ascending; 0 where d = 0.
// mean null: 0. `out` may be `mean`.
void RowVariance(const ConstView& in, const float* mean, float* out);

}  // namespace loom::kernels
