#include "kernels/circle.h"

#include <cassert>
#include <cmath>

namespace loom::kernels {

// The binary digits of the exponent, first to last: each stands for one more square root, which is correctly rounded
// everywhere.
double Frequency(double base, std::size_t pair, std::size_t width) {
  assert(2 * pair < width);  // or it would never end
  double digits = 2.0 * static_cast<double>(pair) / static_cast<double>(width);
  double root = base;
  double power = 1;
  while (digits > 0) {
    root = std::sqrt(root);
    digits *= 2;
    if (digits < 1) continue;
    power *= root;
    digits -= 1;
  }
  return 1 / power;
}

// angle = n · π/2 + r with |r| ≤ π/4, π/2 in two parts, the first with few enough bits that n · kHigh is exact (Cody
// and Waite, Software Manual for the Elementary Functions, 1980). The minimax polynomials in r² are found by Remez
// exchange in 40 digits: 5e-15 of sin r, 1e-13 of 1.
Direction DirectionOf(double angle) {
  constexpr double kTwoOverPi = 0.6366197723675814;
  constexpr double kHigh = 1.57079632673412561417;
  constexpr double kLow = 6.077100506506192e-11;
  const double n = std::floor(angle * kTwoOverPi + 0.5);
  const double r = (angle - n * kHigh) - n * kLow;
  const double square = r * r;
  double p = -2.47616381278451848e-8;
  p = p * square + 2.75553575800328065e-6;
  p = p * square - 0.000198412638222661785;
  p = p * square + 0.00833333332527075435;
  p = p * square - 0.166666666666315895;
  const double sine = r + r * (square * p);
  double q = -2.72101686517213827e-7;
  q = q * square + 0.0000247995191833743248;
  q = q * square - 0.00138888837503316644;
  q = q * square + 0.041666666622793063;
  const double cosine = 1 - 0.5 * square + square * square * q;
  const double quarter = n - 4 * std::floor(n * 0.25);
  const double sign = quarter < 2 ? 1 : -1;
  const bool upright = quarter == 1 || quarter == 3;
  return {sign * (upright ? -sine : cosine), sign * (upright ? cosine : sine)};
}

}  // namespace loom::kernels
