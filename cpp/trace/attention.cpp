#include "trace/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/alibi.h"
#include "kernels/cap.h"
#include "kernels/divide.h"
#include "kernels/exp.h"
#include "kernels/finite.h"
#include "kernels/fused_attention.h"
#include "kernels/matmul.h"
#include "kernels/max_abs.h"
#include "kernels/rowmax.h"
#include "kernels/rowsum.h"
#include "kernels/scale.h"
#include "kernels/shift.h"
#include "kernels/transpose.h"
#include "kernels/unmask.h"
#include "kernels/weighted_values.h"
#include "matrix/limits.h"
#include "trace/compute.h"

namespace loom {

// What all rows of one head have in common.
struct Attention::Keys {
  std::size_t shared_by = static_cast<std::size_t>(-1);  // the key/value head that this is of
  ConstView keys;
  ConstView values;
  bool values_are_finite = true;
  float largest_key = 0;  // absolute
  float largest_value = 0;
  kernels::RightFactor transposed;  // of a traced run, or where numbers may leave their range
  bool packed = false;
  kernels::MaskRule rule;
  const float* added = nullptr;  // the additive mask that `largest_added` is of: heads often share it
  float largest_added = 0;
};

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

// As they are stored.
constexpr auto kOk = static_cast<std::uint8_t>(RowState::kOk);
constexpr auto kEmpty = static_cast<std::uint8_t>(RowState::kEmpty);
constexpr auto kNotFinite = static_cast<std::uint8_t>(RowState::kNotFinite);

// The largest |x| of an additive mask, without the −∞ that block.
float LargestAdded(const ConstView& add) {
  float largest = 0;
  for (std::size_t i = 0; i < add.rows; ++i) {
    for (std::size_t j = 0; j < add.cols; ++j) {
      const float x = std::abs(add(i, j));
      if (x > largest && add(i, j) != kLowest) largest = x;
    }
  }
  return largest;
}

std::size_t Aligned(std::size_t elements) { return (elements + 15) / 16 * 16; }

std::size_t Count(int a) { return static_cast<std::size_t>(a); }

// Rows that are worked on at a time without a trace, or along columns keys, if these are more.
std::size_t Lines(const Plan& plan) { return std::max(plan.block_rows(), Count(plan.options().Keys())); }

// The parts of the workspace behind the plan's own elements, in floats.
struct Scratch {
  std::size_t packed = 0;
  std::size_t block = 0;
  std::size_t block_column = 0;
  std::size_t turned = 0;
  std::size_t row_states = 0;

  explicit Scratch(const Plan& plan) {
    const AttentionOptions& o = plan.options();
    const std::size_t n_k = Count(o.Keys());
    packed = Aligned(kernels::PackedSize(n_k, Count(o.d_k)));
    if (!o.trace) {
      const Recipe& values = plan.Get(Stage::kValues);
      const std::size_t v_stride = values.strides[values.rank - 2u];
      packed = std::max(packed, Aligned(kernels::FusedScratch(n_k, Count(o.d_k), Count(o.d_v), v_stride)));
      block = Aligned(plan.block_rows() * n_k);
      block_column = Aligned(2 * Lines(plan));
    }
    if (o.softmax == Softmax::kColumns) turned = Aligned(Count(o.n_q) * n_k);
    row_states = Aligned((Count(o.Entries()) * Count(o.heads) * Count(o.n_q) + 3) / 4);
  }
  std::size_t Total() const { return packed + block + block_column + turned + row_states; }
};

}  // namespace

std::size_t Attention::BytesNeeded(const Plan& plan) {
  // Never nothing: stages without a cell still have an address.
  return Aligned(plan.elements() + Scratch(plan).Total() + 1) * sizeof(float);
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
  attention.turned_ = attention.block_column_ + scratch.block_column;
  attention.row_states_ = reinterpret_cast<std::uint8_t*>(attention.turned_ + scratch.turned);
  return attention;
}

