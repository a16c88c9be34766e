// One part of one stage, by the kernels.
#pragma once

#include "trace/plan.h"

namespace loom {

// Computes the part in float32 for one head and batch entry of a workspace that begins at `base`, from operands that
// have been computed. For every operation but those from Q·Kᵀ to weights · values, which go by blocks of rows.
void Compute(const Plan& plan, float* base, const Recipe& recipe, const Part& part, std::size_t head,
             std::size_t entry);

// The numbers of one of the operands of a norm, or null where it has none of that stage.
template <class T>
const T* VectorOf(const Plan& plan, const T* base, const Part& part, Stage stage) {
  for (std::size_t o = 0; o < part.operand_count; ++o) {
    if (part.operands[o].stage == stage) return base + plan.Get(stage).offset;
  }
  return nullptr;
}

}  // namespace loom
