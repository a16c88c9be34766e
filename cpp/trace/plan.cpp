#include "trace/plan.h"

#include <algorithm>
#include <cassert>
#include <initializer_list>

#include "matrix/limits.h"

namespace loom {
namespace {

// Rows of scores that are computed at a time without a trace: they stay in the cache (8 · 8192 floats at most).
constexpr std::size_t kBlockRows = 8;
// Every matrix begins at a multiple of 64 bytes.
constexpr std::uint64_t kAlignElements = 16;

void Operands(Recipe& recipe, std::initializer_list<Operand> operands) {
  for (const Operand& operand : operands) recipe.operands[recipe.operand_count++] = operand;
}

Operand From(Stage stage, std::initializer_list<Axis> axes) {
  Operand operand;
  operand.stage = stage;
  for (const Axis axis : axes) operand.axes[operand.rank++] = axis;
  return operand;
}

}  // namespace

Result<Plan> Plan::Create(const AttentionOptions& options) {
  const Status status = ValidateOptions(options);
  if (!Ok(status)) return status;
  Plan plan;
  plan.options_ = options;
  if (options.default_scale) plan.options_.scale = DefaultScale(options.d_k);
  plan.block_rows_ = options.trace ? static_cast<std::size_t>(options.n_q) : kBlockRows;
  plan.AddInputs();
  plan.AddStages();
  const double bytes = double(plan.elements_) * sizeof(float);
  if (bytes > double(kMaxBytes)) return Error{ErrorCode::kTooLarge, Param::kTotalBytes, bytes, double(kMaxBytes)};
  return plan;
}

const Recipe* Plan::Find(Stage stage) const {
  const auto i = static_cast<std::size_t>(stage);
  return i < kStageCount && recipes_[i].stage == stage ? &recipes_[i] : nullptr;
}

const Recipe& Plan::Get(Stage stage) const {
  assert(Has(stage));
  return recipes_[static_cast<std::size_t>(stage)];
}

Recipe& Plan::Add(Stage stage, Operation operation) {
  Recipe& recipe = recipes_[static_cast<std::size_t>(stage)];
  recipe.stage = stage;
  recipe.operation = operation;
  recipe.terms = operation == Operation::kInput ? 0 : 1;
  return recipe;
}

void Plan::Place(Recipe& recipe) {
  recipe.offset = static_cast<std::size_t>(elements_);
  elements_ += (recipe.Cells() + kAlignElements - 1) / kAlignElements * kAlignElements;
}

void Plan::Shape2(Recipe& recipe, int rows, int cols) {
  recipe.rank = 2;
  recipe.shape = {rows, cols, 0};
  recipe.strides = {static_cast<std::size_t>(cols), 1, 0};
  Place(recipe);
}

void Plan::ShapeColumn(Recipe& recipe, int heads, int rows) {
  Shape2(recipe, heads, rows);
  recipe.per_head = true;
}

void Plan::Shape3(Recipe& recipe, int heads, int rows, int cols) {
  recipe.rank = 3;
  recipe.per_head = true;
  recipe.shape = {heads, rows, cols};
  recipe.strides = {static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), static_cast<std::size_t>(cols), 1};
  Place(recipe);
}

void Plan::ShapeSideBySide(Recipe& recipe, int rows, int cols) {
  Shape3(recipe, options_.heads, rows, cols);
  recipe.strides = {static_cast<std::size_t>(cols),
                    static_cast<std::size_t>(options_.heads) * static_cast<std::size_t>(cols), 1};
}

void Plan::AddInputs() {
  const AttentionOptions& o = options_;
  const int d_kv = o.crossed ? o.d_kv : o.d_model;
  if (o.project) {
    Shape2(Add(Stage::kX, Operation::kInput), o.n_q, o.d_model);
    if (o.crossed) Shape2(Add(Stage::kXKv, Operation::kInput), o.n_k, d_kv);
    Shape2(Add(Stage::kWQ, Operation::kInput), o.d_model, o.heads * o.d_k);
    Shape2(Add(Stage::kWK, Operation::kInput), d_kv, o.heads * o.d_k);
    Shape2(Add(Stage::kWV, Operation::kInput), d_kv, o.heads * o.d_v);
  }
  const auto mask = [&](Stage stage, int heads) {
    if (heads == 0) return;
    Recipe& recipe = Add(stage, Operation::kInput);
    if (heads == 1) {
      Shape2(recipe, o.n_q, o.n_k);
    } else {
      Shape3(recipe, heads, o.n_q, o.n_k);
    }
  };
  mask(Stage::kAllow, o.allow_heads);
  mask(Stage::kAdd, o.add_heads);
}

