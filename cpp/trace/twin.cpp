#include "trace/twin.h"

#include <cmath>

#include "reference/attention.h"

namespace loom {
namespace {

using Strided = Eigen::OuterStride<>;
using Map = Eigen::Map<reference::Matrix<double>, 0, Strided>;
using ColumnMap = Eigen::Map<reference::Column<double>>;

Map MapOf(View<double> view) {
  return Map(view.data, Eigen::Index(view.rows), Eigen::Index(view.cols), Strided(Eigen::Index(view.stride)));
}

}  // namespace

Result<Twin> Twin::Create(const Plan& plan) {
  if (!plan.options().trace) return Error{ErrorCode::kNotReady, Param::kNone, 0, 0};
  // More than the plan has: the stage `masked` of a plan without a mask. Never nothing: see Attention::BytesNeeded.
  const AttentionOptions& o = plan.options();
  const std::size_t unmasked = plan.Has(Stage::kMasked) ? 0 : std::size_t(o.n_q) * std::size_t(o.n_k);
  Result<Buffer> memory = Buffer::Create((plan.elements() + unmasked + 1) * sizeof(double));
  if (!memory.ok()) return memory.error();
  Twin twin;
  twin.memory_ = std::move(memory.value());
  return twin;
}

void Twin::Run(const Attention& attention) {
  const Plan& plan = attention.plan();
  const AttentionOptions& o = plan.options();
  for (std::size_t i = 0; i < plan.elements(); ++i) base()[i] = 0;

  // Inputs, head by head, from float32.
  for (std::size_t s = 0; s < kStageCount; ++s) {
    const auto stage = static_cast<Stage>(s);
    const Recipe* recipe = plan.Find(stage);
    if (recipe == nullptr || recipe->operation != Operation::kInput) continue;
    const std::size_t heads = recipe->rank == 3 ? std::size_t(recipe->shape[0]) : 1;
    for (std::size_t h = 0; h < heads; ++h) {
      const View<const float> from = attention.Stage3(stage, h);
      const View<double> to = plan.Matrix<double>(base(), stage, h);
      for (std::size_t i = 0; i < from.rows; ++i) {
        for (std::size_t j = 0; j < from.cols; ++j) to(i, j) = double(from(i, j));
      }
    }
  }

  const auto matrix = [&](Stage stage, std::size_t head) { return MapOf(plan.Matrix<double>(base(), stage, head)); };
  const auto column = [&](Stage stage, std::size_t head) {
    const Recipe& recipe = plan.Get(stage);
    return ColumnMap(base() + recipe.offset + head * recipe.strides[0], Eigen::Index(o.n_q));
  };
  const bool exact = o.default_scale && o.d_k > 0;
  const double scale = exact ? 1.0 / std::sqrt(double(o.d_k)) : double(o.scale);

  for (std::size_t h = 0; h < std::size_t(o.heads); ++h) {
    if (o.project) {
      const Stage answering = o.crossed ? Stage::kXKv : Stage::kX;
      const auto weights_of_head = [&](Stage stage, int width) {
        return matrix(stage, 0).middleCols(Eigen::Index(h) * width, width);
      };
      using reference::Matmul;
      Matmul<double>(matrix(Stage::kX, 0), weights_of_head(Stage::kWQ, o.d_k), matrix(Stage::kQueries, h));
      Matmul<double>(matrix(answering, 0), weights_of_head(Stage::kWK, o.d_k), matrix(Stage::kKeys, h));
      Matmul<double>(matrix(answering, 0), weights_of_head(Stage::kWV, o.d_v), matrix(Stage::kValues, h));
    }
    const kernels::MaskRule rule = attention.MaskOf(h);
    const auto blocked = [&](Eigen::Index i, Eigen::Index j) { return rule.Blocks(std::size_t(i), std::size_t(j)); };
    const auto add = [&](Eigen::Index i, Eigen::Index j) {
      return rule.has_add ? double(rule.add(std::size_t(i), std::size_t(j))) : 0.0;
    };
    Map masked = plan.Has(Stage::kMasked)
                     ? matrix(Stage::kMasked, h)
                     : MapOf(View<double>(base() + plan.elements(), std::size_t(o.n_q), std::size_t(o.n_k)));
    reference::Stages<double> stages{matrix(Stage::kScores, h), matrix(Stage::kScaled, h),  masked,
                                     column(Stage::kRowMax, h), matrix(Stage::kShifted, h), matrix(Stage::kExp, h),
                                     column(Stage::kRowSum, h), matrix(Stage::kWeights, h), matrix(Stage::kOutput, h)};
    reference::Attend<double>(matrix(Stage::kQueries, h), matrix(Stage::kKeys, h), matrix(Stage::kValues, h), scale,
                              blocked, add, o.temperature, stages);
  }
}

}  // namespace loom
