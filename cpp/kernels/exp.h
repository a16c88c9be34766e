#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out = e^in, cell by cell: exactly 1 at 0, exactly 0 at −∞, NaN stays NaN. Within 2 units in the last place from
// −87.33654 to 88.72283; 0 below, where e^in would be subnormal: such numbers are slow in all that follows. +∞ above,
// where it is beyond the range of float32. `out` may be `in`.
void Exp(const ConstView& in, const MutableView& out);

}  // namespace loom::kernels
