#include "kernels/normalise.h"

#include <cmath>

#include "kernels/add.h"
#include "kernels/each.h"

namespace loom::kernels {

// Two passes over a row, which stays in the cache, rather than a loop for each choice of gamma and beta.
void LayerNorm(const ConstView& in, const float* mean, const float* variance, float epsilon, const float* gamma,
               const float* beta, const MutableView& out) {
  const Floats d;
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float deviation = std::sqrt(variance[i] + epsilon);
    const Vector divisor = hn::Set(d, deviation == 0.0f ? 1.0f : deviation);
    const Vector centre = hn::Set(d, mean == nullptr ? 0.0f : mean[i]);
    float* to = out.row(i);
    EachInRow(in.row(i), to, in.cols,
              [&](Vector x, std::size_t, std::size_t) { return hn::Div(hn::Sub(x, centre), divisor); });
    if (gamma == nullptr) continue;
    EachInRow(to, to, in.cols,
              [&](Vector x, std::size_t j, std::size_t count) { return hn::Mul(x, LoadCells(gamma + j, count)); });
  }
  if (beta != nullptr) AddRow(out, beta, out);
}

// x − 0 is x, bit for bit.
void RmsNorm(const ConstView& in, const float* mean_square, float epsilon, const float* gamma, const MutableView& out) {
  LayerNorm(in, nullptr, mean_square, epsilon, gamma, nullptr, out);
}

}  // namespace loom::kernels
