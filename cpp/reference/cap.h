#pragma once

#include <cmath>

#include "reference/matrices.h"

namespace loom::reference {

// out = cap · tanh(in / cap): scores stay within ±cap without an edge (Bello et al., Neural Combinatorial Optimization
// with Reinforcement Learning, 2016; Gemma 2, 2024, §2).
template <class S>
void Cap(const In<S>& in, S cap, Out<S> out) {
  out = in.unaryExpr([cap](S x) { return cap * std::tanh(x / cap); });
}

}  // namespace loom::reference
