#include "trace/compute.h"

#include <algorithm>

#include "kernels/add.h"
#include "kernels/angles.h"
#include "kernels/double_math.h"
#include "kernels/gelu.h"
#include "kernels/matmul.h"
#include "kernels/mean_square.h"
#include "kernels/normalise.h"
#include "kernels/random.h"
#include "kernels/relu.h"
#include "kernels/rotate.h"
#include "kernels/row_mean.h"
#include "kernels/row_variance.h"
#include "kernels/scale.h"
#include "kernels/sinusoid.h"
#include "trace/seen.h"

namespace loom {
namespace {

void Copy(const ConstView& in, const MutableView& out) {
  for (std::size_t i = 0; i < out.rows; ++i) std::copy(in.row(i), in.row(i) + out.cols, out.row(i));
}

void Zero(const MutableView& out) {
  for (std::size_t i = 0; i < out.rows; ++i) std::fill(out.row(i), out.row(i) + out.cols, 0.0f);
}

}  // namespace

void Compute(const Plan& plan, float* base, const Recipe& recipe, const Part& part, std::size_t head,
             std::size_t entry) {
  const AttentionOptions& options = plan.options();
  const auto seen = [&](std::size_t o) { return ConstView(Seen(plan, base, recipe, part, o, head, entry)); };
  MutableView out = plan.Matrix(base, recipe.stage, head, entry);
  if (recipe.HasAxis(Axis::kRow) && recipe.HasAxis(Axis::kColumn)) {
    out = out.Rows(static_cast<std::size_t>(part.first_row), static_cast<std::size_t>(part.end_row));
  }
  switch (part.operation) {
    case Operation::kDot:
      kernels::Matmul(seen(0), kernels::RightFactor::Of(seen(1)), out);
      if (part.has_addend) kernels::AddRow(out, seen(2).data, out);
      return;
    case Operation::kCopy:
      // The joined heads are the heads' own memory.
      if (recipe.stage != Stage::kConcat) Copy(seen(0), out);
      return;
    case Operation::kZero:
      return Zero(out);
    case Operation::kMultiply:
      return kernels::Scale(seen(0), seen(1)(0, 0), out);
    case Operation::kAdd:
      return kernels::Add(seen(0), seen(1), out);
    case Operation::kMean:
      return kernels::RowMean(seen(0), out.data);
    case Operation::kVariance:
      return kernels::RowVariance(seen(0), seen(1).data, out.data);
    case Operation::kMeanSquare:
      return kernels::RowMeanSquare(seen(0), out.data);
    case Operation::kLayerNorm:
    case Operation::kRmsNorm: {
      const bool second = recipe.stage == Stage::kNormed2;
      const float* gamma = VectorOf(plan, base, part, second ? Stage::kGamma2 : Stage::kGamma);
      const float* beta = VectorOf(plan, base, part, second ? Stage::kBeta2 : Stage::kBeta);
      if (part.operation == Operation::kLayerNorm) {
        return kernels::LayerNorm(seen(0), seen(1).data, seen(2).data, options.epsilon, gamma, beta, out);
      }
      return kernels::RmsNorm(seen(0), seen(1).data, options.epsilon, gamma, out);
    }
    case Operation::kRotate:
      return kernels::Rotate(seen(0), seen(1), seen(3),
                             recipe.neighbours ? kernels::Pairing::kNeighbour : kernels::Pairing::kHalf, out);
    case Operation::kGelu:
      return kernels::Gelu(seen(0), out);
    case Operation::kGeluTanh:
      return kernels::GeluTanh(seen(0), out);
    case Operation::kRelu:
      return kernels::Relu(seen(0), out);
    case Operation::kSinusoid:
      return kernels::Sinusoid(0, 10000.0, out);
    case Operation::kCosine:
      return kernels::Angles(nullptr, 0, double(options.rotary_base), out,
                             plan.Matrix(base, Stage::kSines, head, entry));
    case Operation::kSlope:
      out(0, 0) =
          static_cast<float>(kernels::ExpOf(-8 * 0.69314718055994531 * double(head + 1) / double(options.heads)));
      return;
    case Operation::kDraw:
      return kernels::RandomKeys(options.random_seed, static_cast<std::size_t>(options.Maskable()), out);
    default:
      return;  // given, or written with another stage: sines with cosines
  }
}

}  // namespace loom
