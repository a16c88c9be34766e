#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out_i = (Σ_j (in_ij − mean_i)²) / d, 0 for an empty row: the biased variance (Ba, Kiros, Hinton, Layer Normalization,
// 2016, eq. 3).
template <class S>
void RowVariance(const In<S>& in, const ColumnIn<S>& mean, ColumnOut<S> out) {
  out.setZero();
  for (Eigen::Index j = 0; j < in.cols(); ++j) out += (in.col(j) - mean).cwiseAbs2();
  if (in.cols() > 0) out /= S(in.cols());
}

}  // namespace loom::reference
