#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// cosines[r, p] and sines[r, p] of position · base^(−2p/w), both [n, w/2]. The position of row r is positions[r], or
// first_position + r where `positions` is null. Computed in double and rounded once to float32.
void Angles(const float* positions, double first_position, double base, const MutableView& cosines,
            const MutableView& sines);

}  // namespace loom::kernels
