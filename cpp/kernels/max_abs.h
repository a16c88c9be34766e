#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// The largest |x| of all cells, 0 without a cell; +∞ where a cell is NaN or infinite.
float MaxAbs(const ConstView& in);

}  // namespace loom::kernels
