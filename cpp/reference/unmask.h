#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out = 0 where `blocked(i, j)`, else in: what is left of attention without a softmax, softmax(Q·Kᵀ)·V becoming
// (Q·Kᵀ)·V (Katharopoulos et al., Transformers are RNNs, 2020, §3.2, with the identity as feature map).
template <class S, class Blocked>
void Unmask(const In<S>& in, const Blocked& blocked, Out<S> out) {
  for (Eigen::Index i = 0; i < in.rows(); ++i) {
    for (Eigen::Index j = 0; j < in.cols(); ++j) out(i, j) = blocked(i, j) ? S(0) : in(i, j);
  }
}

}  // namespace loom::reference