void Plan::AddStages() {
  const AttentionOptions& o = options_;
  const auto h = Axis::kHead;
  const auto i = Axis::kRow;
  const auto j = Axis::kColumn;
  const auto k = Axis::kTerm;

  // X·W for each of the three, or given.
  const auto projected = [&](Stage stage, Stage tokens, Stage weights, int rows, int width) {
    Recipe& recipe = Add(stage, o.project ? Operation::kDot : Operation::kInput);
    ShapeSideBySide(recipe, rows, width);
    if (!o.project) return;
    recipe.terms = Get(tokens).shape[1];
    recipe.head_width = width;
    Operands(recipe, {From(tokens, {i, k}), From(weights, {k, Axis::kHeadColumn})});
  };
  const Stage answering = o.crossed ? Stage::kXKv : Stage::kX;
  projected(Stage::kQueries, Stage::kX, Stage::kWQ, o.n_q, o.d_k);
  projected(Stage::kKeys, answering, Stage::kWK, o.n_k, o.d_k);
  projected(Stage::kValues, answering, Stage::kWV, o.n_k, o.d_v);

  if (o.trace) {
    Recipe& scores = Add(Stage::kScores, Operation::kDot);
    Shape3(scores, o.heads, o.n_q, o.n_k);
    scores.terms = o.d_k;
    Operands(scores, {From(Stage::kQueries, {h, i, k}), From(Stage::kKeys, {h, j, k})});

    Recipe& scaled = Add(Stage::kScaled, Operation::kScale);
    Shape3(scaled, o.heads, o.n_q, o.n_k);
    Operands(scaled, {From(Stage::kScores, {h, i, j})});

    Stage last = Stage::kScaled;
    if (o.allow_heads > 0 || o.add_heads > 0 || o.causal) {
      Recipe& masked = Add(Stage::kMasked, Operation::kMask);
      Shape3(masked, o.heads, o.n_q, o.n_k);
      Operands(masked, {From(Stage::kScaled, {h, i, j})});
      const auto mask = [&](Stage stage) {
        if (!Has(stage)) return;
        Operands(masked, {Get(stage).rank == 3 ? From(stage, {h, i, j}) : From(stage, {i, j})});
      };
      mask(Stage::kAdd);
      mask(Stage::kAllow);
      last = Stage::kMasked;
    }

    Recipe& rowmax = Add(Stage::kRowMax, Operation::kMax);
    ShapeColumn(rowmax, o.heads, o.n_q);
    rowmax.over_keys = true;
    rowmax.terms = o.n_k;
    Operands(rowmax, {From(last, {h, i, k})});

    Recipe& shifted = Add(Stage::kShifted, Operation::kShift);
    Shape3(shifted, o.heads, o.n_q, o.n_k);
    Operands(shifted, {From(last, {h, i, j}), From(Stage::kRowMax, {h, i})});

    Recipe& exp = Add(Stage::kExp, Operation::kExp);
    Shape3(exp, o.heads, o.n_q, o.n_k);
    Operands(exp, {From(Stage::kShifted, {h, i, j})});

    Recipe& rowsum = Add(Stage::kRowSum, Operation::kSum);
    ShapeColumn(rowsum, o.heads, o.n_q);
    rowsum.over_keys = true;
    rowsum.terms = o.n_k;
    Operands(rowsum, {From(Stage::kExp, {h, i, k})});

    Recipe& weights = Add(Stage::kWeights, Operation::kDivide);
    Shape3(weights, o.heads, o.n_q, o.n_k);
    Operands(weights, {From(Stage::kExp, {h, i, j}), From(Stage::kRowSum, {h, i})});
  }

  Recipe& output = Add(Stage::kOutput, Operation::kDot);
  ShapeSideBySide(output, o.n_q, o.d_v);
  output.terms = o.n_k;
  output.over_keys = true;
  Operands(output, {From(Stage::kWeights, {h, i, k}), From(Stage::kValues, {h, k, j})});

  if (o.heads > 1) {
    // The heads of `output` lie side by side already: joined, they are the same numbers.
    Recipe& concat = Add(Stage::kConcat, Operation::kCopy);
    concat.rank = 2;
    concat.shape = {o.n_q, o.heads * o.d_v, 0};
    concat.strides = {static_cast<std::size_t>(o.heads) * static_cast<std::size_t>(o.d_v), 1, 0};
    concat.offset = output.offset;
    concat.head_width = o.d_v;
    Operands(concat, {From(Stage::kOutput, {Axis::kColumnHead, i, Axis::kColumnInHead})});
  }
}

}  // namespace loom
