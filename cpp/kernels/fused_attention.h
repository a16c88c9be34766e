// Attention of one head without keeping a stage: what is used where no trace is asked for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/mask.h"
#include "matrix/view.h"

namespace loom::kernels {

struct FusedOptions {
  float scale = 1;
  float cap = 0;  // 0: no soft cap
  float temperature = 1;
};

// Floats that FusedAttention needs to work in, for values whose rows are v_stride apart.
std::size_t FusedScratch(std::size_t n_k, std::size_t d_k, std::size_t d_v, std::size_t v_stride);

// output [n_q, d_v] = softmax(masked(cap(scale · queries · keysᵀ)) / temperature) · values, for queries [n_q, d_k],
// keys [n_k, d_k] and values [n_k, d_v]; empty[i] = 1 where query i may see no key (its output is 0), else 0. Bit for
// bit what Matmul, Scale, Cap, Mask, RowMax, Shift, Exp, RowSum, Divide and Matmul give one after the other, for input
// that is finite and so small that no score leaves the range of float32: that is up to the caller. Keys that no query
// of a block of rows sees cost nothing. `output` overlaps no input; `scratch`: FusedScratch floats, whatever they hold.
void FusedAttention(ConstView queries, ConstView keys, ConstView values, const MaskRule& rule,
                    const FusedOptions& options, float* scratch, MutableView output, std::uint8_t* empty);

}  // namespace loom::kernels
