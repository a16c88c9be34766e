#include "kernels/unmask.h"

namespace loom::kernels {

void Unmask(const ConstView& in, const MaskRule& rule, std::size_t first_query, const MutableView& out) {
  for (std::size_t r = 0; r < in.rows; ++r) {
    for (std::size_t j = 0; j < in.cols; ++j) out(r, j) = rule.Blocks(first_query + r, j) ? 0.0f : in(r, j);
  }
}

}  // namespace loom::kernels
