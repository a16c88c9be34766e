#include "kernels/shift.h"

#include <limits>

#include "kernels/each.h"

namespace loom::kernels {

void Shift(const ConstView& in, const float* rowmax, float temperature, const MutableView& out) {
  const Floats d;
  constexpr float kBlocked = -std::numeric_limits<float>::infinity();
  const auto blocked = hn::Set(d, kBlocked);
  const auto tau = hn::Set(d, temperature);
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float* from = in.row(i);
    float* to = out.row(i);
    const float largest = rowmax == nullptr ? 0.0f : rowmax[i];
    if (largest == kBlocked) {
      EachInRow(from, to, in.cols,
                [&](auto x, std::size_t, std::size_t) { return hn::IfThenElse(hn::IsNaN(x), x, blocked); });
      continue;
    }
    const auto top = hn::Set(d, largest);
    if (temperature == 1.0f) {
      EachInRow(from, to, in.cols, [&](auto x, std::size_t, std::size_t) { return hn::Sub(x, top); });
    } else if (temperature == 0.0f) {
      EachInRow(from, to, in.cols, [&](auto x, std::size_t, std::size_t) {
        const auto below = hn::IfThenElse(hn::Eq(x, top), hn::Zero(d), blocked);
        return hn::IfThenElse(hn::IsNaN(x), x, below);
      });
    } else {
      EachInRow(from, to, in.cols, [&](auto x, std::size_t, std::size_t) { return hn::Div(hn::Sub(x, top), tau); });
    }
  }
}

}  // namespace loom::kernels
