#include "trace/origin.h"

#include <limits>
#include <new>
#include <optional>

namespace loom {
namespace {

// The cell that is being made, and the term that is being added.
struct Making {
  std::int32_t head = 0;
  std::int32_t row = 0;
  std::int32_t column = 0;
  std::int32_t term = 0;
};

Making MakingOf(const Recipe& recipe, const Index& index) {
  return recipe.per_head ? Making{index[0], index[1], index[2], 0} : Making{0, index[0], index[1], 0};
}

Index IndexOf(const Recipe& recipe, const Making& making) {
  return recipe.per_head ? Index{making.head, making.row, making.column} : Index{making.row, making.column, 0};
}

std::int32_t Along(Axis axis, const Making& at, std::int32_t width) {
  switch (axis) {
    case Axis::kHead:
      return at.head;
    case Axis::kRow:
      return at.row;
    case Axis::kColumn:
      return at.column;
    case Axis::kTerm:
      return at.term;
    case Axis::kHeadColumn:
      return at.head * width + at.column;
    case Axis::kColumnHead:
      return at.column / width;
    case Axis::kColumnInHead:
      return at.column % width;
    case Axis::kCount:
      break;
  }
  return 0;
}

Cell OperandCell(const Recipe& recipe, const Operand& operand, const Making& at) {
  Cell cell;
  cell.stage = operand.stage;
  for (std::size_t axis = 0; axis < operand.rank; ++axis) {
    cell.index[axis] = Along(operand.axes[axis], at, recipe.head_width);
  }
  return cell;
}

Status FindCell(const Attention& attention, const Cell& cell, const Recipe*& recipe) {
  if (!attention.plan().options().trace) return {ErrorCode::kNotReady, Param::kNone, 0, 0};
  recipe = attention.plan().Find(cell.stage);
  if (recipe == nullptr) return {ErrorCode::kNoCell, Param::kNone, double(cell.stage), 0};
  for (std::size_t axis = 0; axis < recipe->rank; ++axis) {
    if (cell.index[axis] < 0 || cell.index[axis] >= recipe->shape[axis]) {
      return {ErrorCode::kNoCell, Param::kIndex, double(cell.index[axis]), double(recipe->shape[axis])};
    }
  }
  return {};
}

// What is known of the making of the cells that a given operand cell feeds; nothing = any.
struct Known {
  std::optional<std::int32_t> head;
  std::optional<std::int32_t> row;
  std::optional<std::int32_t> column;
};

// Inverse of OperandCell.
Known Invert(const Recipe& recipe, const Operand& operand, const Index& index) {
  Known known;
  std::int32_t column_head = 0;
  for (std::size_t axis = 0; axis < operand.rank; ++axis) {
    const std::int32_t at = index[axis];
    switch (operand.axes[axis]) {
      case Axis::kHead:
        known.head = at;
        break;
      case Axis::kRow:
        known.row = at;
        break;
      case Axis::kColumn:
        known.column = at;
        break;
      case Axis::kHeadColumn:
        known.head = at / recipe.head_width;
        known.column = at % recipe.head_width;
        break;
      case Axis::kColumnHead:
        column_head = at;
        break;
      case Axis::kColumnInHead:
        known.column = column_head * recipe.head_width + at;
        break;
      case Axis::kTerm:
      case Axis::kCount:
        break;
    }
  }
  return known;
}

// Calls visit(cell) for each cell of `recipe` that agrees with `known`.
template <class Visit>
void EachCell(const Recipe& recipe, const Known& known, const Visit& visit) {
  const std::size_t row_axis = recipe.per_head ? 1 : 0;
  const std::int32_t heads = recipe.per_head ? recipe.shape[0] : 1;
  const std::int32_t rows = recipe.shape[row_axis];
  const std::int32_t cols = recipe.rank > row_axis + 1 ? recipe.shape[row_axis + 1] : 1;
  for (std::int32_t h = known.head.value_or(0); h < known.head.value_or(heads - 1) + 1; ++h) {
    for (std::int32_t i = known.row.value_or(0); i < known.row.value_or(rows - 1) + 1; ++i) {
      for (std::int32_t j = known.column.value_or(0); j < known.column.value_or(cols - 1) + 1; ++j) {
        visit(Cell{recipe.stage, IndexOf(recipe, Making{h, i, j, 0})});
      }
    }
  }
}

template <class Visit>
void EachFed(const Plan& plan, const Cell& cell, const Visit& visit) {
  for (std::size_t s = 0; s < kStageCount; ++s) {
    const Recipe* recipe = plan.Find(static_cast<Stage>(s));
    if (recipe == nullptr) continue;
    for (std::size_t o = 0; o < recipe->operand_count; ++o) {
      const Operand& operand = recipe->operands[o];
      if (operand.stage == cell.stage) EachCell(*recipe, Invert(*recipe, operand, cell.index), visit);
    }
  }
}

// What one term adds, and the running result with it. `value` is the finished cell.
void Accumulate(const Recipe& recipe, float value, float before, OriginTerm& term) {
  const float first = term.operands[0].value;
  switch (recipe.operation) {
    case Operation::kDot: {
      term.value = term.left_out ? 0.0f : first * term.operands[1].value;
      term.partial = term.left_out ? before : before + term.value;
      break;
    }
    case Operation::kSum:
      term.value = first;
      term.partial = before + first;
      break;
    case Operation::kMax:
      term.value = first;
      term.partial = first > before ? first + 0.0f : before;
      break;
    default:
      term.value = value;
      term.partial = value;
  }
}

}  // namespace

Result<Origin> Origin::Of(const Attention& attention, const Cell& cell) {
  const Recipe* recipe = nullptr;
  const Status found = FindCell(attention, cell, recipe);
  if (!Ok(found)) return found;
  const AttentionOptions& options = attention.plan().options();

  Origin origin;
  origin.operation_ = recipe->operation;
  origin.value_ = attention.At(cell);
  if (recipe->operation == Operation::kScale) origin.constant_ = options.scale;
  if (recipe->operation == Operation::kShift) origin.constant_ = options.temperature;
  origin.term_count_ = static_cast<std::size_t>(recipe->terms);
  Result<Buffer> memory = Buffer::Create(origin.term_count_ * sizeof(OriginTerm));
  if (!memory.ok()) return memory.error();
  origin.terms_ = std::move(memory.value());
  auto* terms = static_cast<OriginTerm*>(origin.terms_.data());

  Making making = MakingOf(*recipe, cell.index);
  const kernels::MaskRule rule = attention.MaskOf(static_cast<std::size_t>(making.head));
  const auto query = static_cast<std::size_t>(making.row);
  if (recipe->operation == Operation::kMask) {
    const auto key = static_cast<std::size_t>(making.column);
    if (rule.BlockedByAllow(query, key)) origin.blocked_by_ |= kBlockedByAllow;
    if (rule.BlockedByCausal(query, key)) origin.blocked_by_ |= kBlockedByCausal;
    if (rule.BlockedByAdd(query, key)) origin.blocked_by_ |= kBlockedByAdd;
  }

  // Sums start at +0, a maximum at −∞.
  float partial = recipe->operation == Operation::kMax ? -std::numeric_limits<float>::infinity() : 0.0f;
  for (std::size_t t = 0; t < origin.term_count_; ++t) {
    OriginTerm& term = *new (&terms[t]) OriginTerm;
    making.term = static_cast<std::int32_t>(t);
    term.operand_count = recipe->operand_count;
    for (std::size_t o = 0; o < recipe->operand_count; ++o) {
      const Cell from = OperandCell(*recipe, recipe->operands[o], making);
      term.operands[o] = {from, attention.At(from)};
    }
    term.left_out = recipe->over_keys && rule.Blocks(query, t);
    Accumulate(*recipe, origin.value_, partial, term);
    partial = term.partial;
  }
  return origin;
}

Result<Feeds> Feeds::Of(const Attention& attention, const Cell& cell) {
  const Recipe* recipe = nullptr;
  const Status found = FindCell(attention, cell, recipe);
  if (!Ok(found)) return found;

  Feeds feeds;
  EachFed(attention.plan(), cell, [&](const Cell&) { ++feeds.count_; });
  Result<Buffer> memory = Buffer::Create(feeds.count_ * sizeof(Cell));
  if (!memory.ok()) return memory.error();
  feeds.cells_ = std::move(memory.value());
  auto* cells = static_cast<Cell*>(feeds.cells_.data());
  std::size_t next = 0;
  EachFed(attention.plan(), cell, [&](const Cell& fed) { new (&cells[next++]) Cell(fed); });
  return feeds;
}

}  // namespace loom
