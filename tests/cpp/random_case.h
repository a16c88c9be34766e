// Any attention: every option at random, and numbers for it.
#pragma once

#include <algorithm>

#include "attention_case.h"

namespace loom::test {

// Masks of every rank, each axis of its full size or 1.
inline void DrawMasks(AttentionOptions& o, Random& r) {
  const auto rank = [&] { return r.Chance(0.6) ? 0 : r.Whole(2, 4); };
  const auto size = [&](int full) { return r.Chance(0.5) ? full : 1; };
  o.allow_rank = rank();
  o.allow_batch = size(o.Entries());
  o.allow_heads = size(o.heads);
  o.allow_rows = size(o.n_q);
  o.add_rank = rank();
  o.add_batch = size(o.Entries());
  o.add_heads = size(o.heads);
  o.add_rows = size(o.n_q);
}

// What is hidden by place, drawn or given by flags.
inline void DrawPatterns(AttentionOptions& o, Random& r, int longest) {
  o.causal = r.Chance(0.4);
  o.offset = r.Whole(-2, longest / 2);
  o.key_counts = r.Chance(0.2);
  o.offset_from_count = o.key_counts && r.Chance(0.5);
  o.window = r.Chance(0.25);
  o.before = r.Chance(0.2) ? 2147483647 : r.Whole(0, longest);
  o.after = r.Chance(0.2) ? 2147483647 : r.Whole(0, longest);
  o.block_size = r.Chance(0.2) ? r.Whole(1, 4) : 0;
  o.global = r.Chance(0.2);
  if (o.Maskable() > 0 || o.n_q == 0) o.random_count = r.Chance(0.2) ? r.Whole(1, 3) : 0;
  o.random_seed = std::uint32_t(r.Next());
  o.alibi = r.Chance(0.7) ? Alibi::kNone : r.Chance(0.5) ? Alibi::kDefault : Alibi::kGiven;
}

// What stands around attention. It needs tokens.
inline void DrawBlock(AttentionOptions& o, Random& r, int widest) {
  const auto positions = [&] {
    return r.Chance(0.6) ? Positions::kNone : r.Chance(0.5) ? Positions::kSinusoid : Positions::kGiven;
  };
  o.positions = positions();
  if (o.crossed) o.positions_kv = positions();
  o.residual = r.Chance(0.4);
  o.norm = r.Chance(0.5) ? Norm::kNone : r.Chance(0.5) ? Norm::kLayer : Norm::kRms;
  o.norm_first = r.Chance(0.5);
  if (o.norm != Norm::kNone) {
    o.gamma = r.Chance(0.5);
    o.gamma_2 = r.Chance(0.5);
  }
  if (o.norm == Norm::kLayer) {
    o.beta = r.Chance(0.5);
    o.beta_2 = r.Chance(0.5);
  }
  if (o.residual || o.norm != Norm::kNone)
    (o.project_out ? o.d_out : o.d_model) = o.project_out ? o.d_model : o.heads * o.d_v;
  o.d_ff = r.Chance(0.4) ? r.Whole(1, widest + 2) : 0;
  o.bias_1 = r.Chance(0.5);
  o.bias_2 = r.Chance(0.5);
  o.activation = Activation(r.Whole(0, 2));
}

// Any switch in any position; lengths up to `longest`, widths up to `widest`, 0 included.
inline AttentionOptions RandomOptions(Random& r, int longest, int widest) {
  AttentionOptions o;
  o.batch = r.Chance(0.6) ? 0 : r.Whole(1, 2);
  o.project = r.Chance(0.6);
  o.crossed = o.project && r.Chance(0.4);
  o.n_q = r.Whole(0, longest);
  o.n_new = o.project && !o.crossed ? o.n_q : r.Whole(0, longest);
  o.n_past = r.Chance(0.3) ? r.Whole(0, longest / 2) : 0;
  o.extra_key = r.Chance(0.2);
  o.zero_key = r.Chance(0.2);
  o.kv_heads = r.Whole(1, 2);
  o.heads = o.kv_heads * r.Whole(1, 2);
  o.d_k = r.Whole(0, widest);
  o.d_v = r.Whole(0, widest);
  o.d_model = r.Whole(0, widest);
  o.d_kv = r.Whole(0, widest);
  o.heads_first = r.Chance(0.3);
  o.bias_q = r.Chance(0.3);
  o.bias_k = r.Chance(0.3);
  o.bias_v = r.Chance(0.3);
  o.project_out = r.Chance(0.4);
  o.bias_o = r.Chance(0.5);
  o.d_out = r.Whole(0, widest);
  DrawMasks(o, r);
  DrawPatterns(o, r, longest);
  if (o.project) DrawBlock(o, r, widest);
  o.gates = r.Chance(0.25);
  o.rotary = r.Chance(0.6) ? Rotary::kNone : r.Chance(0.5) ? Rotary::kNeighbour : Rotary::kHalf;
  o.rotary_width = 2 * r.Whole(0, o.d_k / 2);
  o.rotary_base = r.Chance(0.5) ? 10000.0f : 50.0f;
  o.rotary_offset = r.Whole(0, 3);
  o.cap = r.Chance(0.3) ? 0.5f + 3 * float(r.Uniform()) : 0.0f;
  o.default_scale = r.Chance(0.5);
  o.scale = 0.5f * r.Normal();
  constexpr float kTemperatures[] = {1, 1, 1, 0.5f, 2.5f, 0};
  o.temperature = kTemperatures[r.Whole(0, 5)];
  o.epsilon = r.Chance(0.2) ? 0.1f : 1e-5f;
  o.trace = true;
  o.softmax = r.Chance(0.6) ? Softmax::kRows : r.Chance(0.5) ? Softmax::kColumns : Softmax::kNone;
  o.shift = r.Chance(0.8);
  // Without the largest there is no limit at τ = 0.
  if (!o.shift && o.temperature == 0) o.temperature = 1;
  return o;
}

// Normal numbers; tokens, queries, keys and values `deviation` times as large. In masks some blocked cells, none for
// keys that no mask touches.
inline void FillRandom(Case& c, Random& r, float deviation = 1) {
  const int maskable = c.options().Maskable();
  const auto number = [&](Stage stage, std::size_t key) {
    const bool beyond = int(key) >= maskable;
    switch (stage) {
      case Stage::kAllow:
        return beyond || r.Chance(0.7) ? 1.0f : 0.0f;
      case Stage::kAdd:
        return beyond ? 0.0f : r.Chance(0.2) ? -kInfinity : r.Normal();
      case Stage::kKeyCounts:
        return float(r.Whole(0, maskable));
      case Stage::kGlobal:
        return r.Chance(0.2) ? 1.0f : 0.0f;
      case Stage::kX:
      case Stage::kXKv:
      case Stage::kQueries:
      case Stage::kKeys:
      case Stage::kValues:
        return deviation * r.Normal();
      default:
        return r.Normal();
    }
  };
  for (std::size_t s = 0; s < c.plan->count(); ++s) {
    const Recipe& recipe = c.plan->at(s);
    if (recipe.parts[0].operation != Operation::kInput) continue;
    for (std::size_t entry = 0; entry < c.Entries(recipe.stage); ++entry) {
      const MutableView input = c.attention.Input(recipe.stage, entry);
      for (std::size_t i = 0; i < input.rows; ++i) {
        for (std::size_t j = 0; j < input.cols; ++j) input(i, j) = number(recipe.stage, j);
      }
    }
  }
}

// What `to` is given, taken from where `from` has it: source(stage, head, entry) is a matrix of as many columns and at
// least as many rows.
template <class Source>
void CopyGiven(Case& to, const Source& source) {
  for (std::size_t s = 0; s < to.plan->count(); ++s) {
    const Recipe& recipe = to.plan->at(s);
    if (recipe.parts[0].operation != Operation::kInput) continue;
    for (std::size_t entry = 0; entry < to.Entries(recipe.stage); ++entry) {
      for (std::size_t head = 0; head < to.Heads(recipe.stage); ++head) {
        MutableView matrix = to.Head(recipe.stage, head, entry);
        matrix = matrix.Rows(0, std::min(matrix.rows, GivenRows(recipe)));
        const ConstView from = source(recipe.stage, head, entry);
        for (std::size_t i = 0; i < matrix.rows; ++i) {
          for (std::size_t j = 0; j < matrix.cols; ++j) matrix(i, j) = from(i, j);
        }
      }
    }
  }
}

// The same inputs in both.
inline void CopyInputs(const Case& from, Case& to) {
  CopyGiven(to, [&](Stage stage, std::size_t head, std::size_t entry) { return from.Head(stage, head, entry); });
}

}  // namespace loom::test
