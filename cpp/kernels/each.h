// The loop that cell-by-cell kernels share: whole vectors, then the rest of the row as a part of one.
#pragma once

#include <cstddef>

#include "kernels/simd.h"

namespace loom::kernels {

// `count` floats as one vector, as EachInRow counts them: for an operand beside `in`.
inline Vector LoadCells(const float* from, std::size_t count) {
  const Floats d;
  return count == hn::Lanes(d) ? hn::LoadU(d, from) : LoadPart(from, count);
}

// out[j] = op(vector of in[j], j, count) for vectors that start at column j and of which `count` lanes exist. `out` may
// be `in`.
template <class Op>
inline void EachInRow(const float* in, float* out, std::size_t cols, const Op& op) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
#pragma clang loop unroll(disable)
  for (; j + lanes <= cols; j += lanes) hn::StoreU(op(hn::LoadU(d, in + j), j, lanes), d, out + j);
  if (j < cols) StorePart(op(LoadPart(in + j, cols - j), j, cols - j), out + j, cols - j);
}

}  // namespace loom::kernels
