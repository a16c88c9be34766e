// Numbers that go through all exponents, and the distance from the truth in units in the last place.
#pragma once

#include <algorithm>

#include "support.h"

namespace loom::test {

// Every `step`-th float32 with 0 ≤ |x| ≤ largest, of both signs, and 200000 of equal distance, as half of all floats
// lie below 1e-19.
inline std::vector<float> Sweep(float largest, std::uint32_t step) {
  std::vector<float> numbers;
  for (const float sign : {1.0f, -1.0f}) {
    for (std::uint32_t bits = 0; bits <= std::bit_cast<std::uint32_t>(largest); bits += step) {
      numbers.push_back(sign * std::bit_cast<float>(bits));
    }
    for (int i = 0; i < 100000; ++i) numbers.push_back(sign * largest * float(i) / 100000.0f);
  }
  return numbers;
}

inline double UlpOf(float got, double want) {
  const int exponent = want == 0 ? -126 : std::max(std::ilogb(want), -126);
  return std::abs(double(got) - want) / std::ldexp(1.0, exponent - 23);
}

}  // namespace loom::test
