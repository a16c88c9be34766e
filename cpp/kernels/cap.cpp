#include "kernels/cap.h"

#include "kernels/cap-inl.h"
#include "kernels/each.h"

namespace loom::kernels {

void Cap(const ConstView& in, float cap, const MutableView& out) {
  const SoftCap capped(cap);
  for (std::size_t i = 0; i < in.rows; ++i) {
    EachInRow(in.row(i), out.row(i), in.cols, [&](Vector x, std::size_t, std::size_t) { return capped(x); });
  }
}

}  // namespace loom::kernels
