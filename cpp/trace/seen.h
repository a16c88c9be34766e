// What the cells of one part of a stage see of an operand.
#pragma once

#include "trace/plan.h"

namespace loom {

// Operand number `o` of `part`, for one head and batch entry: with the rows that belong to the part's own rows, where
// it runs along them.
template <class T>
View<T> Seen(const Plan& plan, T* base, const Recipe& recipe, const Part& part, std::size_t o, std::size_t head,
             std::size_t entry) {
  const Operand& operand = part.operands[o];
  const View<T> all = plan.Factor(base, recipe, operand, head, entry);
  const auto first = static_cast<std::size_t>(part.first_row);
  const auto end = static_cast<std::size_t>(part.end_row);
  const auto shift = static_cast<std::size_t>(recipe.shift);
  for (std::size_t a = 0; a + 1 < operand.rank; ++a) {
    if (operand.axes[a] == Axis::kRow) return all.Rows(first, end);
    if (operand.axes[a] == Axis::kPosition) return all.Rows(first + shift, end + shift);
  }
  return all;
}

}  // namespace loom
