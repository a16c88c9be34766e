#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i, j] = (in[i, j] − rowmax[i]) / temperature; nothing is subtracted where `rowmax` is null. In a row whose rowmax
// is −∞, −∞ by rule. NaN stays NaN. temperature 0: 0 at the maximum, −∞ elsewhere, so that ties share. `out` may be
// `in`.
void Shift(const ConstView& in, const float* rowmax, float temperature, const MutableView& out);

}  // namespace loom::kernels