MutableView Attention::Input(Stage stage, std::size_t entry) {
  const Recipe& recipe = plan_->Get(stage);
  const std::size_t skipped = recipe.rank > 1 && recipe.axes[0] == Axis::kBatch ? 1 : 0;
  float* data = base_ + recipe.offset + skipped * entry * recipe.strides[0];
  const std::size_t cols = Count(recipe.shape[recipe.rank - 1u]);
  if (recipe.rank == skipped + 1) return MutableView(data, 1, cols);
  const std::size_t rows = Count(recipe.parts[0].end_row);
  if (recipe.rank == skipped + 2) return MutableView(data, rows, cols);
  const std::size_t heads = Count(recipe.shape[skipped]);
  if (recipe.strides[recipe.rank - 2u] == heads * cols) return MutableView(data, rows, heads * cols);
  return MutableView(data, heads * Count(recipe.shape[recipe.rank - 2u]), cols);
}

Status Attention::CheckInputs() {
  for (std::size_t s = 0; s < plan_->count(); ++s) {
    const Recipe& recipe = plan_->at(s);
    const auto refuse = [&](const float* cell) {
      return Status{ErrorCode::kNotFinite, Param::kStage, double(cell - (base_ + recipe.offset)), double(recipe.stage)};
    };
    const bool may_block = recipe.stage == Stage::kAdd;
    if (recipe.Given()) {
      const ConstView all(base_ + recipe.offset, 1, static_cast<std::size_t>(recipe.Cells()));
      const float largest = kernels::MaxAbs(all);
      if (!std::isfinite(largest)) {
        const std::size_t at = kernels::FirstNotFinite(all, may_block);
        if (at != kernels::kAllFinite) return refuse(all.data + at);
      }
      largest_[static_cast<std::size_t>(recipe.stage)] = largest;
      continue;
    }
    if (recipe.parts[0].operation != Operation::kInput) continue;
    // Keys and values that begin with given rows.
    for (int entry = 0; entry < recipe.Size(Axis::kBatch); ++entry) {
      for (int head = 0; head < recipe.Size(Axis::kHead); ++head) {
        const ConstView rows = plan_->Matrix<const float>(base_, recipe.stage, Count(head), Count(entry))
                                   .Rows(0, Count(recipe.parts[0].end_row));
        const std::size_t at = kernels::FirstNotFinite(rows, false);
        if (at != kernels::kAllFinite) return refuse(rows.row(at / rows.cols) + at % rows.cols);
      }
    }
  }
  largest_known_ = true;
  return {};
}

float Attention::At(const Cell& cell) const { return base_[plan_->Get(cell.stage).PlaceOf(cell.index)]; }

ConstView Attention::Output() const {
  const Recipe& recipe = plan_->Get(plan_->last());
  const std::size_t rows = Count(recipe.Size(Axis::kBatch)) * Count(recipe.Size(Axis::kRow));
  const std::size_t cols = Count(recipe.Size(Axis::kHead)) * Count(recipe.Size(Axis::kColumn));
  return ConstView(base_ + recipe.offset, rows, cols);
}

