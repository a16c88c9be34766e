#pragma once

#include <cmath>

#include "reference/matrices.h"

namespace loom::reference {

// out = in · Φ(in), Φ(x) = (1 + erf(x/√2)) / 2 (Hendrycks and Gimpel, Gaussian Error Linear Units, 2016, §2). erfc
// says the same without a difference of near numbers.
template <class S>
void Gelu(const In<S>& in, Out<S> out) {
  out = in.unaryExpr([](S x) { return x * std::erfc(-x / std::sqrt(S(2))) / S(2); });
}

// out = in · (1 + tanh(√(2/π)·(in + 0.044715·in³))) / 2 (the same paper, §2).
template <class S>
void GeluTanh(const In<S>& in, Out<S> out) {
  const S factor = std::sqrt(S(2) / S(3.14159265358979323846));
  out = in.unaryExpr([factor](S x) { return x * (S(1) + std::tanh(factor * (x + S(0.044715) * x * x * x))) / S(2); });
}

}  // namespace loom::reference
