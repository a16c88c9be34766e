#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i, j] = in[i, j] / rowsum[i]; 0 in a row whose rowsum is 0. `out` may be `in`.
void Divide(ConstView in, const float* rowsum, MutableView out);

}  // namespace loom::kernels
