#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out[i, j] = (in[i, j] − mean[i]) / √(variance[i] + epsilon) · gamma[j] + beta[j], each operation rounded once, in
// this order. gamma null: 1; beta null: none. mean and variance have a number for each row, gamma and beta for each
// column. Where variance + epsilon is 0 nothing is divided, so that a constant row gives 0 for every epsilon. `out` may
// be `in`.
void LayerNorm(const ConstView& in, const float* mean, const float* variance, float epsilon, const float* gamma,
               const float* beta, const MutableView& out);

// out[i, j] = in[i, j] / √(mean_square[i] + epsilon) · gamma[j]; the rest as for LayerNorm.
void RmsNorm(const ConstView& in, const float* mean_square, float epsilon, const float* gamma, const MutableView& out);

}  // namespace loom::kernels
