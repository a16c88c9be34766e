#include "kernels/max_abs.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/simd.h"

namespace loom::kernels {

// Without their sign the bits of floats, taken as whole numbers, are ordered as the floats are, NaN above infinity.
float MaxAbs(const ConstView& given) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const std::size_t lanes = hn::Lanes(d);
  // Without gaps one row, and at most one part of a vector.
  const ConstView in = given.stride == given.cols ? ConstView(given.data, 1, given.rows * given.cols) : given;
  auto most = hn::Zero(di);
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float* row = in.row(i);
    std::size_t j = 0;
#pragma clang loop unroll(disable)
    for (; j + lanes <= in.cols; j += lanes) most = hn::Max(most, hn::BitCast(di, hn::Abs(hn::LoadU(d, row + j))));
    if (j < in.cols) most = hn::Max(most, hn::BitCast(di, hn::Abs(LoadPart(row + j, in.cols - j))));
  }
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  return std::bit_cast<float>(std::min(hn::ReduceMax(di, most), std::bit_cast<std::int32_t>(kInfinite)));
}

}  // namespace loom::kernels
