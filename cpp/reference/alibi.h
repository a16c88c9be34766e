#pragma once

#include <cmath>

#include "reference/matrices.h"

namespace loom::reference {

// out_ij = −slope · |i + offset − j| for the keys j < maskable, 0 for the others (Press, Smith, Lewis: Train Short,
// Test Long, 2022, §3). `offset` is the position of the first row.
template <class S>
void Alibi(S slope, double offset, Eigen::Index maskable, Out<S> out) {
  for (Eigen::Index i = 0; i < out.rows(); ++i) {
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      const S distance = S(std::abs(double(i) + offset - double(j)));
      out(i, j) = j < maskable ? 0 - slope * distance : 0;
    }
  }
}

}  // namespace loom::reference
