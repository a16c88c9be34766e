#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out = e^in for in ≤ 0, cell by cell: exactly 1 at 0, exactly 0 at −∞, NaN stays NaN. Within 2 units in the last place
// down to −87.33654; 0 below, where e^in would be subnormal: such numbers are slow in all that follows. `out` may be
// `in`. Positive input is not meant for it.
void Exp(const ConstView& in, const MutableView& out);

}  // namespace loom::kernels
