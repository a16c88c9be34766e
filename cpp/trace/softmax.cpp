#include "trace/softmax.h"

#include <cmath>
#include <limits>

#include "kernels/divide.h"
#include "kernels/exp.h"
#include "kernels/finite.h"
#include "kernels/rowmax.h"
#include "kernels/rowsum.h"
#include "kernels/shift.h"
#include "matrix/buffer.h"

namespace loom {
namespace {

// One row of `length` numbers, with scratch for its exps.
void SoftmaxRow(MutableView row, MutableView exps, bool log) {
  float rowmax = 0;
  float rowsum = 0;
  kernels::RowMax(row, &rowmax);
  kernels::Shift(row, &rowmax, 1.0f, row);
  kernels::Exp(row, exps);
  kernels::RowSum(exps, &rowsum);
  if (!log) {
    kernels::Divide(exps, &rowsum, row);
    return;
  }
  if (rowsum == 0.0f) return;  // nothing but −∞, and so is the logarithm
  const float log_sum = std::log(rowsum);
  for (std::size_t j = 0; j < row.cols; ++j) row(0, j) -= log_sum;
}

}  // namespace

Status SoftmaxAlong(float* data, std::size_t outer, std::size_t length, std::size_t inner, bool log) {
  if (length == 0 || outer == 0 || inner == 0) return {};
  const std::size_t at = kernels::FirstNotFinite(ConstView(data, outer, length * inner), true);
  if (at != kernels::kAllFinite) return {ErrorCode::kNotFinite, Param::kData, double(at), 0};
  Result<Buffer> scratch = Buffer::Create(2 * length * sizeof(float));
  if (!scratch.ok()) return scratch.error();
  auto* gathered = static_cast<float*>(scratch.value().data());
  const MutableView exps(gathered + length, 1, length);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      float* first = data + o * length * inner + i;
      if (inner == 1) {
        SoftmaxRow(MutableView(first, 1, length), exps, log);
        continue;
      }
      for (std::size_t j = 0; j < length; ++j) gathered[j] = first[j * inner];
      SoftmaxRow(MutableView(gathered, 1, length), exps, log);
      for (std::size_t j = 0; j < length; ++j) first[j * inner] = gathered[j];
    }
  }
  return {};
}

}  // namespace loom
