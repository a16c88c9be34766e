#include "kernels/double_math.h"

#include <cmath>
#include <limits>

namespace loom::kernels {
namespace {

constexpr double kLn2High = 0x1.62e42fee00000p-1;  // few bits: a whole number up to 2¹¹ times it is exact
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

// x · 2ⁿ, also where 2ⁿ itself is out of range.
double TimesPowerOf2(double x, int n) { return std::ldexp(x, n); }

}  // namespace

double ExpOf(double x) {
  if (x < -750) return 0;
  if (x > 710) return std::numeric_limits<double>::infinity();
  const double n = std::nearbyint(x / (kLn2High + kLn2Low));
  const double r = (x - n * kLn2High) - n * kLn2Low;
  // Σ rᵏ/k!, |r| ≤ 0.35, from the smallest term on.
  double sum = 1;
  for (int k = 14; k > 0; --k) sum = 1 + sum * r / k;
  return x == x ? TimesPowerOf2(sum, int(n)) : x;
}

double LogOf(double x) {
  int n = 0;
  double m = std::frexp(x, &n);
  if (m < 0.70710678118654752) {
    m *= 2;
    --n;
  }
  // ln m = 2 · artanh((m − 1)/(m + 1)).
  const double z = (m - 1) / (m + 1);
  double sum = 0;
  for (int k = 23; k > 0; k -= 2) sum = sum * z * z + 1.0 / k;
  return n * kLn2High + (2 * z * sum + n * kLn2Low);
}

double TanhOf(double x) {
  const double a = std::abs(x);
  // Near 0 the quotient below would be a difference of near numbers.
  if (a < 0.01) return x * (1 - x * x * (1.0 / 3 - x * x * (2.0 / 15 - x * x * 17.0 / 315)));
  const double e = ExpOf(-2 * a);
  return std::copysign((1 - e) / (1 + e), x);
}

double ErfOf(double x) {
  const double a = std::abs(x);
  if (a > 6) return std::copysign(1.0, x);
  // 2/√π · e^(−x²) · Σ 2ᵏ·x^(2k+1) / (1·3·…·(2k+1)): no differences (Abramowitz and Stegun, 7.1.6).
  double term = x;
  double sum = x;
  for (int k = 1; k < 150; ++k) {
    term *= 2 * x * x / (2 * k + 1);
    sum += term;
  }
  return 1.1283791670955126 * ExpOf(-x * x) * sum;
}

}  // namespace loom::kernels
