#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out = in · factor, cell by cell. Same shape; `out` may be `in`.
void Scale(const ConstView& in, float factor, const MutableView& out);

}  // namespace loom::kernels
