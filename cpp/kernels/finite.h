#pragma once

#include <cstddef>

#include "matrix/view.h"

namespace loom::kernels {

inline constexpr std::size_t kAllFinite = static_cast<std::size_t>(-1);

// Flat index (row · cols + column) of the first NaN or infinity, or kAllFinite. −∞ passes where `allow_minus_infinity`.
std::size_t FirstNotFinite(const ConstView& in, bool allow_minus_infinity);

}  // namespace loom::kernels
