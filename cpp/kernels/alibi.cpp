#include "kernels/alibi.h"

namespace loom::kernels {

void Alibi(float slope, std::size_t first_query, std::int64_t offset, std::size_t maskable, const MutableView& out) {
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::int64_t position = static_cast<std::int64_t>(first_query + r) + offset;
    for (std::size_t j = 0; j < out.cols; ++j) out(r, j) = j < maskable ? AlibiOf(slope, position, j) : 0.0f;
  }
}

}  // namespace loom::kernels
