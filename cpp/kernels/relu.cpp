#include "kernels/relu.h"

#include "kernels/each.h"

namespace loom::kernels {

void Relu(const ConstView& in, const MutableView& out) {
  const Vector zero = hn::Zero(Floats());
  for (std::size_t i = 0; i < in.rows; ++i) {
    EachInRow(in.row(i), out.row(i), in.cols,
              [&](Vector x, std::size_t, std::size_t) { return hn::IfThenZeroElse(hn::Le(x, zero), x); });
  }
}

}  // namespace loom::kernels
