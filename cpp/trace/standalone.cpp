#include "trace/standalone.h"

#include <limits>

#include "kernels/angles.h"
#include "kernels/divide.h"
#include "kernels/double_math.h"
#include "kernels/exp.h"
#include "kernels/finite.h"
#include "kernels/gelu.h"
#include "kernels/mean_square.h"
#include "kernels/normalise.h"
#include "kernels/relu.h"
#include "kernels/rotate.h"
#include "kernels/row_mean.h"
#include "kernels/row_variance.h"
#include "kernels/rowmax.h"
#include "kernels/rowsum.h"
#include "kernels/shift.h"
#include "kernels/sinusoid.h"
#include "matrix/buffer.h"

namespace loom {
namespace {

// One row of `length` numbers, with scratch for its exps.
void SoftmaxRow(const MutableView& row, const MutableView& exps, bool log) {
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
  const float log_sum = static_cast<float>(kernels::LogOf(double(rowsum)));
  for (std::size_t j = 0; j < row.cols; ++j) row(0, j) -= log_sum;
}

Status AllFinite(const float* data, std::size_t count, bool minus_infinity) {
  const std::size_t at = kernels::FirstNotFinite(ConstView(data, 1, count), minus_infinity);
  return at == kernels::kAllFinite ? Status{} : Status{ErrorCode::kNotFinite, Param::kData, double(at), 0};
}

}  // namespace

Status SoftmaxAlong(float* data, std::size_t outer, std::size_t length, std::size_t inner, bool log) {
  if (length == 0 || outer == 0 || inner == 0) return {};
  const Status finite = AllFinite(data, outer * length * inner, true);
  if (!Ok(finite)) return finite;
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

Status NormaliseRows(float* data, std::size_t rows, std::size_t cols, bool rms, float epsilon) {
  const Status finite = AllFinite(data, (rows + 2) * cols, false);
  if (!Ok(finite)) return finite;
  const MutableView all(data, rows, cols);
  const float* gamma = data + rows * cols;
  const float* beta = gamma + cols;
  float* mean = data + (rows + 2) * cols;
  float* variance = mean + rows;
  if (rms) {
    kernels::RowMeanSquare(all, variance);
    kernels::RmsNorm(all, variance, epsilon, gamma, all);
  } else {
    kernels::RowMean(all, mean);
    kernels::RowVariance(all, mean, variance);
    kernels::LayerNorm(all, mean, variance, epsilon, gamma, beta, all);
  }
  return {};
}

Status ActivateAll(float* data, std::size_t count, Activation activation) {
  const Status finite = AllFinite(data, count, false);
  if (!Ok(finite)) return finite;
  const MutableView all(data, 1, count);
  switch (activation) {
    case Activation::kGelu:
      kernels::Gelu(all, all);
      break;
    case Activation::kGeluTanh:
      kernels::GeluTanh(all, all);
      break;
    case Activation::kRelu:
      kernels::Relu(all, all);
      break;
  }
  return {};
}

Status RotateRows(float* data, std::size_t rows, std::size_t cols, std::size_t width, bool neighbours, bool tables,
                  double base) {
  const std::size_t pairs = width / 2;
  const Status finite = AllFinite(data, rows * (cols + (tables ? 2 * pairs : 0)), false);
  if (!Ok(finite)) return finite;
  const MutableView all(data, rows, cols);
  const MutableView cosines(data + rows * cols, rows, pairs);
  const MutableView sines(cosines.data + rows * pairs, rows, pairs);
  if (!tables) kernels::Angles(sines.data + rows * pairs, 0, base, cosines, sines);
  kernels::Rotate(all, cosines, sines, neighbours ? kernels::Pairing::kNeighbour : kernels::Pairing::kHalf, all);
  return {};
}

void FillSinusoid(float* data, std::int64_t first, std::size_t rows, std::size_t cols, double base) {
  kernels::Sinusoid(double(first), base, MutableView(data, rows, cols));
}

}  // namespace loom
