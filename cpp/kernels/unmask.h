#pragma once

#include <cstddef>

#include "kernels/mask.h"
#include "matrix/view.h"

namespace loom::kernels {

// out[r, j] = in[r, j], or 0 where the rule blocks (query first_query + r, key j). What stood in a blocked cell does
// not matter; NaN and infinities in the others stay. `out` may be `in`.
void Unmask(const ConstView& in, const MaskRule& rule, std::size_t first_query, const MutableView& out);

}  // namespace loom::kernels
