#include "kernels/row_mean.h"

#include "kernels/rowsum.h"

namespace loom::kernels {

void RowMean(const ConstView& in, float* out) {
  RowSum(in, out);
  if (in.cols == 0) return;
  for (std::size_t i = 0; i < in.rows; ++i) out[i] /= static_cast<float>(in.cols);
}

}  // namespace loom::kernels
