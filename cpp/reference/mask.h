#pragma once

#include <limits>

#include "reference/matrices.h"

namespace loom::reference {

// out = −∞ where `blocked(i, j)`, else in + add(i, j): a blocked key is left out whatever stood there (Vaswani et al.
// 2017, §3.2.3).
template <class S, class Blocked, class Add>
void Mask(const In<S>& in, const Blocked& blocked, const Add& add, Out<S> out) {
  for (Eigen::Index i = 0; i < in.rows(); ++i) {
    for (Eigen::Index j = 0; j < in.cols(); ++j) {
      out(i, j) = blocked(i, j) ? -std::numeric_limits<S>::infinity() : in(i, j) + add(i, j);
    }
  }
}

}  // namespace loom::reference
