// Which query may look at which key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "matrix/view.h"

namespace loom::kernels {

// Keys begin ≤ j < end; empty: both 0.
struct KeyRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

inline constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);

// Rules, each optional; a pair is blocked if any of them blocks it. The position of query i is i + offset, that of key
// j is j; all arithmetic on positions is exact for |offset| < 2³².
struct MaskRule {
  ConstView allow;  // [n_q, n_k], or [1, n_k] for all queries; 0 blocks. Used if has_allow
  ConstView add;    // [n_q, n_k], or [1, n_k] for all queries; added; −∞ blocks. Used if has_add
  bool has_allow = false;
  bool has_add = false;
  bool causal = false;  // sees keys up to its own position
  std::int64_t offset = 0;

  // The pattern: where any part of it is given, a query sees the keys that one of the parts shows, and the key at its
  // own position.
  bool has_window = false;  // `before` keys before its own position, `after` behind it, both ≥ 0
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::size_t block = 0;    // keys of its own block of so many positions; 0: none
  ConstView global;         // [1, n_k]; a token that is not 0 sees all and is seen by all. Used if has_global
  bool has_global = false;  // a query is the token at its position, where there is one
  ConstView random;         // [n_q, count]: numbers of keys. Used if has_random
  bool has_random = false;

  std::size_t key_count = kNoLimit;  // keys from here on are padding: blocked
  std::size_t maskable = kNoLimit;   // keys from here on are beyond all rules: never blocked, nothing added
  float slope = 0;                   // adds Alibi(i, j). Used if has_slope
  bool has_slope = false;

  bool HasPattern() const { return has_window || block > 0 || has_global || has_random; }
  bool Any() const { return has_allow || has_add || causal || HasPattern() || key_count != kNoLimit || has_slope; }
  // Row of `allow` or `add` that serves query i.
  static const float* RowOf(const ConstView& mask, std::size_t i) { return mask.row(mask.rows == 1 ? 0 : i); }
  std::int64_t Position(std::size_t i) const { return static_cast<std::int64_t>(i) + offset; }

  bool BlockedByAllow(std::size_t i, std::size_t j) const {
    return has_allow && j < maskable && RowOf(allow, i)[j] == 0.0f;
  }
  bool BlockedByAdd(std::size_t i, std::size_t j) const;
  bool BlockedByCausal(std::size_t i, std::size_t j) const {
    return causal && j<maskable&& static_cast<std::int64_t>(j)> Position(i);
  }
  bool BlockedByPattern(std::size_t i, std::size_t j) const;
  bool BlockedByPadding(std::size_t j) const { return j >= key_count && j < maskable; }
  bool Blocks(std::size_t i, std::size_t j) const {
    return BlockedByAllow(i, j) || BlockedByAdd(i, j) || BlockedByCausal(i, j) || BlockedByPattern(i, j) ||
           BlockedByPadding(j);
  }

  // −(slope · |Position(i) − j|), the distance and the product rounded to float32; never −0. 0 without a slope and for
  // keys beyond all rules.
  float Alibi(std::size_t i, std::size_t j) const;

  // Whether causal, padding and the pattern show each query one run of keys, which is then RangeOf(i).
  bool IsRange() const { return !has_global && !has_random; }
  // The keys below `maskable` that causal, padding and a pattern of window and block leave visible; a pattern with
  // global or random keys counts as showing all. The end may lie behind the last key.
  KeyRange RangeOf(std::size_t i) const;
  // The shortest run that holds RangeOf(i) and the keys beyond all rules: no other key is visible to query i.
  KeyRange Visible(std::size_t i) const;
};

// out[r, j] = (in[r, j] + Alibi) + add, or −∞ where the rule blocks (query first_query + r, key j). What stood in a
// blocked cell, NaN included, does not matter. `out` may be `in`.
void Mask(const ConstView& in, const MaskRule& rule, std::size_t first_query, const MutableView& out);

}  // namespace loom::kernels
