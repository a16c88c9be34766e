// Masks of every kind at random.
#pragma once

#include <algorithm>

#include "kernels/mask.h"
#include "support.h"

namespace loom::test {

// Every rule at random, and what it means by the plain words, cell by cell. Nothing here calls MaskRule's own
// functions.
struct AnyRule {
  kernels::MaskRule rule;
  std::size_t n_q;
  std::size_t n_k;
  Guarded allow;
  Guarded add;
  Guarded global;
  Guarded random;

  AnyRule(std::size_t queries, std::size_t keys, Random& r)
      : n_q(queries),
        n_k(keys),
        allow(r.Chance(0.5) ? 1 : queries, keys),
        add(r.Chance(0.5) ? 1 : queries, keys),
        global(1, keys),
        random(queries, std::size_t(r.Whole(0, 3))) {
    allow.Fill([&](std::size_t, std::size_t) { return r.Chance(0.7) ? 1.0f : 0.0f; });
    add.Fill([&](std::size_t, std::size_t) { return r.Chance(0.2) ? -kInfinity : r.Normal(); });
    global.Fill([&](std::size_t, std::size_t) { return r.Chance(0.15) ? 1.0f : 0.0f; });
    random.Fill([&](std::size_t, std::size_t) { return float(r.Whole(0, int(keys) - 1)); });
    const int last = int(keys);
    rule.causal = r.Chance(0.4);
    rule.offset = OffsetOf(r, last);
    if ((rule.has_allow = r.Chance(0.2))) rule.allow = allow.view();
    if ((rule.has_add = r.Chance(0.2))) rule.add = add.view();
    if ((rule.has_window = r.Chance(0.4))) {
      rule.before = DistanceOf(r, last);
      rule.after = DistanceOf(r, last);
    }
    if (r.Chance(0.3)) rule.block = std::size_t(r.Whole(1, last + 2));
    if ((rule.has_global = r.Chance(0.2))) rule.global = global.view();
    if ((rule.has_random = r.Chance(0.2))) rule.random = random.view();
    if (r.Chance(0.3)) rule.key_count = std::size_t(r.Whole(0, last));
    if (r.Chance(0.2)) rule.maskable = std::size_t(r.Whole(0, last - 1));
    if ((rule.has_slope = r.Chance(0.3))) rule.slope = 0.25f;
  }

  static std::int64_t OffsetOf(Random& r, int last) {
    if (r.Chance(0.1)) return r.Chance(0.5) ? 2147483647 : -2147483647;
    return r.Whole(-last, last);
  }
  static std::int64_t DistanceOf(Random& r, int last) {
    return r.Chance(0.1) ? std::numeric_limits<std::int64_t>::max() : r.Whole(0, last);
  }

  bool Extra(std::size_t j) const { return rule.maskable != kernels::kNoLimit && j >= rule.maskable; }
  bool Global(double position) const {
    return position >= 0 && position < double(n_k) && !Extra(std::size_t(position)) &&
           global.view()(0, std::size_t(position)) != 0;
  }
  // What causal, padding and window or block hide; for the other parts of the pattern see Hidden.
  bool HiddenByPattern(std::size_t i, std::size_t j) const {
    const double query = double(i) + double(rule.offset);
    const double key = double(j);
    if (!rule.has_window && rule.block == 0 && !rule.has_global && !rule.has_random) return false;
    bool seen = query == key;
    if (rule.has_window) seen |= key >= query - double(rule.before) && key <= query + double(rule.after);
    if (rule.block > 0) seen |= std::floor(query / double(rule.block)) == std::floor(key / double(rule.block));
    if (rule.has_global) seen |= Global(query) || Global(key);
    for (std::size_t c = 0; rule.has_random && c < random.view().cols; ++c) seen |= random.view()(i, c) == float(j);
    return !seen;
  }
  bool HiddenByPlace(std::size_t i, std::size_t j) const {
    if (Extra(j)) return false;
    if (rule.causal && double(j) > double(i) + double(rule.offset)) return true;
    if (rule.key_count != kernels::kNoLimit && j >= rule.key_count) return true;
    return HiddenByPattern(i, j);
  }
  bool Hidden(std::size_t i, std::size_t j) const {
    if (Extra(j)) return false;
    const auto row = [&](const Guarded& mask) { return mask.view().rows == 1 ? 0 : i; };
    if (rule.has_allow && allow.view()(row(allow), j) == 0.0f) return true;
    if (rule.has_add && add.view()(row(add), j) == -kInfinity) return true;
    return HiddenByPlace(i, j);
  }
  float Want(float x, std::size_t i, std::size_t j) const {
    if (Hidden(i, j)) return -kInfinity;
    if (Extra(j)) return x;
    if (rule.has_slope) x += 0.0f - rule.slope * float(std::abs(double(i) + double(rule.offset) - double(j)));
    if (rule.has_add) x += add.view()(add.view().rows == 1 ? 0 : i, j);
    return x;
  }
};

}  // namespace loom::test
