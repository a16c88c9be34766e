#include "trace/plan.h"

#include "matrix/limits.h"

namespace loom {
namespace {

// Rows of scores that are computed at a time without a trace: they stay in the cache (8 · 8192 floats at most).
constexpr std::size_t kBlockRows = 8;
// Every matrix begins at a multiple of 64 bytes.
constexpr std::uint64_t kAlignElements = 16;

}  // namespace

Result<Plan> Plan::Create(const AttentionOptions& options) {
  Plan plan;
  const Status status = plan.Make(options);
  if (!Ok(status)) return status;
  return plan;
}

Status Plan::Make(const AttentionOptions& options) {
  const Status status = ValidateOptions(options);
  if (!Ok(status)) return status;
  recipes_.fill(Recipe{});
  count_ = 0;
  elements_ = 0;
  options_ = options;
  if (options.default_scale) options_.scale = DefaultScale(options.d_k);
  block_rows_ = options.trace ? static_cast<std::size_t>(options.n_q) : kBlockRows;
  AddInputs();
  AddTables();
  AddStages();
  const double bytes = double(elements_) * sizeof(float);
  if (bytes > double(kMaxBytes)) return {ErrorCode::kTooLarge, Param::kTotalBytes, bytes, double(kMaxBytes)};
  return {};
}

const Recipe* Plan::Find(Stage stage) const {
  const auto i = static_cast<std::size_t>(stage);
  return i < kStageCount && recipes_[i].stage == stage ? &recipes_[i] : nullptr;
}

const Recipe& Plan::Get(Stage stage) const {
  assert(Has(stage));
  return recipes_[static_cast<std::size_t>(stage)];
}

Recipe& Plan::Add(Stage stage, Operation operation, int terms) {
  Recipe& recipe = recipes_[static_cast<std::size_t>(stage)];
  recipe.stage = stage;
  recipe.part_count = 1;
  recipe.parts[0].operation = operation;
  recipe.parts[0].terms = terms;
  order_[count_++] = stage;
  return recipe;
}

void Plan::Place(Recipe& recipe) {
  recipe.offset = static_cast<std::size_t>(elements_);
  elements_ += (recipe.Cells() + kAlignElements - 1) / kAlignElements * kAlignElements;
}

void Plan::Shape(Recipe& recipe, bool batched, std::initializer_list<Sized> axes, bool side_by_side) {
  const auto along = [&](Sized sized) {
    recipe.axes[recipe.rank] = sized.axis;
    recipe.shape[recipe.rank++] = sized.size;
  };
  if (batched && options_.batch > 0) along({Axis::kBatch, options_.batch});
  for (const Sized& sized : axes) along(sized);
  std::size_t stride = 1;
  for (std::size_t a = recipe.rank; a-- > 0;) {
    recipe.strides[a] = stride;
    stride *= static_cast<std::size_t>(recipe.shape[a]);
  }
  if (side_by_side) {
    const std::size_t row = recipe.rank - 2u;
    const std::size_t head = row - 1;
    recipe.strides[head] = static_cast<std::size_t>(recipe.shape[row + 1]);
    recipe.strides[row] = recipe.strides[head] * static_cast<std::size_t>(recipe.shape[head]);
  }
  recipe.parts[0].end_row = recipe.Size(Axis::kRow);
  if (!recipe.by_block || options_.trace) Place(recipe);
}

Operand Plan::From(Stage stage, std::initializer_list<Axis> axes) const {
  Operand operand;
  operand.stage = stage;
  if (Get(stage).rank > axes.size()) operand.axes[operand.rank++] = Axis::kBatch;
  for (const Axis axis : axes) operand.axes[operand.rank++] = axis;
  return operand;
}

Operand Plan::FromMask(Stage stage) const {
  const Recipe& recipe = Get(stage);
  Operand operand;
  operand.stage = stage;
  operand.rank = recipe.rank;
  const AttentionOptions& o = options_;
  for (std::size_t a = 0; a < recipe.rank; ++a) {
    const Axis axis = recipe.axes[a];
    const int full = axis == Axis::kBatch ? o.Entries() : axis == Axis::kHead ? o.heads : o.n_q;
    const bool one_for_all = axis != Axis::kColumn && recipe.shape[a] == 1 && full != 1;
    operand.axes[a] = one_for_all ? Axis::kFirst : axis;
  }
  return operand;
}

void Plan::Operands(Part& part, std::initializer_list<Operand> operands) {
  for (const Operand& operand : operands) part.operands[part.operand_count++] = operand;
}

void Plan::AddInput(Stage stage, bool batched, std::initializer_list<Sized> axes) {
  Shape(Add(stage, Operation::kInput, 0), batched, axes);
}

void Plan::AddMaskInput(Stage stage, int rank, int entries, int heads, int rows) {
  if (rank == 0) return;
  Recipe& recipe = Add(stage, Operation::kInput, 0);
  const Sized row{Axis::kRow, rows};
  const Sized column{Axis::kColumn, options_.Keys()};
  if (rank == 2) {
    Shape(recipe, false, {row, column});
  } else if (rank == 3) {
    Shape(recipe, false, {{Axis::kHead, heads}, row, column});
  } else {
    Shape(recipe, false, {{Axis::kBatch, entries}, {Axis::kHead, heads}, row, column});
  }
}

void Plan::AddInputs() {
  const AttentionOptions& o = options_;
  const auto r = Axis::kRow;
  const auto c = Axis::kColumn;
  const int d_kv = o.crossed ? o.d_kv : o.d_model;
  const auto vector = [&](Stage stage, bool given, int width) {
    if (given) AddInput(stage, false, {{c, width}});
  };
  if (o.project) {
    AddInput(Stage::kX, true, {{r, o.n_q}, {c, o.d_model}});
    if (o.crossed) AddInput(Stage::kXKv, true, {{r, o.n_new}, {c, d_kv}});
    AddInput(Stage::kWQ, false, {{r, o.d_model}, {c, o.heads * o.d_k}});
    AddInput(Stage::kWK, false, {{r, d_kv}, {c, o.kv_heads * o.d_k}});
    AddInput(Stage::kWV, false, {{r, d_kv}, {c, o.kv_heads * o.d_v}});
    vector(Stage::kBQ, o.bias_q, o.heads * o.d_k);
    vector(Stage::kBK, o.bias_k, o.kv_heads * o.d_k);
    vector(Stage::kBV, o.bias_v, o.kv_heads * o.d_v);
  }
  if (o.project_out) {
    AddInput(Stage::kWO, false, {{r, o.heads * o.d_v}, {c, o.d_out}});
    vector(Stage::kBO, o.bias_o, o.d_out);
  }
  vector(Stage::kBiasK, o.extra_key, o.kv_heads * o.d_k);
  vector(Stage::kBiasV, o.extra_key, o.kv_heads * o.d_v);
  AddMaskInput(Stage::kAllow, o.allow_rank, o.allow_batch, o.allow_heads, o.allow_rows);
  AddMaskInput(Stage::kAdd, o.add_rank, o.add_batch, o.add_heads, o.add_rows);
  if (o.key_counts) AddInput(Stage::kKeyCounts, false, {{Axis::kBatch, o.Entries()}});
  vector(Stage::kGlobal, o.global, o.Maskable());
  if (o.gates) AddInput(Stage::kGates, false, {{Axis::kHead, o.heads}});
  vector(Stage::kGamma, o.gamma, o.d_model);
  vector(Stage::kBeta, o.beta, o.d_model);
  vector(Stage::kGamma2, o.gamma_2, o.d_model);
  vector(Stage::kBeta2, o.beta_2, o.d_model);
  if (o.d_ff > 0) {
    const int width = o.residual ? o.d_model : o.project_out ? o.d_out : o.heads * o.d_v;
    AddInput(Stage::kW1, false, {{r, width}, {c, o.d_ff}});
    vector(Stage::kB1, o.bias_1, o.d_ff);
    AddInput(Stage::kW2, false, {{r, o.d_ff}, {c, width}});
    vector(Stage::kB2, o.bias_2, width);
  }
}

// What is drawn or tabulated rather than given.
void Plan::AddTables() {
  const AttentionOptions& o = options_;
  if (o.random_count > 0) {
    Shape(Add(Stage::kRandom, Operation::kDraw, 1), false, {{Axis::kRow, o.n_q}, {Axis::kColumn, o.random_count}});
  }
  if (o.alibi != Alibi::kNone) {
    const bool given = o.alibi == Alibi::kGiven;
    Shape(Add(Stage::kSlopes, given ? Operation::kInput : Operation::kSlope, given ? 0 : 1), false,
          {{Axis::kHead, o.heads}});
  }
  if (o.rotary != Rotary::kNone) {
    const int of_queries = o.rotary_offset + o.n_q;
    const int rows = of_queries > o.Maskable() ? of_queries : o.Maskable();
    for (const Stage stage : {Stage::kCosines, Stage::kSines}) {
      const Operation operation = stage == Stage::kCosines ? Operation::kCosine : Operation::kSine;
      Shape(Add(stage, operation, 1), false, {{Axis::kRow, rows}, {Axis::kColumn, o.rotary_width / 2}});
    }
  }
}

Stage Plan::AddSum(Stage stage, Stage a, Stage b, int rows, int cols) {
  Recipe& recipe = Add(stage, Operation::kAdd, 1);
  Shape(recipe, true, {{Axis::kRow, rows}, {Axis::kColumn, cols}});
  Operands(recipe.parts[0], {From(a, {Axis::kRow, Axis::kColumn}), From(b, {Axis::kRow, Axis::kColumn})});
  return stage;
}

Stage Plan::AddPositions(Stage tokens, Stage positions, Stage sum, Positions kind, int rows, int cols) {
  if (kind == Positions::kNone) return tokens;
  const bool given = kind == Positions::kGiven;
  Shape(Add(positions, given ? Operation::kInput : Operation::kSinusoid, given ? 0 : 1), false,
        {{Axis::kRow, rows}, {Axis::kColumn, cols}});
  return AddSum(sum, tokens, positions, rows, cols);
}

Stage Plan::AddNorm(Stage tokens, int rows, int cols, bool second) {
  const AttentionOptions& o = options_;
  const Stage mean = second ? Stage::kMean2 : Stage::kMean;
  const Stage variance = second ? Stage::kVariance2 : Stage::kVariance;
  const Stage normed = second ? Stage::kNormed2 : Stage::kNormed;
  const bool layer = o.norm == Norm::kLayer;
  const Operand term = From(tokens, {Axis::kRow, Axis::kTerm});
  if (layer) {
    Recipe& recipe = Add(mean, Operation::kMean, cols);
    Shape(recipe, true, {{Axis::kRow, rows}});
    Operands(recipe.parts[0], {term});
  }
  Recipe& spread = Add(variance, layer ? Operation::kVariance : Operation::kMeanSquare, cols);
  Shape(spread, true, {{Axis::kRow, rows}});
  Operands(spread.parts[0], {term});
  if (layer) Operands(spread.parts[0], {From(mean, {Axis::kRow})});

  Recipe& recipe = Add(normed, layer ? Operation::kLayerNorm : Operation::kRmsNorm, 1);
  Shape(recipe, true, {{Axis::kRow, rows}, {Axis::kColumn, cols}});
  Part& part = recipe.parts[0];
  Operands(part, {From(tokens, {Axis::kRow, Axis::kColumn})});
  if (layer) Operands(part, {From(mean, {Axis::kRow})});
  Operands(part, {From(variance, {Axis::kRow})});
  const Stage gamma = second ? Stage::kGamma2 : Stage::kGamma;
  const Stage beta = second ? Stage::kBeta2 : Stage::kBeta;
  if (Has(gamma)) Operands(part, {From(gamma, {Axis::kColumn})});
  if (Has(beta)) Operands(part, {From(beta, {Axis::kColumn})});
  return normed;
}

// X·W per head, or given. Keys and values begin with what is cached and end with the extra ones.
void Plan::AddProjection(Stage stage, Stage tokens, Stage weights, Stage bias, bool biased, int heads, int width,
                         bool keys) {
  const AttentionOptions& o = options_;
  Recipe& recipe = Add(stage, Operation::kInput, 0);
  recipe.head_width = width;
  Shape(recipe, true, {{Axis::kHead, heads}, {Axis::kRow, keys ? o.Keys() : o.n_q}, {Axis::kColumn, width}},
        !o.heads_first);
  recipe.part_count = 0;
  std::int32_t row = 0;
  const auto part = [&](Operation operation, int rows, int terms) -> Part& {
    Part& made = recipe.parts[recipe.part_count++];
    made = Part{};
    made.first_row = row;
    made.end_row = row += rows;
    made.operation = operation;
    made.terms = terms;
    return made;
  };
  if (!o.project) {
    part(Operation::kInput, keys ? o.Maskable() : o.n_q, 0);
  } else {
    if (keys && o.n_past > 0) part(Operation::kInput, o.n_past, 0);
    Part& projected = part(Operation::kDot, keys ? o.n_new : o.n_q, Get(weights).shape[0]);
    const Axis own_row = projected.first_row > 0 ? Axis::kRowInPart : Axis::kRow;
    Operands(projected, {From(tokens, {own_row, Axis::kTerm}), From(weights, {Axis::kTerm, Axis::kHeadColumn})});
    if (biased) {
      projected.has_addend = true;
      Operands(projected, {From(bias, {Axis::kHeadColumn})});
    }
  }
  if (!keys) return;
  if (o.extra_key) {
    const Stage extra = stage == Stage::kKeys ? Stage::kBiasK : Stage::kBiasV;
    Operands(part(Operation::kCopy, 1, 1), {From(extra, {Axis::kHeadColumn})});
  }
  if (o.zero_key) part(Operation::kZero, 1, 1);
}

// The first `turning_rows` rows are turned, extra keys behind them are copied.
Stage Plan::AddRotated(Stage stage, Stage from, int shift, int turning_rows) {
  const AttentionOptions& o = options_;
  const Recipe& plain = Get(from);
  const int rows = plain.Size(Axis::kRow);
  Recipe& recipe = Add(stage, Operation::kRotate, 2);
  recipe.shift = shift;
  recipe.turning = o.rotary_width;
  recipe.neighbours = o.rotary == Rotary::kNeighbour;
  Shape(recipe, true, {{Axis::kHead, plain.Size(Axis::kHead)}, {Axis::kRow, rows}, {Axis::kColumn, o.d_k}}, true);
  Part& part = recipe.parts[0];
  part.end_row = turning_rows;
  Operands(part, {From(from, {Axis::kHead, Axis::kRow, Axis::kColumn}), From(Stage::kCosines, {Axis::kPosition, Axis::kPair}),
                  From(from, {Axis::kHead, Axis::kRow, Axis::kPartner}), From(Stage::kSines, {Axis::kPosition, Axis::kPair})});
  if (turning_rows < rows) {
    Part& copied = recipe.parts[recipe.part_count++];
    copied.operation = Operation::kCopy;
    copied.terms = 1;
    copied.first_row = turning_rows;
    copied.end_row = rows;
    Operands(copied, {From(from, {Axis::kHead, Axis::kRow, Axis::kColumn})});
  }
  return stage;
}

// From Q·Kᵀ to the weights.
void Plan::AddScores(Stage queries, Stage keys) {
  const AttentionOptions& o = options_;
  const auto h = Axis::kHead;
  const auto i = Axis::kRow;
  const auto j = Axis::kColumn;
  const auto k = Axis::kTerm;
  const auto matrix = [&](Stage stage, Operation operation, int terms) -> Recipe& {
    Recipe& recipe = Add(stage, operation, terms);
    recipe.by_block = true;
    Shape(recipe, true, {{h, o.heads}, {i, o.n_q}, {j, o.Keys()}});
    return recipe;
  };
  const auto column = [&](Stage stage, Operation operation) -> Recipe& {
    Recipe& recipe = Add(stage, operation, o.Keys());
    recipe.by_block = true;
    Shape(recipe, true, {{h, o.heads}, {i, o.n_q}});
    recipe.parts[0].over_keys = true;
    return recipe;
  };
  const auto step = [&](Stage stage, Operation operation, Stage from) -> Part& {
    Part& part = matrix(stage, operation, 1).parts[0];
    Operands(part, {From(from, {h, i, j})});
    return part;
  };

  Recipe& scores = matrix(Stage::kScores, Operation::kDot, o.d_k);
  scores.group = o.Group();
  Operands(scores.parts[0], {From(queries, {h, i, k}), From(keys, {Axis::kKvHead, j, k})});
  step(Stage::kScaled, Operation::kScale, Stage::kScores);
  Stage last = Stage::kScaled;
  if (o.cap > 0) {
    step(Stage::kCapped, Operation::kCap, last);
    last = Stage::kCapped;
  }
  if (o.alibi != Alibi::kNone) {
    Operands(matrix(Stage::kBias, Operation::kAlibi, 1).parts[0], {From(Stage::kSlopes, {h})});
  }
  if (o.HasMask()) {
    Part& masked = step(Stage::kMasked, Operation::kMask, last);
    if (Has(Stage::kBias)) Operands(masked, {From(Stage::kBias, {h, i, j})});
    if (Has(Stage::kAdd)) Operands(masked, {FromMask(Stage::kAdd)});
    if (Has(Stage::kAllow)) Operands(masked, {FromMask(Stage::kAllow)});
    last = Stage::kMasked;
  }
  Operands(column(Stage::kRowMax, Operation::kMax).parts[0], {From(last, {h, i, k})});
  Operands(step(Stage::kShifted, Operation::kShift, last), {From(Stage::kRowMax, {h, i})});
  step(Stage::kExp, Operation::kExp, Stage::kShifted);
  Operands(column(Stage::kRowSum, Operation::kSum).parts[0], {From(Stage::kExp, {h, i, k})});
  Operands(step(Stage::kWeights, Operation::kDivide, Stage::kExp), {From(Stage::kRowSum, {h, i})});
}

// Weights · values, gates, heads side by side, W_O. Returns the stage that is the result of attention.
Stage Plan::AddHeads() {
  const AttentionOptions& o = options_;
  const auto h = Axis::kHead;
  const auto i = Axis::kRow;
  const auto j = Axis::kColumn;
  Recipe& output = Add(Stage::kOutput, Operation::kDot, o.Keys());
  output.group = o.Group();
  Shape(output, true, {{h, o.heads}, {i, o.n_q}, {j, o.d_v}}, true);
  output.parts[0].over_keys = true;
  Operands(output.parts[0],
           {From(Stage::kWeights, {h, i, Axis::kTerm}), From(Stage::kValues, {Axis::kKvHead, Axis::kTerm, j})});
  Stage last = Stage::kOutput;
  if (o.gates) {
    Recipe& gated = Add(Stage::kGated, Operation::kMultiply, 1);
    Shape(gated, true, {{h, o.heads}, {i, o.n_q}, {j, o.d_v}}, true);
    Operands(gated.parts[0], {From(last, {h, i, j}), From(Stage::kGates, {h})});
    last = Stage::kGated;
  }
  const bool goes_on = o.project_out || o.residual || o.d_ff > 0 || (o.norm != Norm::kNone && !o.norm_first);
  if (o.heads > 1 || goes_on) {
    // The heads of a row lie side by side already: joined, they are the same numbers.
    const std::size_t place = Get(last).offset;
    const std::uint64_t elements = elements_;
    Recipe& concat = Add(Stage::kConcat, Operation::kCopy, 1);
    Shape(concat, true, {{i, o.n_q}, {j, o.heads * o.d_v}});
    concat.offset = place;
    elements_ = elements;
    concat.head_width = o.d_v;
    Operands(concat.parts[0], {From(last, {Axis::kColumnHead, i, Axis::kColumnInHead})});
    last = Stage::kConcat;
  }
  if (o.project_out) {
    Recipe& projected = Add(Stage::kProjected, Operation::kDot, o.heads * o.d_v);
    Shape(projected, true, {{i, o.n_q}, {j, o.d_out}});
    Part& part = projected.parts[0];
    Operands(part, {From(last, {i, Axis::kTerm}), From(Stage::kWO, {Axis::kTerm, j})});
    if (o.bias_o) {
      part.has_addend = true;
      Operands(part, {From(Stage::kBO, {j})});
    }
    last = Stage::kProjected;
  }
  return last;
}

// activation(tokens · W₁ + b₁) · W₂ + b₂.
Stage Plan::AddFeedForward(Stage tokens) {
  const AttentionOptions& o = options_;
  const auto i = Axis::kRow;
  const auto j = Axis::kColumn;
  const auto product = [&](Stage stage, Stage from, Stage weights, Stage bias) {
    const Recipe& w = Get(weights);
    Recipe& recipe = Add(stage, Operation::kDot, w.shape[0]);
    Shape(recipe, true, {{i, o.n_q}, {j, w.shape[1]}});
    Part& part = recipe.parts[0];
    Operands(part, {From(from, {i, Axis::kTerm}), From(weights, {Axis::kTerm, j})});
    if (!Has(bias)) return;
    part.has_addend = true;
    Operands(part, {From(bias, {j})});
  };
  product(Stage::kHidden, tokens, Stage::kW1, Stage::kB1);
  const Operation activation = o.activation == Activation::kGelu       ? Operation::kGelu
                               : o.activation == Activation::kGeluTanh ? Operation::kGeluTanh
                                                                       : Operation::kRelu;
  Recipe& activated = Add(Stage::kActivated, activation, 1);
  Shape(activated, true, {{i, o.n_q}, {j, o.d_ff}});
  Operands(activated.parts[0], {From(Stage::kHidden, {i, j})});
  product(Stage::kExpanded, Stage::kActivated, Stage::kW2, Stage::kB2);
  return Stage::kExpanded;
}

void Plan::AddStages() {
  const AttentionOptions& o = options_;
  const bool normed = o.norm != Norm::kNone;
  Stage tokens = Stage::kX;
  Stage answering = Stage::kXKv;
  if (o.project) {
    tokens = AddPositions(Stage::kX, Stage::kPositions, Stage::kPositioned, o.positions, o.n_q, o.d_model);
    answering = AddPositions(Stage::kXKv, Stage::kPositionsKv, Stage::kPositionedKv, o.positions_kv, o.n_new, o.d_kv);
  }
  const Stage asking = normed && o.norm_first ? AddNorm(tokens, o.n_q, o.d_model, false) : tokens;
  if (!o.crossed) answering = asking;
  AddProjection(Stage::kQueries, asking, Stage::kWQ, Stage::kBQ, o.bias_q, o.heads, o.d_k, false);
  AddProjection(Stage::kKeys, answering, Stage::kWK, Stage::kBK, o.bias_k, o.kv_heads, o.d_k, true);
  AddProjection(Stage::kValues, answering, Stage::kWV, Stage::kBV, o.bias_v, o.kv_heads, o.d_v, true);
  Stage queries = Stage::kQueries;
  Stage keys = Stage::kKeys;
  if (o.rotary != Rotary::kNone) {
    queries = AddRotated(Stage::kRotatedQueries, queries, o.rotary_offset, o.n_q);
    keys = AddRotated(Stage::kRotatedKeys, keys, 0, o.Maskable());
  }
  AddScores(queries, keys);
  last_ = AddHeads();

  const auto width = [&] { return Get(last_).Size(Axis::kColumn); };
  if (o.residual) last_ = AddSum(Stage::kResidual, tokens, last_, o.n_q, o.d_model);
  if (normed && !o.norm_first) last_ = AddNorm(last_, o.n_q, width(), false);
  if (o.d_ff > 0) {
    const Stage before = last_;
    if (normed && o.norm_first) last_ = AddNorm(last_, o.n_q, width(), true);
    last_ = AddFeedForward(last_);
    if (o.residual) last_ = AddSum(Stage::kResidual2, before, last_, o.n_q, o.d_model);
    if (normed && !o.norm_first) last_ = AddNorm(last_, o.n_q, width(), true);
  }
}

}  // namespace loom
