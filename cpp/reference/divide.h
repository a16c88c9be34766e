#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out_ij = in_ij / rowsum_i: shares that sum to 1; 0 where in_ij is 0, so also where the row has nothing to see.
template <class S>
void Divide(const In<S>& in, const ColumnIn<S>& rowsum, Out<S> out) {
  for (Eigen::Index i = 0; i < in.rows(); ++i) {
    for (Eigen::Index j = 0; j < in.cols(); ++j)
      out(i, j) = in(i, j) == 0 || rowsum(i) == 0 ? S(0) : in(i, j) / rowsum(i);
  }
}

}  // namespace loom::reference
