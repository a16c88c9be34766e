#include "kernels/scale.h"

#include "kernels/each.h"

namespace loom::kernels {

void Scale(const ConstView& in, float factor, const MutableView& out) {
  const auto f = hn::Set(Floats(), factor);
  for (std::size_t i = 0; i < in.rows; ++i) {
    EachInRow(in.row(i), out.row(i), in.cols, [&](auto x, std::size_t, std::size_t) { return hn::Mul(x, f); });
  }
}

}  // namespace loom::kernels
