#include "kernels/weighted_values.h"

#include "kernels/matmul.h"

namespace loom::kernels {

void WeightedValues(const ConstView& weights, const ConstView& values, const MaskRule& rule, std::size_t first_query,
                    bool values_are_finite, const MutableView& out) {
  if (values_are_finite) {
    Matmul(weights, RightFactor::Of(values), out);
    return;
  }
  for (std::size_t r = 0; r < out.rows; ++r) {
    for (std::size_t c = 0; c < out.cols; ++c) {
      float sum = 0;
      for (std::size_t j = 0; j < values.rows; ++j) {
        if (rule.Blocks(first_query + r, j)) continue;
        const float product = weights(r, j) * values(j, c);
        sum += product;
      }
      out(r, c) = sum;
    }
  }
}

}  // namespace loom::kernels
