#include "trace/origin.h"

#include <limits>
#include <new>

#include "trace/making.h"

namespace loom {
namespace {

// Operands that take part in the making of a cell in this column.
std::size_t OperandCount(const Recipe& recipe, const Part& part, std::int32_t column) {
  return part.operation == Operation::kRotate && !Turns(recipe, part, column) ? 1 : part.operand_count;
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

// begin ≤ i < end.
struct Span {
  std::int32_t begin = 0;
  std::int32_t end = 1;
  void Only(std::int32_t i, std::int32_t count = 1) {
    begin = begin > i ? begin : i;
    end = end < i + count ? end : i + count;
  }
};

// Where the cells can be that see `index` of an operand: a box that holds all of them, and with kPair others besides.
struct Box {
  Span entry, head, row, column;
};

Box BoxOf(const Recipe& recipe, const Part& part, const Operand& operand, const Index& index) {
  Box box;
  box.entry.end = recipe.Size(Axis::kBatch);
  box.head.end = recipe.Size(Axis::kHead);
  box.row.end = recipe.Size(Axis::kRow);
  if (recipe.part_count > 1) box.row = {part.first_row, part.end_row};
  box.column.end = recipe.Size(Axis::kColumn);
  for (std::size_t a = 0; a < operand.rank; ++a) {
    const std::int32_t at = index[a];
    switch (operand.axes[a]) {
      case Axis::kBatch:
        box.entry.Only(at);
        break;
      case Axis::kHead:
        box.head.Only(at);
        break;
      case Axis::kRow:
        box.row.Only(at);
        break;
      case Axis::kRowInPart:
        box.row.Only(at + part.first_row);
        break;
      case Axis::kColumn:
        box.column.Only(at);
        break;
      case Axis::kKvHead:
        box.head.Only(at * recipe.group, recipe.group);
        break;
      case Axis::kHeadColumn:
        box.head.Only(at / recipe.head_width);
        box.column.Only(at % recipe.head_width);
        break;
      case Axis::kColumnHead:
        box.column.Only(at * recipe.head_width, recipe.head_width);
        break;
      case Axis::kPosition:
        box.row.Only(at - recipe.shift);
        break;
      case Axis::kPartner:
        if (at >= recipe.turning) box.column.end = 0;  // it does not turn
        if (at < recipe.turning) box.column.Only(PartnerOf(recipe, at));
        break;
      case Axis::kPair:
      case Axis::kColumnInHead:
      case Axis::kTerm:
      case Axis::kFirst:
      case Axis::kCount:
        break;
    }
  }
  return box;
}

// Whether the cell sees `index` of the operand, with one of its terms.
bool Sees(const Recipe& recipe, const Part& part, std::size_t o, const Making& making, const Index& index) {
  if (o >= OperandCount(recipe, part, making.column)) return false;
  const Operand& operand = part.operands[o];
  for (std::size_t a = 0; a < operand.rank; ++a) {
    if (operand.axes[a] != Axis::kTerm && Along(recipe, part, operand.axes[a], making) != index[a]) return false;
  }
  return true;
}

// Calls visit(cell) for each cell that has `cell` among its operands, once for each operand that it is.
template <class Visit>
void EachFed(const Plan& plan, const Cell& cell, const Visit& visit) {
  for (std::size_t s = 0; s < plan.count(); ++s) {
    const Recipe& recipe = plan.at(s);
    for (std::size_t p = 0; p < recipe.part_count; ++p) {
      const Part& part = recipe.parts[p];
      for (std::size_t o = 0; o < part.operand_count; ++o) {
        if (part.operands[o].stage != cell.stage) continue;
        // A sum of nothing sees its addend only.
        if (part.terms == 0 && !(part.has_addend && o + 1 == part.operand_count)) continue;
        const Box box = BoxOf(recipe, part, part.operands[o], cell.index);
        Making at;
        for (at.entry = box.entry.begin; at.entry < box.entry.end; ++at.entry) {
          for (at.head = box.head.begin; at.head < box.head.end; ++at.head) {
            for (at.row = box.row.begin; at.row < box.row.end; ++at.row) {
              for (at.column = box.column.begin; at.column < box.column.end; ++at.column) {
                if (Sees(recipe, part, o, at, cell.index)) visit(Cell{recipe.stage, IndexOf(recipe, at)});
              }
            }
          }
        }
      }
    }
  }
}

// Operands of one term: the addend of a dot product has a term of its own, and a turn has two of a pair each.
struct TermOperands {
  std::size_t first = 0;
  std::size_t count = 0;
};

TermOperands OperandsOf(const Recipe& recipe, const Part& part, std::int32_t column, std::size_t term) {
  if (part.operation == Operation::kRotate) {
    return Turns(recipe, part, column) ? TermOperands{2 * term, 2} : TermOperands{0, 1};
  }
  const std::size_t addends = part.has_addend ? 1u : 0u;
  const std::size_t factors = part.operand_count - addends;
  return term < static_cast<std::size_t>(part.terms) ? TermOperands{0, factors} : TermOperands{factors, addends};
}

bool IsMean(Operation operation) {
  return operation == Operation::kMean || operation == Operation::kVariance || operation == Operation::kMeanSquare;
}

std::size_t TermCount(const Recipe& recipe, const Part& part, std::int32_t column) {
  if (part.operation == Operation::kRotate) return Turns(recipe, part, column) ? 2 : 1;
  const bool last_step = part.has_addend || (IsMean(part.operation) && part.terms > 0);
  return static_cast<std::size_t>(part.terms) + (last_step ? 1 : 0);
}

// What one term adds, and the running result with it. `value` is the finished cell, `number` the term's.
void Accumulate(const Recipe& recipe, const Part& part, std::int32_t column, std::size_t number, float value,
                float before, OriginTerm& term) {
  const float first = term.operands[0].value;
  const float second = term.operands[1].value;
  const bool last_step = number == static_cast<std::size_t>(part.terms);
  const auto add = [&](float summand) {
    term.value = summand;
    term.partial = before + summand;
  };
  switch (part.operation) {
    case Operation::kDot:
      if (term.left_out) {
        term.partial = before;
      } else if (last_step) {
        add(first);
      } else {
        add(first * second);
      }
      return;
    case Operation::kSum:
      return add(first);
    case Operation::kMax:
      term.value = first;
      term.partial = first > before ? first + 0.0f : before;
      return;
    case Operation::kMean:
    case Operation::kVariance:
    case Operation::kMeanSquare: {
      if (last_step) {
        term.value = static_cast<float>(part.terms);
        term.partial = before / term.value;
        return;
      }
      const float apart = part.operation == Operation::kVariance ? first - second : first;
      return add(part.operation == Operation::kMean ? first : apart * apart);
    }
    case Operation::kRotate: {
      if (!Turns(recipe, part, column)) break;
      const float product = first * second;
      const bool is_first = PartnerOf(recipe, column) > column;
      if (number == 0) {
        term.value = product;
        term.partial = product;
      } else {
        add(is_first ? -product : product);
      }
      return;
    }
    default:
      break;
  }
  term.value = value;
  term.partial = value;
}

float ConstantOf(const AttentionOptions& options, Operation operation) {
  switch (operation) {
    case Operation::kScale:
      return options.scale;
    case Operation::kShift:
      return options.temperature;
    case Operation::kCap:
      return options.cap;
    case Operation::kLayerNorm:
    case Operation::kRmsNorm:
      return options.epsilon;
    default:
      return 0;
  }
}

}  // namespace

Result<Origin> Origin::Of(const Attention& attention, const Cell& cell) {
  const Recipe* recipe = nullptr;
  const Status found = FindCell(attention, cell, recipe);
  if (!Ok(found)) return found;

  Making making = MakingOf(*recipe, cell.index);
  const Part& part = PartOf(*recipe, making.row);
  Origin origin;
  origin.operation_ =
      part.operation == Operation::kRotate && !Turns(*recipe, part, making.column) ? Operation::kCopy : part.operation;
  origin.value_ = attention.At(cell);
  origin.constant_ = ConstantOf(attention.plan().options(), part.operation);
  origin.term_count_ = TermCount(*recipe, part, making.column);
  Result<Buffer> memory = Buffer::Create(origin.term_count_ * sizeof(OriginTerm));
  if (!memory.ok()) return memory.error();
  origin.terms_ = std::move(memory.value());
  auto* terms = static_cast<OriginTerm*>(origin.terms_.data());

  kernels::MaskRule rule;
  if (part.over != Over::kOther || part.operation == Operation::kMask) {
    rule = attention.MaskOf(static_cast<std::size_t>(making.head), static_cast<std::size_t>(making.entry));
  }
  if (part.operation == Operation::kMask) {
    const auto query = static_cast<std::size_t>(making.row);
    const auto key = static_cast<std::size_t>(making.column);
    if (rule.BlockedByAllow(query, key)) origin.blocked_by_ |= kBlockedByAllow;
    if (rule.BlockedByCausal(query, key)) origin.blocked_by_ |= kBlockedByCausal;
    if (rule.BlockedByAdd(query, key)) origin.blocked_by_ |= kBlockedByAdd;
    if (rule.BlockedByPattern(query, key)) origin.blocked_by_ |= kBlockedByPattern;
    if (rule.BlockedByPadding(key)) origin.blocked_by_ |= kBlockedByPadding;
  }

  // Sums start at +0, a maximum at −∞.
  float partial = part.operation == Operation::kMax ? -std::numeric_limits<float>::infinity() : 0.0f;
  for (std::size_t t = 0; t < origin.term_count_; ++t) {
    OriginTerm& term = *new (&terms[t]) OriginTerm;
    making.term = static_cast<std::int32_t>(t);
    const TermOperands operands = OperandsOf(*recipe, part, making.column, t);
    // The last step of a mean divides by a number that is no cell.
    const bool divides = IsMean(part.operation) && t == static_cast<std::size_t>(part.terms);
    term.operand_count = static_cast<std::uint8_t>(divides ? 0 : operands.count);
    for (std::size_t o = 0; o < term.operand_count; ++o) {
      const Cell from = OperandCell(*recipe, part, part.operands[operands.first + o], making);
      term.operands[o] = {from, attention.At(from)};
    }
    term.left_out = LeftOut(part, rule, making, t);
    Accumulate(*recipe, part, making.column, t, origin.value_, partial, term);
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
