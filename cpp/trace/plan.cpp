#include "trace/plan.h"

#include <cstring>

#include "matrix/limits.h"

namespace loom {
namespace {

// Rows of scores that are computed at a time without a trace: they stay in the cache (8 · 8192 floats at most).
constexpr std::size_t kBlockRows = 8;
// Every matrix begins at a multiple of 64 bytes.
constexpr std::uint64_t kAlignElements = 16;

// The axes as letters, in the order of Axis: b batch, h head, i row, I row in part, j column, k term, 1 first, g
// kvHead, H headColumn, C columnHead, c columnInHead, p position, t pair (what turns together), q partner.
constexpr char kLetters[] = "bhiIjk1gHCcptq";

Axis AxisOf(char letter) { return static_cast<Axis>(std::strchr(kLetters, letter) - kLetters); }

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
  // Along columns no row is finished before all are.
  const bool all_rows = options.trace || options.softmax == Softmax::kColumns;
  block_rows_ = all_rows ? static_cast<std::size_t>(options.n_q) : kBlockRows;
  AddInputs();
  AddTables();
  const AttentionOptions& o = options_;
  Stage tokens = Stage::kX;
  Stage answering = Stage::kXKv;
  if (o.project) {
    tokens = AddPositions(tokens, Stage::kPositions, Stage::kPositioned, o.positions, o.n_q, o.d_model);
    answering = AddPositions(answering, Stage::kPositionsKv, Stage::kPositionedKv, o.positions_kv, o.n_new, o.d_kv);
  }
  const Stage asking = o.norm != Norm::kNone && o.norm_first ? AddNorm(tokens, false) : tokens;
  if (!o.crossed) answering = asking;
  AddProjection(Stage::kQueries, asking, Stage::kWQ, Stage::kBQ, o.heads, o.d_k);
  AddProjection(Stage::kKeys, answering, Stage::kWK, Stage::kBK, o.kv_heads, o.d_k);
  AddProjection(Stage::kValues, answering, Stage::kWV, Stage::kBV, o.kv_heads, o.d_v);
  Stage queries = Stage::kQueries;
  Stage keys = Stage::kKeys;
  if (o.rotary != Rotary::kNone) {
    queries = AddRotated(Stage::kRotatedQueries, queries, o.heads, o.n_q, o.rotary_offset, o.n_q);
    keys = AddRotated(Stage::kRotatedKeys, keys, o.kv_heads, o.Keys(), 0, o.Maskable());
  }
  AddScores(queries, keys);
  AddHeads();
  AddBlock(tokens);
  double elements = double(elements_);
  // Along columns a head's scores are there whole and once more, transposed.
  if (o.softmax == Softmax::kColumns) elements += double(o.n_q) * double(o.Keys()) * (o.trace ? 1 : 2);
  const double bytes = elements * sizeof(float);
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

void Plan::Place(Recipe& recipe) {
  recipe.offset = static_cast<std::size_t>(elements_);
  elements_ += (recipe.Cells() + kAlignElements - 1) / kAlignElements * kAlignElements;
}

Recipe& Plan::Add(Stage stage, Operation operation, int terms, const char* axes, int heads, int rows, int cols,
                  const Factors& first, const Factors& second) {
  Recipe& recipe = recipes_[static_cast<std::size_t>(stage)];
  recipe.stage = stage;
  order_[count_++] = stage;
  for (; *axes != '\0'; ++axes) {
    const Axis axis = AxisOf(*axes);
    if (axis == Axis::kBatch && options_.batch == 0) continue;
    recipe.axes[recipe.rank] = axis;
    recipe.shape[recipe.rank++] = axis == Axis::kBatch  ? options_.batch
                                  : axis == Axis::kHead ? heads
                                  : axis == Axis::kRow  ? rows
                                                        : cols;
  }
  std::size_t stride = 1;
  for (std::size_t a = recipe.rank; a-- > 0;) {
    recipe.strides[a] = stride;
    stride *= static_cast<std::size_t>(recipe.shape[a]);
  }
  recipe.by_block = stage >= Stage::kScores && stage <= Stage::kWeights;
  if (!recipe.by_block || options_.trace) Place(recipe);
  AddPart(recipe, operation, recipe.Size(Axis::kRow), terms, first, second);
  return recipe;
}

Part& Plan::AddMatrix(Stage stage, Operation operation, int terms, int rows, int cols, const Factors& first,
                      const Factors& second) {
  return Add(stage, operation, terms, "bij", 1, rows, cols, first, second).parts[0];
}

Part& Plan::AddMap(Stage stage, Operation operation, const Factors& first, const Factors& second) {
  const AttentionOptions& o = options_;
  return Add(stage, operation, 1, "bhij", o.heads, o.n_q, o.Keys(), first, second).parts[0];
}

void Plan::AddGiven(Stage stage, bool given, int rows, int cols) {
  if (given) Add(stage, Operation::kInput, 0, stage <= Stage::kXKv ? "bij" : "ij", 1, rows, cols);
}

void Plan::AddGivenVector(Stage stage, bool given, int cols) {
  if (given) Add(stage, Operation::kInput, 0, "j", 1, 1, cols);
}

void Plan::AddGivenMask(Stage stage, int rank, int entries, int heads, int rows) {
  if (rank == 0) return;
  // A batch axis of its own, that may be 1: the same for all entries.
  const int batch = options_.batch;
  options_.batch = rank == 4 ? entries : 0;
  Add(stage, Operation::kInput, 0, rank == 2 ? "ij" : "bhij", heads, rows, options_.Keys());
  options_.batch = batch;
}

Part& Plan::AddPart(Recipe& recipe, Operation operation, int rows, int terms, const Factors& first,
                    const Factors& second) {
  Part& part = recipe.parts[recipe.part_count];
  part.first_row = recipe.part_count == 0 ? 0 : recipe.parts[recipe.part_count - 1u].end_row;
  part.end_row = part.first_row + rows;
  part.operation = operation;
  part.terms = terms;
  ++recipe.part_count;
  AddOperand(part, first);
  AddOperand(part, second);
  return part;
}

void Plan::AddOperand(Part& part, const Factors& factors) {
  if (!Has(factors.stage)) return;
  Operand& operand = part.operands[part.operand_count++];
  operand.stage = factors.stage;
  const Recipe& from = Get(factors.stage);
  for (const char* axes = factors.axes; *axes != '\0'; ++axes) {
    const Axis axis = AxisOf(*axes);
    if (axis == Axis::kBatch && from.axes[0] != Axis::kBatch) continue;
    operand.axes[operand.rank++] = axis;
  }
}

void Plan::AddAddend(Part& part, const Factors& factors) {
  part.has_addend = Has(factors.stage);
  AddOperand(part, factors);
}

void Plan::AddMaskOperand(Part& part, Stage stage) {
  if (!Has(stage)) return;
  const Recipe& mask = Get(stage);
  const char* axes = &"bhij"[kMaxRank - mask.rank];
  AddOperand(part, {stage, axes});
  Operand& operand = part.operands[part.operand_count - 1u];
  operand.rank = mask.rank;
  for (std::size_t a = 0; a < mask.rank; ++a) {
    const Axis axis = AxisOf(axes[a]);
    const bool one_for_all = axis != Axis::kColumn && mask.shape[a] == 1;
    operand.axes[a] = one_for_all ? Axis::kFirst : axis;
  }
}

void Plan::SideBySide(Recipe& recipe) {
  const std::size_t row = recipe.rank - 2u;
  recipe.strides[row - 1] = static_cast<std::size_t>(recipe.shape[row + 1]);
  recipe.strides[row] = recipe.strides[row - 1] * static_cast<std::size_t>(recipe.shape[row - 1]);
}

void Plan::AddInputs() {
  const AttentionOptions& o = options_;
  const int d_kv = o.crossed ? o.d_kv : o.d_model;
  const int queries = o.heads * o.d_k;
  const int keys = o.kv_heads * o.d_k;
  const int values = o.kv_heads * o.d_v;
  const int joined = o.heads * o.d_v;
  AddGiven(Stage::kX, o.project, o.n_q, o.d_model);
  AddGiven(Stage::kXKv, o.project && o.crossed, o.n_new, d_kv);
  AddGiven(Stage::kWQ, o.project, o.d_model, queries);
  AddGiven(Stage::kWK, o.project, d_kv, keys);
  AddGiven(Stage::kWV, o.project, d_kv, values);
  AddGivenVector(Stage::kBQ, o.project && o.bias_q, queries);
  AddGivenVector(Stage::kBK, o.project && o.bias_k, keys);
  AddGivenVector(Stage::kBV, o.project && o.bias_v, values);
  AddGiven(Stage::kWO, o.project_out, joined, o.d_out);
  AddGivenVector(Stage::kBO, o.project_out && o.bias_o, o.d_out);
  AddGivenVector(Stage::kBiasK, o.extra_key, keys);
  AddGivenVector(Stage::kBiasV, o.extra_key, values);
  AddGivenMask(Stage::kAllow, o.allow_rank, o.allow_batch, o.allow_heads, o.allow_rows);
  AddGivenMask(Stage::kAdd, o.add_rank, o.add_batch, o.add_heads, o.add_rows);
  AddGivenVector(Stage::kKeyCounts, o.key_counts, o.Entries());
  AddGivenVector(Stage::kGlobal, o.global, o.Maskable());
  AddGivenVector(Stage::kGamma, o.gamma, o.d_model);
  AddGivenVector(Stage::kBeta, o.beta, o.d_model);
  AddGivenVector(Stage::kGamma2, o.gamma_2, o.d_model);
  AddGivenVector(Stage::kBeta2, o.beta_2, o.d_model);
  const int width = o.project_out ? o.d_out : joined;
  const bool ffn = o.d_ff > 0;
  AddGiven(Stage::kW1, ffn, width, o.d_ff);
  AddGivenVector(Stage::kB1, ffn && o.bias_1, o.d_ff);
  AddGiven(Stage::kW2, ffn, o.d_ff, width);
  AddGivenVector(Stage::kB2, ffn && o.bias_2, width);
}

// What is given for each head, and what is drawn or tabulated.
void Plan::AddTables() {
  const AttentionOptions& o = options_;
  const auto per_head = [&](Stage stage, bool given) {
    Add(stage, given ? Operation::kInput : Operation::kSlope, given ? 0 : 1, "h", o.heads, 1, 1);
  };
  if (o.gates) per_head(Stage::kGates, true);
  if (o.alibi != Alibi::kNone) per_head(Stage::kSlopes, o.alibi == Alibi::kGiven);
  if (o.random_count > 0) Add(Stage::kRandom, Operation::kDraw, 1, "ij", 1, o.n_q, o.random_count);
  if (o.rotary == Rotary::kNone) return;
  const int of_queries = o.rotary_offset + o.n_q;
  const int rows = of_queries > o.Maskable() ? of_queries : o.Maskable();
  Add(Stage::kCosines, Operation::kCosine, 1, "ij", 1, rows, o.rotary_width / 2);
  Add(Stage::kSines, Operation::kSine, 1, "ij", 1, rows, o.rotary_width / 2);
}

Stage Plan::AddPositions(Stage tokens, Stage positions, Stage sum, Positions kind, int rows, int cols) {
  if (kind == Positions::kNone) return tokens;
  const bool given = kind == Positions::kGiven;
  Add(positions, given ? Operation::kInput : Operation::kSinusoid, given ? 0 : 1, "ij", 1, rows, cols);
  AddMatrix(sum, Operation::kAdd, 1, rows, cols, {tokens, "bij"}, {positions, "ij"});
  return sum;
}

Stage Plan::AddNorm(Stage tokens, bool second) {
  const AttentionOptions& o = options_;
  const bool layer = o.norm == Norm::kLayer;
  // The stages of the second norm stand in the same order.
  const auto of = [&](Stage stage) {
    const int step = static_cast<int>(Stage::kMean2) - static_cast<int>(Stage::kMean);
    return static_cast<Stage>(static_cast<int>(stage) + (second ? step : 0));
  };
  const Stage mean = of(Stage::kMean);
  if (layer) Add(mean, Operation::kMean, o.d_model, "bi", 1, o.n_q, o.d_model, {tokens, "bik"});
  Add(of(Stage::kVariance), layer ? Operation::kVariance : Operation::kMeanSquare, o.d_model, "bi", 1, o.n_q, o.d_model,
      {tokens, "bik"}, {mean, "bi"});
  Part& part = AddMatrix(of(Stage::kNormed), layer ? Operation::kLayerNorm : Operation::kRmsNorm, 1, o.n_q, o.d_model,
                         {tokens, "bij"}, {mean, "bi"});
  AddOperand(part, {of(Stage::kVariance), "bi"});
  AddOperand(part, {second ? Stage::kGamma2 : Stage::kGamma, "j"});
  AddOperand(part, {second ? Stage::kBeta2 : Stage::kBeta, "j"});
  return of(Stage::kNormed);
}

// X·W per head, or given. Keys and values begin with what is cached and end with the extra ones.
void Plan::AddProjection(Stage stage, Stage tokens, Stage weights, Stage bias, int heads, int width) {
  const AttentionOptions& o = options_;
  const bool keys = stage != Stage::kQueries;
  const int fresh = keys ? o.n_new : o.n_q;
  Recipe& recipe = Add(stage, Operation::kInput, 0, "bhij", heads, keys ? o.Keys() : o.n_q, width);
  recipe.head_width = width;
  if (!o.heads_first) SideBySide(recipe);
  const int past = keys ? o.n_past : 0;
  recipe.parts[0].end_row = past;
  if (!o.project) {
    recipe.parts[0].end_row += fresh;
  } else {
    if (past == 0) recipe.part_count = 0;
    Part& projected = AddPart(recipe, Operation::kDot, fresh, Get(weights).shape[0], {tokens, past > 0 ? "bIk" : "bik"},
                              {weights, "kH"});
    AddAddend(projected, {bias, "H"});
  }
  if (!keys) return;
  if (o.extra_key) {
    AddPart(recipe, Operation::kCopy, 1, 1, {stage == Stage::kKeys ? Stage::kBiasK : Stage::kBiasV, "H"});
  }
  if (o.zero_key) AddPart(recipe, Operation::kZero, 1, 1);
}

// The first `turning_rows` rows are turned, extra keys behind them are copied.
Stage Plan::AddRotated(Stage stage, Stage from, int heads, int rows, int shift, int turning_rows) {
  const AttentionOptions& o = options_;
  Recipe& recipe =
      Add(stage, Operation::kRotate, 2, "bhij", heads, rows, o.d_k, {from, "bhij"}, {Stage::kCosines, "pt"});
  AddOperand(recipe.parts[0], {from, "bhiq"});
  AddOperand(recipe.parts[0], {Stage::kSines, "pt"});
  SideBySide(recipe);
  recipe.shift = shift;
  recipe.turning = o.rotary_width;
  recipe.neighbours = o.rotary == Rotary::kNeighbour;
  recipe.parts[0].end_row = turning_rows;
  if (turning_rows < rows) AddPart(recipe, Operation::kCopy, rows - turning_rows, 1, {from, "bhij"});
  return stage;
}

// From Q·Kᵀ to the weights.
void Plan::AddScores(Stage queries, Stage keys) {
  const AttentionOptions& o = options_;
  const int n_k = o.Keys();
  Stage last = Stage::kScaled;
  Add(Stage::kScores, Operation::kDot, o.d_k, "bhij", o.heads, o.n_q, n_k, {queries, "bhik"}, {keys, "bgjk"}).group =
      o.Group();
  AddMap(last, Operation::kScale, {Stage::kScores, "bhij"});
  if (o.cap > 0) {
    AddMap(Stage::kCapped, Operation::kCap, {last, "bhij"});
    last = Stage::kCapped;
  }
  if (o.alibi != Alibi::kNone) AddMap(Stage::kBias, Operation::kAlibi, {Stage::kSlopes, "h"});
  if (o.HasMask()) {
    Part& masked = AddMap(Stage::kMasked, Operation::kMask, {last, "bhij"}, {Stage::kBias, "bhij"});
    AddMaskOperand(masked, Stage::kAdd);
    AddMaskOperand(masked, Stage::kAllow);
    last = Stage::kMasked;
  }
  // A maximum and a sum for each query, or for each key.
  const bool columns = o.softmax == Softmax::kColumns;
  const char* line = columns ? "bhj" : "bhi";
  const auto fold = [&](Stage stage, Operation operation, Stage from) {
    Add(stage, operation, columns ? o.n_q : n_k, line, o.heads, o.n_q, n_k, {from, columns ? "bhkj" : "bhik"})
        .parts[0]
        .over = columns ? Over::kQueries : Over::kKeys;
  };
  const bool softened = o.softmax != Softmax::kNone;
  if (softened) {
    if (o.shift) fold(Stage::kRowMax, Operation::kMax, last);
    if (o.shift || o.temperature != 1) {
      AddMap(Stage::kShifted, Operation::kShift, {last, "bhij"}, {Stage::kRowMax, line});
      last = Stage::kShifted;
    }
    AddMap(Stage::kExp, Operation::kExp, {last, "bhij"});
    last = Stage::kExp;
    fold(Stage::kRowSum, Operation::kSum, last);
  }
  AddMap(Stage::kWeights, softened ? Operation::kDivide : Operation::kUnmask, {last, "bhij"}, {Stage::kRowSum, line});
}

// Weights · values, gates, heads side by side, W_O.
void Plan::AddHeads() {
  const AttentionOptions& o = options_;
  const auto per_head = [&](Stage stage, Operation operation, int terms, const Factors& first,
                            const Factors& second) -> Recipe& {
    Recipe& recipe = Add(stage, operation, terms, "bhij", o.heads, o.n_q, o.d_v, first, second);
    SideBySide(recipe);
    last_ = stage;
    return recipe;
  };
  Recipe& output =
      per_head(Stage::kOutput, Operation::kDot, o.Keys(), {Stage::kWeights, "bhik"}, {Stage::kValues, "bgkj"});
  output.group = o.Group();
  output.parts[0].over = Over::kKeys;
  if (o.gates) per_head(Stage::kGated, Operation::kMultiply, 1, {last_, "bhij"}, {Stage::kGates, "h"});
  const bool goes_on = o.project_out || o.residual || o.d_ff > 0 || (o.norm != Norm::kNone && !o.norm_first);
  if (o.heads > 1 || goes_on) {
    // The heads of a row lie side by side already: joined, they are the same numbers.
    const std::uint64_t elements = elements_;
    Recipe& concat = Add(Stage::kConcat, Operation::kCopy, 1, "bij", 1, o.n_q, o.heads * o.d_v, {last_, "bCic"});
    elements_ = elements;
    concat.offset = Get(last_).offset;
    concat.head_width = o.d_v;
    last_ = Stage::kConcat;
  }
  if (o.project_out) AddProduct(Stage::kProjected, last_, Stage::kWO, Stage::kBO);
}

// tokens · weights + bias.
void Plan::AddProduct(Stage stage, Stage tokens, Stage weights, Stage bias) {
  const Recipe& w = Get(weights);
  Part& part =
      AddMatrix(stage, Operation::kDot, w.shape[0], options_.n_q, w.shape[1], {tokens, "bik"}, {weights, "kj"});
  AddAddend(part, {bias, "j"});
  last_ = stage;
}

// What stands around attention: residuals, norms, activation(tokens · W₁ + b₁) · W₂ + b₂.
void Plan::AddBlock(Stage tokens) {
  const AttentionOptions& o = options_;
  const bool normed = o.norm != Norm::kNone;
  const auto add = [&](Stage stage, Stage before) {
    if (!o.residual) return;
    AddMatrix(stage, Operation::kAdd, 1, o.n_q, o.d_model, {before, "bij"}, {last_, "bij"});
    last_ = stage;
  };
  add(Stage::kResidual, tokens);
  if (normed && !o.norm_first) last_ = AddNorm(last_, false);
  if (o.d_ff == 0) return;
  const Stage before = last_;
  if (normed && o.norm_first) last_ = AddNorm(last_, true);
  AddProduct(Stage::kHidden, last_, Stage::kW1, Stage::kB1);
  const auto activation = static_cast<Operation>(static_cast<int>(Operation::kGelu) + static_cast<int>(o.activation));
  AddMatrix(Stage::kActivated, activation, 1, o.n_q, o.d_ff, {Stage::kHidden, "bij"});
  AddProduct(Stage::kExpanded, Stage::kActivated, Stage::kW2, Stage::kB2);
  add(Stage::kResidual2, before);
  if (normed && !o.norm_first) last_ = AddNorm(last_, true);
}

}  // namespace loom
