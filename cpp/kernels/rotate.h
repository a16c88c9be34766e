#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// Which two of the first w columns form pair p: 2p and 2p + 1, or p and p + w/2. A model trained with the one is wrong
// with the other.
enum class Pairing { kNeighbour, kHalf };

// Turns each pair of columns of `in` [n, d] by its angle:
//   first'  = first · cos − second · sin
//   second' = second · cos + first · sin
// so a cell is its own product first, then its partner's subtracted or added. cosines and sines are [n, w/2] with w ≤
// d; columns from w on are copied. `out` [n, d] may be `in`, but not another part of it.
void Rotate(const ConstView& in, const ConstView& cosines, const ConstView& sines, Pairing pairing,
            const MutableView& out);

}  // namespace loom::kernels
