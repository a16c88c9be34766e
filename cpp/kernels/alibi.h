#pragma once

#include <cstddef>
#include <cstdint>

#include "matrix/view.h"

namespace loom::kernels {

// −(slope · |position − key|), the distance and the product each rounded to float32; never −0.
inline float AlibiOf(float slope, std::int64_t position, std::size_t key) {
  const std::int64_t distance = position - static_cast<std::int64_t>(key);
  const float product = slope * static_cast<float>(distance < 0 ? -distance : distance);
  return 0.0f - product;
}

// Linear biases (Press et al. 2022): out[r, j] = AlibiOf(slope, first_query + r + offset, j); +0 from column
// `maskable` on.
void Alibi(float slope, std::size_t first_query, std::int64_t offset, std::size_t maskable, const MutableView& out);

}  // namespace loom::kernels
