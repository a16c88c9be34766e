// Angles of positions, in double, without the C library: its pow, sin and cos would add 5 kB to the download, and
// differ in their last digits between the native build and wasm.
#pragma once

#include <cstddef>

namespace loom::kernels {

// base^(−2·pair / width): by how much pair `pair` of `width` columns turns from one position to the next. Relative
// error below 1e-14. 2·pair < width.
double Frequency(double base, std::size_t pair, std::size_t width);

struct Direction {
  double cosine;
  double sine;
};
// Off by less than 1e-12 for |angle| ≤ 10^6. NaN and ±∞ give NaN.
Direction DirectionOf(double angle);

}  // namespace loom::kernels
