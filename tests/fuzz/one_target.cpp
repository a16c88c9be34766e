#include "one_target.h"

#include <algorithm>
#include <cmath>

#include "bytes.h"
#include "trace/twin.h"

namespace {

using namespace loom;  // one of three: the name is a macro

double Largest(const Attention& attention, Stage stage) {
  double largest = 0;
  const Recipe* recipe = attention.plan().Find(stage);
  if (recipe == nullptr) return 0;
  for (int entry = 0; entry < recipe->Size(Axis::kBatch); ++entry) {
    for (int head = 0; head < recipe->Size(Axis::kHead); ++head) {
      const ConstView matrix = attention.Stage3(stage, std::size_t(head), std::size_t(entry));
      for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.cols; ++j) {
          if (std::isfinite(matrix(i, j))) largest = std::max(largest, std::abs(double(matrix(i, j))));
        }
      }
    }
  }
  return largest;
}

}  // namespace

// Compares `output` of attention itself (not of what stands around it) with the twin: 3e-7 · (1 + max|S|) · (1 +
// max|V|), with room for the projections in front.
TargetResult LOOM_RUN_ONE(const std::uint8_t* data, std::size_t size) {
  TargetResult result;
  fuzz::Bytes bytes(data, size);
  AttentionOptions options = fuzz::OptionsFrom(bytes);
  options.trace = true;
  const Result<Plan> plan = Plan::Create(options);
  result.code = static_cast<int>(plan.error().code);
  result.param = static_cast<int>(plan.error().param);
  if (!plan.ok()) return result;
  Result<Attention> made = Attention::Create(plan.value());
  Attention& attention = made.value();
  fuzz::Fill(attention, bytes);
  result.finite = Ok(attention.CheckInputs());
  attention.Run();
  const ConstView output = attention.Output();
  for (std::size_t i = 0; i < output.rows; ++i) {
    for (std::size_t j = 0; j < output.cols; ++j) result.output.push_back(output(i, j));
  }
  const std::size_t rows = std::size_t(options.Entries()) * std::size_t(options.heads) * std::size_t(options.n_q);
  result.states.assign(attention.RowStates(), attention.RowStates() + rows);

  const bool whole = std::all_of(result.states.begin(), result.states.end(),
                                 [](std::uint8_t state) { return state != std::uint8_t(RowState::kNotFinite); });
  // Projections of large numbers cancel: their own error then decides, and τ sharpens it. Weights that are no shares
  // have another bound.
  if (!result.finite || !whole || options.project || options.temperature != 1 || options.rotary != Rotary::kNone ||
      !options.IsUsual()) {
    return result;
  }
  Result<Twin> twin = Twin::Create(plan.value());
  twin.value().Run(attention);
  double scores = 0;
  for (const Stage stage : {Stage::kScores, Stage::kScaled, Stage::kMasked, Stage::kBias}) {
    scores = std::max(scores, Largest(attention, stage));
  }
  // q·k may cancel: its error is that of the largest product.
  scores = std::max(scores, Largest(attention, Stage::kQueries) * Largest(attention, Stage::kKeys) *
                                std::max(1.0, std::abs(double(plan.value().options().scale))) * options.d_k);
  const double bound = 3e-7 * (1 + scores) * (1 + Largest(attention, Stage::kValues));
  const Recipe& recipe = plan.value().Get(Stage::kOutput);
  for (std::size_t cell = 0; cell < recipe.Cells(); ++cell) {
    const double got = double(attention.base()[recipe.offset + cell]);
    const double want = twin.value().base()[recipe.offset + cell];
    if (!(std::abs(got - want) <= bound)) result.twin_is_near = false;
  }
  return result;
}