kernels::MaskRule Attention::MaskOf(std::size_t head, std::size_t entry) const {
  const AttentionOptions& o = plan_->options();
  kernels::MaskRule rule;
  if (!plan_->Has(Stage::kMasked)) return rule;
  const Recipe& masked = plan_->Get(Stage::kMasked);
  const Part& part = masked.parts[0];
  for (std::size_t p = 0; p < part.operand_count; ++p) {
    const Operand& operand = part.operands[p];
    if (operand.stage != Stage::kAllow && operand.stage != Stage::kAdd) continue;
    const ConstView mask = plan_->Factor<const float>(base_, masked, operand, head, entry);
    (operand.stage == Stage::kAllow ? rule.allow : rule.add) = mask;
  }
  rule.has_allow = o.allow_rank > 0;
  rule.has_add = o.add_rank > 0;
  rule.causal = o.causal;
  rule.offset = o.offset;
  if (o.key_counts) {
    rule.key_count = static_cast<std::size_t>(Stage3(Stage::kKeyCounts, 0)(0, entry));
    if (o.offset_from_count) rule.offset = static_cast<std::int64_t>(rule.key_count) - o.n_q;
  }
  rule.has_window = o.window;
  rule.before = o.before;
  rule.after = o.after;
  rule.block = Count(o.block_size);
  rule.has_global = o.global;
  if (o.global) rule.global = Stage3(Stage::kGlobal, 0);
  rule.has_random = o.random_count > 0;
  if (rule.has_random) rule.random = Stage3(Stage::kRandom, 0);
  if (o.Keys() > o.Maskable()) rule.maskable = Count(o.Maskable());
  rule.has_slope = o.alibi != Alibi::kNone;
  if (rule.has_slope) rule.slope = Stage3(Stage::kSlopes, head)(0, 0);
  return rule;
}

void Attention::Run() {
  bool fused = false;
  for (std::size_t s = 0; s < plan_->count(); ++s) {
    const Recipe& recipe = plan_->at(s);
    if (recipe.Given() || recipe.by_block) continue;
    if (recipe.stage == Stage::kOutput) {
      fused = RunHeads();
    } else {
      RunStage(recipe);
    }
  }
  // Weighted means of numbers within a safe range are finite.
  if (!fused || plan_->last() != Stage::kOutput) ReportResult();
  largest_known_ = false;
}

void Attention::RunStage(const Recipe& recipe) {
  for (int entry = 0; entry < recipe.Size(Axis::kBatch); ++entry) {
    for (int head = 0; head < recipe.Size(Axis::kHead); ++head) {
      for (std::size_t p = 0; p < recipe.part_count; ++p) {
        Compute(*plan_, base_, recipe, recipe.parts[p], Count(head), Count(entry));
      }
    }
  }
}

// Everything from Q·Kᵀ to weights · values.
bool Attention::RunHeads() {
  const AttentionOptions& o = plan_->options();
  bool fused = true;
  for (int entry = 0; entry < o.Entries(); ++entry) {
    Keys keys;
    for (int head = 0; head < o.heads; ++head) fused = RunHead(Count(entry), Count(head), keys) && fused;
  }
  return fused;
}

// Of a part of a stage, or of more than that.
float Attention::Largest(Stage stage, const ConstView& part) const {
  const bool known = largest_known_ && plan_->Get(stage).Given();
  return known ? largest_[static_cast<std::size_t>(stage)] : kernels::MaxAbs(part);
}

bool Attention::RunHead(std::size_t entry, std::size_t head, Keys& shared) {
  const AttentionOptions& o = plan_->options();
  const std::size_t kv_head = head / Count(o.Group());
  if (shared.shared_by != kv_head) {
    shared.shared_by = kv_head;
    const Stage answering = plan_->Has(Stage::kRotatedKeys) ? Stage::kRotatedKeys : Stage::kKeys;
    shared.keys = Stage3(answering, kv_head, entry);
    shared.values = Stage3(Stage::kValues, kv_head, entry);
    shared.largest_key = Largest(answering, shared.keys);
    shared.largest_value = Largest(Stage::kValues, shared.values);
    shared.values_are_finite = std::isfinite(shared.largest_value);
    shared.packed = false;
  }
  if (plan_->Has(Stage::kMasked)) shared.rule = MaskOf(head, entry);
  if (!o.trace && shared.rule.has_add && shared.rule.add.data != shared.added) {
    shared.added = shared.rule.add.data;
    shared.largest_added = LargestAdded(shared.rule.add);
  }
  if (!o.trace && o.IsUsual() && RunFused(entry, head, shared)) return true;
  if (!shared.packed) {
    shared.transposed = kernels::PackTransposed(shared.keys, packed_);
    shared.packed = true;
  }
  const std::size_t n_q = Count(o.n_q);
  // Once also where there is no query: keys have sums of their own.
  std::size_t begin = 0;
  do {
    RunRows(entry, head, begin, std::min(n_q, begin + plan_->block_rows()), shared);
    begin += plan_->block_rows();
  } while (begin < n_q);
  return false;
}

