#include "trace/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/divide.h"
#include "kernels/exp.h"
#include "kernels/finite.h"
#include "kernels/matmul.h"
#include "kernels/rowmax.h"
#include "kernels/rowsum.h"
#include "kernels/scale.h"
#include "kernels/shift.h"
#include "kernels/weighted_values.h"

namespace loom {

// What all rows of one head have in common.
struct KeysAndValues {
  kernels::RightFactor keys_transposed;
  ConstView values;
  bool values_are_finite = true;
  kernels::MaskRule rule;
};

namespace {

// Whether a key that the query may look at has a score out of the range of float32.
bool VisibleScoreNotFinite(ConstView scores_row, const kernels::MaskRule& rule, std::size_t query) {
  if (kernels::FirstNotFinite(scores_row, false) == kernels::kAllFinite) return false;
  for (std::size_t j = 0; j < scores_row.cols; ++j) {
    if (!std::isfinite(scores_row(0, j)) && !rule.Blocks(query, j)) return true;
  }
  return false;
}

std::size_t Aligned(std::size_t elements) { return (elements + 15) / 16 * 16; }

// The parts of the workspace behind the plan's own elements, in floats.
struct Scratch {
  std::size_t packed = 0;
  std::size_t block = 0;
  std::size_t block_column = 0;
  std::size_t row_states = 0;

