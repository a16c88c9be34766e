#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out_ic = Σ_j weights_ij · values_jc over the keys that are not blocked: 0 · NaN must not reach the output.
template <class S, class Blocked>
void WeightedValues(const In<S>& weights, const In<S>& values, const Blocked& blocked, Out<S> out) {
  out.setZero();
  for (Eigen::Index i = 0; i < out.rows(); ++i) {
    for (Eigen::Index j = 0; j < values.rows(); ++j) {
      if (!blocked(i, j)) out.row(i) += weights(i, j) * values.row(j);
    }
  }
}

}  // namespace loom::reference
