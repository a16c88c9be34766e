#pragma once

#include <cstddef>

#include "kernels/mask.h"
#include "matrix/view.h"

namespace loom::kernels {

// out[r, c] = Σ_j weights[r, j] · values[j, c], from +0, j ascending, without the keys that the rule blocks (query
// first_query + r): a NaN that stands in a blocked value does not reach the output. For finite values the bits are
// those of Matmul, as adding ±0 changes no sum that started at +0; so Matmul serves them.
void WeightedValues(const ConstView& weights, const ConstView& values, const MaskRule& rule, std::size_t first_query,
                    bool values_are_finite, const MutableView& out);

}  // namespace loom::kernels
