#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out = cap · tanh(in / cap), cell by cell, for a finite cap > 0: small numbers stay as they are, large ones approach
// ±cap and ±∞ become it; NaN stays NaN, the sign of 0 stays. A cap beyond 2^13 times the largest number changes
// nothing. Same shape; `out` may be `in`.
void Cap(const ConstView& in, float cap, const MutableView& out);

}  // namespace loom::kernels
