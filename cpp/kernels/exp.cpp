#include "kernels/exp.h"

#include "kernels/each.h"
#include "kernels/exp-inl.h"

namespace loom::kernels {

void Exp(ConstView in, MutableView out) {
  const ExpOf e_to;
  for (std::size_t i = 0; i < in.rows; ++i) {
    EachInRow(in.row(i), out.row(i), in.cols, [&](Vector x, std::size_t, std::size_t) { return e_to(x); });
  }
}

}  // namespace loom::kernels
