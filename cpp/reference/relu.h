#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out = max(in, 0) (Nair and Hinton, Rectified Linear Units Improve Restricted Boltzmann Machines, 2010). NaN stays
// NaN.
template <class S>
void Relu(const In<S>& in, Out<S> out) {
  out = in.unaryExpr([](S x) { return x <= S(0) ? S(0) : x; });
}

}  // namespace loom::reference
