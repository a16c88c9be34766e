#include "kernels/rowsum.h"

namespace loom::kernels {

void RowSum(const ConstView& in, float* out) {
  std::size_t i = 0;
  // Four rows at a time: each sum has to wait for its own last addition, four of them wait together.
  for (; i + 4 <= in.rows; i += 4) {
    const float* row0 = in.row(i);
    const float* row1 = in.row(i + 1);
    const float* row2 = in.row(i + 2);
    const float* row3 = in.row(i + 3);
    float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    for (std::size_t j = 0; j < in.cols; ++j) {
      sum0 += row0[j];
      sum1 += row1[j];
      sum2 += row2[j];
      sum3 += row3[j];
    }
    out[i] = sum0;
    out[i + 1] = sum1;
    out[i + 2] = sum2;
    out[i + 3] = sum3;
  }
  for (; i < in.rows; ++i) {
    const float* row = in.row(i);
    float sum = 0;
    for (std::size_t j = 0; j < in.cols; ++j) sum += row[j];
    out[i] = sum;
  }
}

}  // namespace loom::kernels
