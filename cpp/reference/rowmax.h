#pragma once

#include <algorithm>
#include <limits>

#include "reference/matrices.h"

namespace loom::reference {

// out_i = max_j in_ij, −∞ for an empty row.
template <class S>
void RowMax(const In<S>& in, ColumnOut<S> out) {
  out.setConstant(-std::numeric_limits<S>::infinity());
  for (Eigen::Index j = 0; j < in.cols(); ++j) out = out.cwiseMax(in.col(j));
}

}  // namespace loom::reference
