#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[r, 2k] = sin(position / base^(2k/d)), out[r, 2k + 1] = cos of the same, position = first_position + r, d columns;
// an odd d ends with a sine. Computed in double and rounded once to float32.
void Sinusoid(double first_position, double base, const MutableView& out);

}  // namespace loom::kernels
