#include "kernels/exp.h"

#include "kernels/each.h"
#include "kernels/exp-inl.h"

namespace loom::kernels {

void Exp(const ConstView& in, const MutableView& out) {
  const ExpOf exp_of;
  const auto last = hn::Set(Floats(), 88.72283f);
  const auto infinity = hn::Inf(Floats());
  const auto e_to = [&](auto x, std::size_t, std::size_t) {
    return hn::IfThenElse(hn::Gt(x, last), infinity, exp_of(x));
  };
  for (std::size_t i = 0; i < in.rows; ++i) EachInRow(in.row(i), out.row(i), in.cols, e_to);
}

}  // namespace loom::kernels
