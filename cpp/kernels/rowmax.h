#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i] = the largest of in[i, :], −∞ for an empty row; never −0. NaN is passed over: the row's sum reports it.
void RowMax(const ConstView& in, float* out);

}  // namespace loom::kernels