// The fast path, where no number can leave the range of float32, so that no row can be anything but whole or empty.
// False: not taken.
bool Attention::RunFused(std::size_t entry, std::size_t head, const Keys& shared) {
  const AttentionOptions& o = plan_->options();
  const Stage asking = plan_->Has(Stage::kRotatedQueries) ? Stage::kRotatedQueries : Stage::kQueries;
  const ConstView queries = Stage3(asking, head, entry);
  // Far below the largest float32, so that roundings and a subtraction fit as well.
  constexpr double kSafe = 1e37;
  const double dot = double(Largest(asking, queries)) * double(shared.largest_key) * double(o.d_k);
  double scores = std::max(dot, dot * std::abs(double(o.scale)));
  if (shared.rule.has_slope) {
    scores += std::abs(double(shared.rule.slope)) * (double(kMaxTokens) + std::abs(double(shared.rule.offset)));
  }
  if (shared.rule.has_add) scores += double(shared.largest_added);
  // Not "scores > kSafe": NaN, from 0 · ∞, is not safe either.
  if (!(scores < kSafe) || !(double(shared.largest_value) < kSafe)) return false;
  const MutableView output = plan_->Matrix(base_, Stage::kOutput, head, entry);
  kernels::FusedAttention(queries, shared.keys, shared.values, shared.rule, {o.scale, o.cap, o.temperature}, packed_,
                          output, StatesOf(entry, head));
  return true;
}

// With a trace each stage has rows of its own; without one all of them share the block, one kernel working on what the
// one before has left there.
MutableView Attention::StageRows(Stage stage, std::size_t entry, std::size_t head, std::size_t begin,
                                 std::size_t end) const {
  if (plan_->options().trace) return plan_->Matrix(base_, stage, head, entry).Rows(begin, end);
  return MutableView(block_, end - begin, Count(plan_->options().Keys()));
}

float* Attention::StageColumn(Stage stage, std::size_t entry, std::size_t head, std::size_t begin) const {
  if (plan_->options().trace) return plan_->Matrix(base_, stage, head, entry).data + begin;
  return block_column_ + (stage == Stage::kRowMax ? 0 : Lines(*plan_));
}

std::uint8_t* Attention::StatesOf(std::size_t entry, std::size_t head) const {
  const AttentionOptions& o = plan_->options();
  return row_states_ + (entry * Count(o.heads) + head) * Count(o.n_q);
}

