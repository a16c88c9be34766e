// A few functions in double, from plain arithmetic: the same bits everywhere, and a tenth of the size that the C
// library's tables take in what is downloaded. Relative error below 1e-14 unless stated.
#pragma once

namespace loom::kernels {

// e^x.
double ExpOf(double x);
// ln x, x > 0.
double LogOf(double x);
// Absolute error below 1e-14 for |x| ≤ 1e5.
struct SineCosine {
  double sine;
  double cosine;
};
SineCosine SineCosineOf(double x);
double TanhOf(double x);
// The error function; absolute error below 4e-15.
double ErfOf(double x);

}  // namespace loom::kernels
