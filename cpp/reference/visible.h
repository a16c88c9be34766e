// Which query may look at which key.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "reference/matrices.h"

namespace loom::reference {

// Rules, each optional: a pair is blocked if any of them blocks it. Query i stands at position i + offset, key j at j.
template <class S>
struct Visible {
  Eigen::Index maskable = 0;  // keys from here on are seen by all, and nothing is added to their scores
  double offset = 0;
  bool causal = false;                    // no key behind the query's own position (Vaswani et al. 2017, §3.2.3)
  std::optional<Eigen::Index> key_count;  // keys from here on are padding
  std::optional<Matrix<S>> allow;         // [n_q, n_k], or one row for all queries; 0 blocks
  std::optional<Matrix<S>> add;           // likewise; added, −∞ blocks

  // Of these parts of a pattern one is enough to see a key; the key at its own position a query sees in any of them.
  struct Window {
    double before = 0;
    double after = 0;
  };
  std::optional<Window> window;             // neighbours (Beltagy et al., Longformer, 2020, §3.1)
  Eigen::Index block = 0;                   // keys of the own block of so many positions (Child et al., Sparse
                                            // Transformers, 2019, §4)
  std::optional<std::vector<bool>> global;  // [maskable] tokens that see all and are seen by all (Longformer, §3.1)
  std::optional<Matrix<S>> random;          // [n_q, count] keys drawn (Zaheer et al., Big Bird, 2020, §2)

  bool HasPattern() const { return window || block > 0 || global || random; }

  bool IsGlobal(double position) const {
    return global && position >= 0 && position < double(maskable) && (*global)[std::size_t(position)];
  }
  bool InPattern(Eigen::Index i, Eigen::Index j) const {
    const double query = double(i) + offset;
    const double key = double(j);
    if (query == key) return true;
    if (window && query - window->before <= key && key <= query + window->after) return true;
    if (block > 0 && std::floor(query / double(block)) == std::floor(key / double(block))) return true;
    if (IsGlobal(query) || IsGlobal(key)) return true;
    return random && (random->row(i).array() == S(j)).any();
  }
  static S Of(const Matrix<S>& mask, Eigen::Index i, Eigen::Index j) { return mask(mask.rows() == 1 ? 0 : i, j); }

  bool Blocked(Eigen::Index i, Eigen::Index j) const {
    if (j >= maskable) return false;
    if (causal && double(j) > double(i) + offset) return true;
    if (key_count && j >= *key_count) return true;
    if (allow && Of(*allow, i, j) == 0) return true;
    if (add && Of(*add, i, j) == -std::numeric_limits<S>::infinity()) return true;
    return HasPattern() && !InPattern(i, j);
  }
  S Added(Eigen::Index i, Eigen::Index j) const { return add && j < maskable ? Of(*add, i, j) : S(0); }
};

}  // namespace loom::reference
