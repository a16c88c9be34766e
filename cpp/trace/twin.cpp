#include "trace/twin.h"

#include <algorithm>
#include <cmath>

#include "reference/add.h"
#include "reference/alibi.h"
#include "reference/angles.h"
#include "reference/attention.h"
#include "reference/cap.h"
#include "reference/gelu.h"
#include "reference/mean_square.h"
#include "reference/normalise.h"
#include "reference/relu.h"
#include "reference/rotate.h"
#include "reference/row_mean.h"
#include "reference/row_variance.h"
#include "reference/sinusoid.h"
#include "trace/compute.h"
#include "trace/seen.h"

namespace loom {
namespace {

using Strided = Eigen::OuterStride<>;
using Map = Eigen::Map<reference::Matrix<double>, 0, Strided>;
using ColumnMap = Eigen::Map<reference::Column<double>>;

Map MapOf(View<double> view) {
  return Map(view.data, Eigen::Index(view.rows), Eigen::Index(view.cols), Strided(Eigen::Index(view.stride)));
}

// One number for each row: such a stage is a matrix of one row.
ColumnMap ColumnOf(View<double> view) { return ColumnMap(view.data, Eigen::Index(view.cols)); }

}  // namespace

Result<Twin> Twin::Create(const Plan& plan) {
  if (!plan.options().trace) return Error{ErrorCode::kNotReady, Param::kNone, 0, 0};
  // Never nothing: see Attention::BytesNeeded. A factor and a summand of 1 and 0 for norms that have none of their own.
  const std::size_t width = static_cast<std::size_t>(plan.options().d_model);
  Result<Buffer> memory = Buffer::Create((plan.elements() + 2 * width + 1) * sizeof(double));
  if (!memory.ok()) return memory.error();
  Twin twin;
  twin.memory_ = std::move(memory.value());
  return twin;
}

void Twin::Run(const Attention& attention) {
  const Plan& plan = attention.plan();
  const std::size_t width = static_cast<std::size_t>(plan.options().d_model);
  std::fill(base(), base() + plan.elements(), 0.0);
  std::fill(base() + plan.elements(), base() + plan.elements() + width, 1.0);
  std::fill(base() + plan.elements() + width, base() + plan.elements() + 2 * width, 0.0);
  for (std::size_t s = 0; s < plan.count(); ++s) {
    const Recipe& recipe = plan.at(s);
    for (int entry = 0; entry < recipe.Size(Axis::kBatch); ++entry) {
      for (int head = 0; head < recipe.Size(Axis::kHead); ++head) {
        for (std::size_t p = 0; p < recipe.part_count; ++p) {
          RunPart(attention, recipe, recipe.parts[p], std::size_t(head), std::size_t(entry));
        }
      }
    }
  }
}

void Twin::RunPart(const Attention& attention, const Recipe& recipe, const Part& part, std::size_t head,
                   std::size_t entry) {
  namespace twin = reference;
  const Plan& plan = attention.plan();
  const AttentionOptions& o = plan.options();
  View<double> view = plan.Matrix(base(), recipe.stage, head, entry);
  const bool is_matrix = recipe.HasAxis(Axis::kRow) && recipe.HasAxis(Axis::kColumn);
  if (is_matrix) view = view.Rows(std::size_t(part.first_row), std::size_t(part.end_row));
  Map out = MapOf(view);
  const auto seen = [&](std::size_t operand) { return Seen(plan, base(), recipe, part, operand, head, entry); };
  const auto in = [&](std::size_t operand) { return MapOf(seen(operand)); };
  const auto column = [&](std::size_t operand) { return ColumnOf(seen(operand)); };
  kernels::MaskRule rule;
  if (part.over_keys || part.operation == Operation::kMask || part.operation == Operation::kAlibi) {
    rule = attention.MaskOf(head, entry);
  }
  const auto blocked = [&](Eigen::Index i, Eigen::Index j) { return rule.Blocks(std::size_t(i), std::size_t(j)); };
  switch (part.operation) {
    case Operation::kInput:
    case Operation::kDraw: {
      // From float32.
      View<const float> from = plan.Matrix<const float>(attention.base(), recipe.stage, head, entry);
      if (is_matrix) from = from.Rows(std::size_t(part.first_row), std::size_t(part.end_row));
      for (std::size_t i = 0; i < view.rows; ++i) {
        for (std::size_t j = 0; j < view.cols; ++j) view(i, j) = double(from(i, j));
      }
      return;
    }
    case Operation::kDot:
      if (recipe.stage == Stage::kScores) return twin::Scores<double>(in(0), in(1), out);
      if (part.over_keys) return twin::WeightedValues<double>(in(0), in(1), blocked, out);
      twin::Matmul<double>(in(0), in(1), out);
      if (part.has_addend) twin::AddRow<double>(out, column(2), out);
      return;
    case Operation::kScale: {
      const bool exact = o.default_scale && o.d_k > 0;
      return twin::Scale<double>(in(0), exact ? 1.0 / std::sqrt(double(o.d_k)) : double(o.scale), out);
    }
    case Operation::kCap:
      return twin::Cap<double>(in(0), double(o.cap), out);
    case Operation::kAlibi: {
      const auto maskable = Eigen::Index(std::min(rule.maskable, view.cols));
      return twin::Alibi<double>(in(0)(0, 0), double(rule.offset), maskable, out);
    }
    case Operation::kMask: {
      const auto added = [&](Eigen::Index i, Eigen::Index j) {
        double sum = 0;
        for (std::size_t p = 1; p < part.operand_count; ++p) {
          const View<double> from = seen(p);
          if (part.operands[p].stage != Stage::kAllow) sum += from(from.rows == 1 ? 0 : std::size_t(i), std::size_t(j));
        }
        return sum;
      };
      return twin::Mask<double>(in(0), blocked, added, out);
    }
    case Operation::kMax:
      return twin::RowMax<double>(in(0), ColumnOf(view));
    case Operation::kShift:
      return twin::Shift<double>(in(0), column(1), double(o.temperature), out);
    case Operation::kExp:
      return twin::Exp<double>(in(0), out);
    case Operation::kSum:
      return twin::RowSum<double>(in(0), ColumnOf(view));
    case Operation::kDivide:
      return twin::Divide<double>(in(0), column(1), out);
    case Operation::kCopy:
      if (recipe.stage != Stage::kConcat) out = in(0);
      return;
    case Operation::kMultiply:
      return twin::Scale<double>(in(0), in(1)(0, 0), out);
    case Operation::kAdd:
      return twin::Add<double>(in(0), in(1), out);
    case Operation::kRotate:
      return twin::Rotate<double>(in(0), in(1), in(3), !recipe.neighbours, out);
    case Operation::kMean:
      return twin::RowMean<double>(in(0), ColumnOf(view));
    case Operation::kVariance:
      return twin::RowVariance<double>(in(0), column(1), ColumnOf(view));
    case Operation::kMeanSquare:
      return twin::RowMeanSquare<double>(in(0), ColumnOf(view));
    case Operation::kLayerNorm:
    case Operation::kRmsNorm: {
      const bool second = recipe.stage == Stage::kNormed2;
      const auto vector = [&](Stage stage, std::size_t otherwise) {
        const double* given = VectorOf<double>(plan, base(), part, stage);
        const double* numbers = given != nullptr ? given : base() + plan.elements() + otherwise;
        return Eigen::Map<const reference::Column<double>>(numbers, Eigen::Index(view.cols));
      };
      const auto gamma = vector(second ? Stage::kGamma2 : Stage::kGamma, 0);
      const auto beta = vector(second ? Stage::kBeta2 : Stage::kBeta, std::size_t(o.d_model));
      if (part.operation == Operation::kRmsNorm) {
        return twin::RmsNorm<double>(in(0), column(1), double(o.epsilon), gamma, out);
      }
      return twin::LayerNorm<double>(in(0), column(1), column(2), double(o.epsilon), gamma, beta, out);
    }
    case Operation::kGelu:
      return twin::Gelu<double>(in(0), out);
    case Operation::kGeluTanh:
      return twin::GeluTanh<double>(in(0), out);
    case Operation::kRelu:
      return twin::Relu<double>(in(0), out);
    case Operation::kSinusoid:
      return twin::Sinusoid<double>(0, 10000.0, out);
    case Operation::kCosine: {
      const Map sines = MapOf(plan.Matrix(base(), Stage::kSines, 0));
      for (Eigen::Index position = 0; position < out.rows(); ++position) {
        const auto row = Eigen::Matrix<double, 1, 1>(double(position));
        twin::Angles<double>(row, double(o.rotary_base), out.row(position), Map(sines).row(position));
      }
      return;
    }
    case Operation::kSlope:
      out(0, 0) = std::exp2(-8.0 * double(head + 1) / double(o.heads));
      return;
    case Operation::kZero:
    case Operation::kSine:
    case Operation::kCount:
      return;
  }
}

}  // namespace loom
