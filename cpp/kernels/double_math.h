// A few functions in double, from plain arithmetic: the same bits everywhere, and a tenth of the size that the C
// library's tables take in what is downloaded. Relative error below 1e-14 unless stated. For angles: kernels/circle.h.
#pragma once

namespace loom::kernels {

// e^x.
double ExpOf(double x);
// ln x, x > 0.
double LogOf(double x);
double TanhOf(double x);
// The error function; absolute error below 4e-15.
double ErfOf(double x);

}  // namespace loom::kernels