void Attention::RunRows(std::size_t entry, std::size_t head, std::size_t begin, std::size_t end, const Keys& shared) {
  const AttentionOptions& o = plan_->options();
  const Stage asking = plan_->Has(Stage::kRotatedQueries) ? Stage::kRotatedQueries : Stage::kQueries;
  const ConstView queries = Stage3(asking, head, entry).Rows(begin, end);
  const MutableView output = plan_->Matrix(base_, Stage::kOutput, head, entry).Rows(begin, end);
  const std::size_t n_k = Count(o.Keys());
  const auto rows = [&](Stage stage) { return StageRows(stage, entry, head, begin, end); };
  std::uint8_t* states = StatesOf(entry, head) + begin;
  const std::size_t count = end - begin;
  std::fill(states, states + count, kOk);
  const RangeCheck check{shared.rule, begin, states};

  kernels::Matmul(queries, shared.transposed, rows(Stage::kScores));
  kernels::Scale(rows(Stage::kScores), o.scale, rows(Stage::kScaled));
  check.Scores(rows(Stage::kScaled), false);
  Stage last = Stage::kScaled;
  if (o.cap > 0) {
    kernels::Cap(rows(last), o.cap, rows(Stage::kCapped));
    last = Stage::kCapped;
  }
  if (o.alibi != Alibi::kNone && o.trace) {
    kernels::Alibi(shared.rule.slope, begin, shared.rule.offset, shared.rule.maskable, rows(Stage::kBias));
  }
  if (plan_->Has(Stage::kMasked)) {
    kernels::Mask(rows(last), shared.rule, begin, rows(Stage::kMasked));
    last = Stage::kMasked;
    if (shared.rule.has_add || shared.rule.has_slope) check.Scores(rows(Stage::kMasked), false);
  }
  for (std::size_t r = 0; r < count; ++r) {
    const float* row = rows(last).row(r);
    const bool sees = std::any_of(row, row + n_k, [](float x) { return x > kLowest; });
    if (!sees && states[r] == kOk) states[r] = kEmpty;
  }
  if (o.softmax == Softmax::kNone) {
    kernels::Unmask(rows(last), shared.rule, begin, rows(Stage::kWeights));
  } else {
    // Along columns all of them are worked on as rows of `turned`, and each stage is turned back.
    const bool columns = o.softmax == Softmax::kColumns;
    const MutableView turned(turned_, n_k, count);
    const auto lines = [&](Stage stage) { return columns ? turned : rows(stage); };
    const auto keep = [&](Stage stage) {
      if (columns) kernels::Transpose(turned, rows(stage).data, n_k);
    };
    float* sum = StageColumn(Stage::kRowSum, entry, head, begin);
    float* max = o.shift ? StageColumn(Stage::kRowMax, entry, head, begin) : nullptr;
    if (columns) {
      kernels::Transpose(rows(last), turned.data, count);
      check.Scores(turned, true);
    }
    if (o.shift) kernels::RowMax(lines(last), max);
    if (plan_->Has(Stage::kShifted)) {
      kernels::Shift(lines(last), max, o.temperature, lines(Stage::kShifted));
      last = Stage::kShifted;
      keep(last);
      // x − rowmax may overflow to −∞. With τ ≤ 1 the weight 0 is right all the same; with a larger τ it need not be.
      if (o.temperature > 1) check.Scores(lines(last), columns);
    }
    kernels::Exp(lines(last), lines(Stage::kExp));
    keep(Stage::kExp);
    kernels::RowSum(lines(Stage::kExp), sum);
    kernels::Divide(lines(Stage::kExp), sum, lines(Stage::kWeights));
    keep(Stage::kWeights);
    if (!o.shift) check.Shares(lines(Stage::kWeights), columns, sum);
  }
  kernels::WeightedValues(rows(Stage::kWeights), shared.values, shared.rule, begin, shared.values_are_finite, output);
}

// Rows whose result left the range of float32, whichever head it was.
void Attention::ReportResult() {
  const AttentionOptions& o = plan_->options();
  const auto report = [&](std::uint8_t* state) {
    if (*state == kOk) *state = kNotFinite;
  };
  const ConstView result = Output();
  if (kernels::FirstNotFinite(result, false) == kernels::kAllFinite) return;
  const bool per_head = result.cols == Count(o.heads) * Count(o.d_v) && !o.project_out && !o.residual && o.d_ff == 0 &&
                        o.norm == Norm::kNone;
  const std::size_t width = per_head ? Count(o.d_v) : result.cols;
  for (std::size_t row = 0; row < result.rows; ++row) {
    for (std::size_t head = 0; head < Count(o.heads); ++head) {
      const std::size_t first = per_head ? head * width : 0;
      const ConstView part = result.Rows(row, row + 1).Columns(first, first + width);
      if (kernels::FirstNotFinite(part, false) == kernels::kAllFinite) continue;
      report(StatesOf(row / Count(o.n_q), head) + row % Count(o.n_q));
    }
  }
}

}  // namespace loom
