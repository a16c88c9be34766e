#include "kernels/rowmax.h"

#include <limits>

#include "kernels/simd.h"

namespace loom::kernels {
namespace {

float Larger(float best, float x) { return x > best ? x : best; }

}  // namespace

void RowMax(const ConstView& in, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float* row = in.row(i);
    float best = kLowest;
    std::size_t j = 0;
    if (in.cols >= lanes) {
      auto many = hn::Set(d, kLowest);
#pragma clang loop unroll(disable)
      for (; j + lanes <= in.cols; j += lanes) {
        const auto x = hn::LoadU(d, row + j);
        many = hn::IfThenElse(hn::Gt(x, many), x, many);
      }
      // No lane is NaN here, so the order in which Highway folds them does not matter, but for the sign of zero.
      best = hn::ReduceMax(d, many);
    }
    for (; j < in.cols; ++j) best = Larger(best, row[j]);
    out[i] = best + 0.0f;  // −0 becomes +0: which zero is the larger one would depend on the order
  }
}

}  // namespace loom::kernels
