#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// Pair p of the first w columns of row i, turned by its angle: (a, b) → (a·cos − b·sin, b·cos + a·sin) (Su et al.,
// RoFormer, 2021, eq. 34). The pair is columns 2p and 2p + 1, or p and p + w/2 in halves; columns from w on stay.
template <class S>
void Rotate(const In<S>& in, const In<S>& cosines, const In<S>& sines, bool halves, Out<S> out) {
  out = in;
  const Eigen::Index pairs = cosines.cols();
  for (Eigen::Index p = 0; p < pairs; ++p) {
    const Eigen::Index a = halves ? p : 2 * p;
    const Eigen::Index b = halves ? p + pairs : 2 * p + 1;
    for (Eigen::Index i = 0; i < in.rows(); ++i) {
      out(i, a) = in(i, a) * cosines(i, p) - in(i, b) * sines(i, p);
      out(i, b) = in(i, b) * cosines(i, p) + in(i, a) * sines(i, p);
    }
  }
}

}  // namespace loom::reference
