#include "trace/making.h"

namespace loom {
namespace {

std::int32_t* PlaceOf(Making& making, Axis axis) {
  switch (axis) {
    case Axis::kBatch:
      return &making.entry;
    case Axis::kHead:
      return &making.head;
    case Axis::kRow:
      return &making.row;
    default:
      return &making.column;
  }
}

// The number of that pair; 0 for a column that does not turn.
std::int32_t PairOf(const Recipe& recipe, std::int32_t column) {
  if (column >= recipe.turning) return 0;
  return recipe.neighbours ? column / 2 : column % (recipe.turning / 2);
}

}  // namespace

Making MakingOf(const Recipe& recipe, const Index& index) {
  Making making;
  for (std::size_t a = 0; a < recipe.rank; ++a) *PlaceOf(making, recipe.axes[a]) = index[a];
  return making;
}

Index IndexOf(const Recipe& recipe, Making making) {
  Index index{};
  for (std::size_t a = 0; a < recipe.rank; ++a) index[a] = *PlaceOf(making, recipe.axes[a]);
  return index;
}

std::int32_t PartnerOf(const Recipe& recipe, std::int32_t column) {
  if (column >= recipe.turning) return column;
  if (recipe.neighbours) return column ^ 1;
  const std::int32_t half = recipe.turning / 2;
  return column < half ? column + half : column - half;
}

std::int32_t Along(const Recipe& recipe, const Part& part, Axis axis, const Making& at) {
  switch (axis) {
    case Axis::kBatch:
      return at.entry;
    case Axis::kHead:
      return at.head;
    case Axis::kRow:
      return at.row;
    case Axis::kRowInPart:
      return at.row - part.first_row;
    case Axis::kColumn:
      return at.column;
    case Axis::kTerm:
      return at.term;
    case Axis::kKvHead:
      return at.head / recipe.group;
    case Axis::kHeadColumn:
      return at.head * recipe.head_width + at.column;
    case Axis::kColumnHead:
      return at.column / recipe.head_width;
    case Axis::kColumnInHead:
      return at.column % recipe.head_width;
    case Axis::kPosition:
      return at.row + recipe.shift;
    case Axis::kPair:
      return PairOf(recipe, at.column);
    case Axis::kPartner:
      return PartnerOf(recipe, at.column);
    case Axis::kFirst:
    case Axis::kCount:
      break;
  }
  return 0;
}

bool Turns(const Recipe& recipe, const Part& part, std::int32_t column) {
  return part.operation == Operation::kRotate && column < recipe.turning;
}

bool LeftOut(const Part& part, const kernels::MaskRule& rule, const Making& at, std::size_t term) {
  if (part.over == Over::kOther) return false;
  return part.over == Over::kKeys ? rule.Blocks(static_cast<std::size_t>(at.row), term)
                                  : rule.Blocks(term, static_cast<std::size_t>(at.column));
}

Cell OperandCell(const Recipe& recipe, const Part& part, const Operand& operand, const Making& at) {
  Cell cell;
  cell.stage = operand.stage;
  for (std::size_t a = 0; a < operand.rank; ++a) cell.index[a] = Along(recipe, part, operand.axes[a], at);
  return cell;
}

const Part& PartOf(const Recipe& recipe, std::int32_t row) {
  std::size_t p = 0;
  while (p + 1 < recipe.part_count && row >= recipe.parts[p].end_row) ++p;
  return recipe.parts[p];
}

}  // namespace loom
