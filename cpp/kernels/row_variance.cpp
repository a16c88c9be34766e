#include "kernels/row_variance.h"

namespace loom::kernels {
namespace {

float Square(float x) { return x * x; }

}  // namespace

void RowVariance(const ConstView& in, const float* mean, float* out) {
  const float divisor = in.cols == 0 ? 1.0f : static_cast<float>(in.cols);
  // Four rows at a time, as in RowSum. In the last group rows that do not exist repeat the last one that does.
  for (std::size_t i = 0; i < in.rows; i += 4) {
    const float* row[4];
    float centre[4];
    float sum[4] = {0, 0, 0, 0};
    const std::size_t count = in.rows - i < 4 ? in.rows - i : 4;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t at = i + (k < count ? k : count - 1);
      row[k] = in.row(at);
      centre[k] = mean == nullptr ? 0.0f : mean[at];
    }
    for (std::size_t j = 0; j < in.cols; ++j) {
      sum[0] += Square(row[0][j] - centre[0]);
      sum[1] += Square(row[1][j] - centre[1]);
      sum[2] += Square(row[2][j] - centre[2]);
      sum[3] += Square(row[3][j] - centre[3]);
    }
    for (std::size_t k = 0; k < count; ++k) out[i + k] = sum[k] / divisor;
  }
}

}  // namespace loom::kernels