  explicit Scratch(const Plan& plan) {
    const AttentionOptions& o = plan.options();
    const auto n_k = static_cast<std::size_t>(o.n_k);
    packed = Aligned(kernels::PackedSize(n_k, static_cast<std::size_t>(o.d_k)));
    if (!o.trace) {
      block = Aligned(plan.block_rows() * n_k);
      block_column = Aligned(2 * plan.block_rows());
    }
    row_states = Aligned((static_cast<std::size_t>(o.heads) * static_cast<std::size_t>(o.n_q) + 3) / 4);
  }
  std::size_t Sum() const { return packed + block + block_column + row_states; }
};

Param ParamOf(Stage stage) {
  switch (stage) {
    case Stage::kX:
      return Param::kX;
    case Stage::kXKv:
      return Param::kXKv;
    case Stage::kWQ:
      return Param::kWQ;
    case Stage::kWK:
      return Param::kWK;
    case Stage::kWV:
      return Param::kWV;
    case Stage::kAllow:
      return Param::kAllow;
    case Stage::kAdd:
      return Param::kAdd;
    case Stage::kQueries:
      return Param::kQ;
    case Stage::kKeys:
      return Param::kK;
    case Stage::kValues:
      return Param::kV;
    default:
      return Param::kNone;
  }
}

}  // namespace

std::size_t Attention::BytesNeeded(const Plan& plan) {
  // Never nothing: stages without a cell still have an address.
  return Aligned(plan.elements() + Scratch(plan).Sum() + 1) * sizeof(float);
}

Result<Attention> Attention::Create(const Plan& plan, void* workspace, std::size_t workspace_bytes) {
  Attention attention;
  attention.plan_ = &plan;
  const std::size_t bytes = BytesNeeded(plan);
  if (bytes > workspace_bytes) {
    Result<Buffer> memory = Buffer::Create(bytes);
    if (!memory.ok()) return memory.error();
    attention.memory_ = std::move(memory.value());
    workspace = attention.memory_.data();
  }
  const Scratch scratch(plan);
  attention.base_ = static_cast<float*>(workspace);
  attention.packed_ = attention.base_ + plan.elements();
  attention.block_ = attention.packed_ + scratch.packed;
  attention.block_column_ = attention.block_ + scratch.block;
  attention.row_states_ = reinterpret_cast<std::uint8_t*>(attention.block_column_ + scratch.block_column);
  return attention;
}

View<float> Attention::SideBySide(Stage stage) const {
  const Recipe& recipe = plan_->Get(stage);
  if (recipe.rank == 2) {
    return View<float>(base_ + recipe.offset, static_cast<std::size_t>(recipe.shape[0]),
                       static_cast<std::size_t>(recipe.shape[1]));
  }
  // Heads lie side by side in their rows, or (masks) one below the other.
  const auto heads = static_cast<std::size_t>(recipe.shape[0]);
  const auto rows = static_cast<std::size_t>(recipe.shape[1]);
  const auto cols = static_cast<std::size_t>(recipe.shape[2]);
  if (recipe.strides[1] == cols) return View<float>(base_ + recipe.offset, heads * rows, cols);
  return View<float>(base_ + recipe.offset, rows, heads * cols);
}

MutableView Attention::Input(Stage stage) { return SideBySide(stage); }

Status Attention::CheckInputs() const {
  for (std::size_t s = 0; s < kStageCount; ++s) {
    const auto stage = static_cast<Stage>(s);
    const Recipe* recipe = plan_->Find(stage);
    if (recipe == nullptr || recipe->operation != Operation::kInput) continue;
    const std::size_t at = kernels::FirstNotFinite(SideBySide(stage), stage == Stage::kAdd);
    if (at != kernels::kAllFinite) return {ErrorCode::kNotFinite, ParamOf(stage), double(at), 0};
  }
  return {};
}

float Attention::At(const Cell& cell) const {
  const Recipe& recipe = plan_->Get(cell.stage);
  std::size_t place = recipe.offset;
  for (std::size_t axis = 0; axis < recipe.rank; ++axis) {
    assert(cell.index[axis] >= 0 && cell.index[axis] < recipe.shape[axis]);
    place += static_cast<std::size_t>(cell.index[axis]) * recipe.strides[axis];
  }
  return base_[place];
}

kernels::MaskRule Attention::MaskOf(std::size_t head) const {
  const AttentionOptions& o = plan_->options();
  kernels::MaskRule rule;
  rule.has_allow = o.allow_heads > 0;
  rule.has_add = o.add_heads > 0;
  rule.causal = o.causal;
  rule.offset = o.causal_offset;
  if (rule.has_allow) rule.allow = Stage3(Stage::kAllow, head);
  if (rule.has_add) rule.add = Stage3(Stage::kAdd, head);
  return rule;
}

void Attention::Run() {
  if (plan_->options().project) Project();
  for (int head = 0; head < plan_->options().heads; ++head) RunHead(static_cast<std::size_t>(head));
}

void Attention::Project() {
  const bool crossed = plan_->options().crossed;
  const ConstView x = SideBySide(Stage::kX);
  const ConstView x_kv = SideBySide(crossed ? Stage::kXKv : Stage::kX);
  kernels::Matmul(x, kernels::RightFactor::Of(SideBySide(Stage::kWQ)), SideBySide(Stage::kQueries));
  kernels::Matmul(x_kv, kernels::RightFactor::Of(SideBySide(Stage::kWK)), SideBySide(Stage::kKeys));
  kernels::Matmul(x_kv, kernels::RightFactor::Of(SideBySide(Stage::kWV)), SideBySide(Stage::kValues));
}

void Attention::RunHead(std::size_t head) {
  KeysAndValues shared;
  shared.keys_transposed = kernels::PackTransposed(Stage3(Stage::kKeys, head), packed_);
  shared.values = Stage3(Stage::kValues, head);
  shared.values_are_finite = kernels::FirstNotFinite(shared.values, false) == kernels::kAllFinite;
  shared.rule = MaskOf(head);
  const auto n_q = static_cast<std::size_t>(plan_->options().n_q);
  for (std::size_t begin = 0; begin < n_q; begin += plan_->block_rows()) {
    RunRows(head, begin, std::min(n_q, begin + plan_->block_rows()), shared);
  }
}

// With a trace each stage has rows of its own; without one all of them share the block, one kernel working on what the
// one before has left there.
MutableView Attention::StageRows(Stage stage, std::size_t head, std::size_t begin, std::size_t end) const {
  if (plan_->options().trace) return plan_->Matrix<float>(base_, stage, head).Rows(begin, end);
  return MutableView(block_, end - begin, static_cast<std::size_t>(plan_->options().n_k));
}

float* Attention::StageColumn(Stage stage, std::size_t head, std::size_t begin) const {
  if (plan_->options().trace) {
    const Recipe& recipe = plan_->Get(stage);
    return base_ + recipe.offset + head * recipe.strides[0] + begin;
  }
  return block_column_ + (stage == Stage::kRowMax ? 0 : plan_->block_rows());
}

void Attention::RunRows(std::size_t head, std::size_t begin, std::size_t end, const KeysAndValues& shared) {
  const AttentionOptions& o = plan_->options();
  const ConstView queries = Stage3(Stage::kQueries, head).Rows(begin, end);
  const MutableView output = plan_->Matrix<float>(base_, Stage::kOutput, head).Rows(begin, end);
  const auto rows = [&](Stage stage) { return StageRows(stage, head, begin, end); };
  std::uint8_t* states = row_states_ + head * static_cast<std::size_t>(o.n_q) + begin;
  const auto report_scores = [&](Stage stage) {
    for (std::size_t r = 0; r < end - begin; ++r) {
      if (VisibleScoreNotFinite(rows(stage).Rows(r, r + 1), shared.rule, begin + r)) {
        states[r] = static_cast<std::uint8_t>(RowState::kNotFinite);
      }
    }
  };
  std::fill(states, states + (end - begin), static_cast<std::uint8_t>(RowState::kOk));

  kernels::Matmul(queries, shared.keys_transposed, rows(Stage::kScores));
  kernels::Scale(rows(Stage::kScores), o.scale, rows(Stage::kScaled));
  report_scores(Stage::kScaled);
  Stage last = Stage::kScaled;
  if (shared.rule.Any()) {
    kernels::Mask(rows(last), shared.rule, begin, rows(Stage::kMasked));
    last = Stage::kMasked;
    if (shared.rule.has_add) report_scores(Stage::kMasked);
  }
  float* rowmax = StageColumn(Stage::kRowMax, head, begin);
  float* rowsum = StageColumn(Stage::kRowSum, head, begin);
  kernels::RowMax(rows(last), rowmax);
  kernels::Shift(rows(last), rowmax, o.temperature, rows(Stage::kShifted));
  // x − rowmax may overflow to −∞. With τ ≤ 1 the weight 0 is right all the same; with a larger τ it need not be.
  if (o.temperature > 1) report_scores(Stage::kShifted);
  kernels::Exp(rows(Stage::kShifted), rows(Stage::kExp));
  kernels::RowSum(rows(Stage::kExp), rowsum);
  kernels::Divide(rows(Stage::kExp), rowsum, rows(Stage::kWeights));
  kernels::WeightedValues(rows(Stage::kWeights), shared.values, shared.rule, begin, shared.values_are_finite, output);

  for (std::size_t r = 0; r < end - begin; ++r) {
    if (states[r] != static_cast<std::uint8_t>(RowState::kOk)) continue;
    states[r] = static_cast<std::uint8_t>(StateOf(rowmax[r], output.Rows(r, r + 1)));
  }
}

// Of a row whose visible scores are finite.
RowState Attention::StateOf(float rowmax, ConstView output_row) {
  if (rowmax == -std::numeric_limits<float>::infinity()) return RowState::kEmpty;
  const bool finite = kernels::FirstNotFinite(output_row, false) == kernels::kAllFinite;
  return finite ? RowState::kOk : RowState::kNotFinite;
}

}  // namespace loom
