// Softmax, or its logarithm, over one axis of an array of any rank: the same kernels as in attention.
#pragma once

#include <cstddef>

#include "matrix/error.h"

namespace loom {

// data [outer, length, inner], in place; the axis of `length` becomes shares that sum to 1, or their logarithms. A row
// of nothing but −∞ becomes zeros (−∞ with `log`). Fails with kNoMemory, or kNotFinite (value = flat index) where a
// number is NaN or +∞; the data is then as it was.
Status SoftmaxAlong(float* data, std::size_t outer, std::size_t length, std::size_t inner, bool log);

}  // namespace loom
