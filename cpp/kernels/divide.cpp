#include "kernels/divide.h"

#include "kernels/each.h"

namespace loom::kernels {

void Divide(const ConstView& in, const float* rowsum, const MutableView& out) {
  const Floats d;
  for (std::size_t i = 0; i < in.rows; ++i) {
    if (rowsum[i] == 0.0f) {
      for (std::size_t j = 0; j < in.cols; ++j) out(i, j) = 0.0f;
      continue;
    }
    const auto sum = hn::Set(d, rowsum[i]);
    EachInRow(in.row(i), out.row(i), in.cols, [&](auto x, std::size_t, std::size_t) {
      return hn::IfThenZeroElse(hn::Eq(x, hn::Zero(d)), hn::Div(x, sum));
    });
  }
}

}  // namespace loom::kernels
