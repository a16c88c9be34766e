#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out_ij = in_ij / rowsum_i: shares that sum to 1; 0 where the row has nothing to see.
template <class S>
void Divide(const In<S>& in, const ColumnIn<S>& rowsum, Out<S> out) {
  for (Eigen::Index i = 0; i < in.rows(); ++i) {
    if (rowsum(i) == S(0)) {
      out.row(i).setZero();
    } else {
      out.row(i) = in.row(i) / rowsum(i);
    }
  }
}

}  // namespace loom::reference
