#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// base^(−2·pair / width): by how much pair `pair` of `width` columns turns from one position to the next.
double Frequency(double base, std::size_t pair, std::size_t width);

// cosines[r, p] and sines[r, p] of position · base^(−2p/w), both [n, w/2]. The position of row r is positions[r], or
// first_position + r where `positions` is null. Computed in double (double_math.h) and rounded once to float32.
void Angles(const float* positions, double first_position, double base, MutableView cosines, MutableView sines);

}  // namespace loom::kernels
