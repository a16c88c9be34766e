#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out = max(in, 0), cell by cell: +0 for every number below or at 0, also for −0; NaN stays NaN. Same shape; `out` may
// be `in`.
void Relu(const ConstView& in, const MutableView& out);

}  // namespace loom::kernels
