#pragma once

#include <cmath>

#include "reference/matrices.h"

namespace loom::reference {

// out = e^in, cell by cell. The C library's exp, not Eigen's: that one turned −∞ into 2.9e-39 in some vector lanes
// (measured).
template <class S>
void Exp(const In<S>& in, Out<S> out) {
  out = in.unaryExpr([](S x) { return std::exp(x); });
}

}  // namespace loom::reference
