#include "kernels/finite.h"

#include <cmath>

#include "kernels/simd.h"

namespace loom::kernels {
namespace {

bool Passes(float x, bool allow_minus_infinity) { return std::isfinite(x) || (allow_minus_infinity && x < 0); }

}  // namespace

std::size_t FirstNotFinite(const ConstView& in, bool allow_minus_infinity) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float* row = in.row(i);
    std::size_t j = 0;
    // Whole vectors of finite numbers are skipped; from the first other one on, each number is looked at.
#pragma clang loop unroll(disable)
    while (j + lanes <= in.cols && hn::AllTrue(d, hn::IsFinite(hn::LoadU(d, row + j)))) j += lanes;
    for (; j < in.cols; ++j) {
      if (!Passes(row[j], allow_minus_infinity)) return i * in.cols + j;
    }
  }
  return kAllFinite;
}

}  // namespace loom::kernels
