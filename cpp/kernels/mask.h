// Which query may look at which key.
#pragma once

#include <cstddef>
#include <cstdint>

#include "matrix/view.h"

namespace loom::kernels {

// Three rules, each optional; a pair is blocked if any of them blocks it.
struct MaskRule {
  ConstView allow;  // [n_q, n_k]; 0 blocks. Used if has_allow
  ConstView add;    // [n_q, n_k]; added; −∞ blocks. Used if has_add
  bool has_allow = false;
  bool has_add = false;
  bool causal = false;  // query i sees keys j ≤ i + offset
  std::int64_t offset = 0;

  bool Any() const { return has_allow || has_add || causal; }
  bool BlockedByAllow(std::size_t i, std::size_t j) const { return has_allow && allow(i, j) == 0.0f; }
  bool BlockedByAdd(std::size_t i, std::size_t j) const;
  bool BlockedByCausal(std::size_t i, std::size_t j) const {
    return causal && static_cast<std::int64_t>(j) > static_cast<std::int64_t>(i) + offset;
  }
  bool Blocks(std::size_t i, std::size_t j) const {
    return BlockedByAllow(i, j) || BlockedByAdd(i, j) || BlockedByCausal(i, j);
  }
};

// out[r, j] = in[r, j] (+ add), or −∞ where the rule blocks (query first_query + r, key j). What stood in a blocked
// cell, NaN included, does not matter. `out` may be `in`.
void Mask(ConstView in, const MaskRule& rule, std::size_t first_query, MutableView out);

}  // namespace loom::kernels
