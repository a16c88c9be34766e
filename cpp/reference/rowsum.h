#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out_i = Σ_j in_ij, 0 for an empty row.
template <class S>
void RowSum(const In<S>& in, ColumnOut<S> out) {
  out.setZero();
  for (Eigen::Index j = 0; j < in.cols(); ++j) out += in.col(j);
}

}  // namespace loom::reference
