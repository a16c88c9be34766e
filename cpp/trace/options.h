// What is asked for: sizes and switches of one attention.
#pragma once

#include <cstdint>

#include "matrix/error.h"

namespace loom {

// Plain data; ValidateOptions says what is allowed.
struct AttentionOptions {
  // True: queries, keys and values are X·W_Q, X·W_K, X·W_V. False: they are given.
  bool project = false;
  // With `project`: keys and values come from a second sequence.
  bool crossed = false;

  int n_q = 0;      // queries
  int n_k = 0;      // keys; without `crossed` and with `project` equal to n_q
  int heads = 1;    // h
  int d_k = 0;      // width of one head's queries and keys
  int d_v = 0;      // width of one head's values
  int d_model = 0;  // columns of X; used with `project`
  int d_kv = 0;     // columns of the second sequence; used with `crossed`

  int allow_heads = 0;  // 0: no yes/no mask; 1: one for all heads; h: one per head
  int add_heads = 0;    // the same for the additive mask
  bool causal = false;  // query i sees keys j ≤ i + causal_offset
  std::int32_t causal_offset = 0;

  bool default_scale = true;  // the factor on the scores is 1/√d_k; `scale` is then filled in by Plan::Create
  float scale = 1.0f;         // factor on the scores, finite
  float temperature = 1.0f;   // τ ≥ 0, finite

  bool trace = false;  // keep every stage
};

// The first rule that `options` breaks, under the public name of the parameter, or success. The limits are those of
// matrix/limits.h; the total size is checked where it is known, by Plan::Create.
Status ValidateOptions(const AttentionOptions& options);

// 1/√d_k as float32, 1 where d_k = 0 (a sum of nothing is 0 whatever the factor).
float DefaultScale(int d_k);

}  // namespace loom
