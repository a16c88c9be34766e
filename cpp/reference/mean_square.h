#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out_i = (Σ_j in_ij²) / d, 0 for an empty row (Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, eq. 4).
template <class S>
void RowMeanSquare(const In<S>& in, ColumnOut<S> out) {
  out.setZero();
  for (Eigen::Index j = 0; j < in.cols(); ++j) out += in.col(j).cwiseAbs2();
  if (in.cols() > 0) out /= S(in.cols());
}

}  // namespace loom::reference
