#pragma once

#include <cmath>

#include "reference/matrices.h"

namespace loom::reference {

// out_ij = (in_ij − mean_i) / √(variance_i + ε) · gamma_j + beta_j (Ba, Kiros, Hinton, Layer Normalization, 2016, eq.
// 4). Where variance + ε = 0, nothing is divided.
template <class S>
void LayerNorm(const In<S>& in, const ColumnIn<S>& mean, const ColumnIn<S>& variance, S epsilon,
               const ColumnIn<S>& gamma, const ColumnIn<S>& beta, Out<S> out) {
  for (Eigen::Index i = 0; i < in.rows(); ++i) {
    const S deviation = std::sqrt(variance(i) + epsilon);
    for (Eigen::Index j = 0; j < in.cols(); ++j)
      out(i, j) = (in(i, j) - mean(i)) / (deviation == 0 ? S(1) : deviation) * gamma(j) + beta(j);
  }
}

// out_ij = in_ij / √(mean_square_i + ε) · gamma_j (Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, eq.
// 4).
template <class S>
void RmsNorm(const In<S>& in, const ColumnIn<S>& mean_square, S epsilon, const ColumnIn<S>& gamma, Out<S> out) {
  for (Eigen::Index i = 0; i < in.rows(); ++i) {
    const S root = std::sqrt(mean_square(i) + epsilon);
    for (Eigen::Index j = 0; j < in.cols(); ++j) out(i, j) = in(i, j) / (root == 0 ? S(1) : root) * gamma(j);
  }
}

}  // namespace loom::reference
