// From a cell to the cells it arises from: the arithmetic of axes.
#pragma once

#include "kernels/mask.h"
#include "trace/plan.h"

namespace loom {

// The cell that is being made, and the term that is being added.
struct Making {
  std::int32_t entry = 0;
  std::int32_t head = 0;
  std::int32_t row = 0;
  std::int32_t column = 0;
  std::int32_t term = 0;
};

Making MakingOf(const Recipe& recipe, const Index& index);
Index IndexOf(const Recipe& recipe, Making making);

// The part of the stage that the row belongs to.
const Part& PartOf(const Recipe& recipe, std::int32_t row);

// The other column of the pair that `column` turns in; itself where it does not turn.
std::int32_t PartnerOf(const Recipe& recipe, std::int32_t column);

// A column that does not turn is copied, though its part turns.
bool Turns(const Recipe& recipe, const Part& part, std::int32_t column);

// Where on an axis of an operand the cell finds it.
std::int32_t Along(const Recipe& recipe, const Part& part, Axis axis, const Making& at);

// Whether the mask leaves term number `term` of the cell out.
bool LeftOut(const Part& part, const kernels::MaskRule& rule, const Making& at, std::size_t term);

Cell OperandCell(const Recipe& recipe, const Part& part, const Operand& operand, const Making& at);

}  // namespace loom
