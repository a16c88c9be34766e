// What is asked for: sizes and switches of one attention, with what may stand around it.
#pragma once

#include <cstdint>

#include "matrix/error.h"

namespace loom {

enum class Rotary : std::uint8_t { kNone, kNeighbour, kHalf };     // pairs (2p, 2p + 1), or (p, p + width/2)
enum class Alibi : std::uint8_t { kNone, kDefault, kGiven };       // slopes 2^(−8·(head + 1)/h), or given ones
enum class Positions : std::uint8_t { kNone, kSinusoid, kGiven };  // what is added to the tokens
enum class Norm : std::uint8_t { kNone, kLayer, kRms };            // how a token's numbers are evened out
enum class Softmax : std::uint8_t { kRows, kColumns, kNone };      // whose shares sum to 1: those of a query, of a key
enum class Activation : std::uint8_t { kGelu, kGeluTanh, kRelu };  // of the feed-forward part

// Every option, once: X(type, name, default). A new one is a line here; JavaScript reads the names from the core.
// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define LOOM_OPTIONS(X)                                                                                            \
  X(bool, project, false)     /* queries, keys and values are X·W_Q, X·W_K, X·W_V; else they are given */       \
  X(bool, crossed, false)     /* with `project`: keys and values come from a second sequence */                    \
  X(int, batch, 0)            /* B; 0: no batch axis */                                                            \
  X(int, n_q, 0)              /* queries */                                                                        \
  X(int, n_new, 0)            /* keys given or projected; without `crossed` equal to n_q */                        \
  X(int, n_past, 0)           /* cached keys and values, in front of the new ones */                               \
  X(bool, extra_key, false)   /* bias_k and bias_v: one more key behind, that no mask touches */                   \
  X(bool, zero_key, false)    /* add_zero_attn: one more key and value of zeros, the last */                       \
  X(int, heads, 1)            /* h */                                                                              \
  X(int, kv_heads, 1)         /* h_kv, a divisor of h: neighbouring heads share one */                             \
  X(int, d_k, 0)              /* width of one head's queries and keys */                                           \
  X(int, d_v, 0)              /* width of one head's values */                                                     \
  X(int, d_model, 0)          /* columns of X, with `project` */                                                   \
  X(int, d_kv, 0)             /* columns of the second sequence, with `crossed` */                                 \
  X(bool, heads_first, false) /* given queries, keys and values lie [h, n, d], else [n, h·d] */                   \
  X(bool, bias_q, false)      /* a bias on each projection */                                                      \
  X(bool, bias_k, false)                                                                                           \
  X(bool, bias_v, false)                                                                                           \
  X(bool, project_out, false) /* W_O */                                                                            \
  X(bool, bias_o, false)                                                                                           \
  X(int, d_out, 0)      /* columns of W_O */                                                                       \
  X(int, allow_rank, 0) /* axes of the yes/no mask, 0: none; each is full or 1 */                                  \
  X(int, allow_batch, 1)                                                                                           \
  X(int, allow_heads, 1)                                                                                           \
  X(int, allow_rows, 1)                                                                                            \
  X(int, add_rank, 0) /* the same for the additive mask */                                                         \
  X(int, add_batch, 1)                                                                                             \
  X(int, add_heads, 1)                                                                                             \
  X(int, add_rows, 1)                                                                                              \
  X(bool, causal, false)            /* query i sees keys j ≤ i + offset */                                       \
  X(std::int32_t, offset, 0)        /* query i stands at position i + offset; keys at j */                         \
  X(bool, offset_from_count, false) /* the offset is the entry's key count − n_q: the last stands at the last */ \
  X(bool, key_counts, false)        /* how many leading keys of each batch entry are real */                       \
  X(bool, window, false)            /* sees `before` keys before its own position and `after` behind */            \
  X(std::int32_t, before, 0)                                                                                       \
  X(std::int32_t, after, 0)                                                                                        \
  X(int, block_size, 0)   /* sees the keys of its own block of that many, 0: no blocks */                          \
  X(bool, global, false)  /* flagged tokens see all and are seen by all */                                         \
  X(int, random_count, 0) /* sees that many keys drawn at random */                                                \
  X(std::uint32_t, random_seed, 0)                                                                                 \
  X(Alibi, alibi, Alibi::kNone)                                                                                    \
  X(bool, gates, false) /* a factor on each head's output */                                                       \
  X(Rotary, rotary, Rotary::kNone)                                                                                 \
  X(int, rotary_width, 0) /* columns of a head that turn, even */                                                  \
  X(float, rotary_base, 10000.0f)                                                                                  \
  X(int, rotary_offset, 0) /* position of query 0; key 0 stands at 0 */                                            \
  X(Positions, positions, Positions::kNone)                                                                        \
  X(Positions, positions_kv, Positions::kNone)                                                                     \
  X(float, cap, 0.0f)          /* soft cap on the scaled scores, 0: none */                                        \
  X(bool, default_scale, true) /* the factor on the scores is 1/√d_k */                                          \
  X(float, scale, 1.0f)        /* else this one; finite. Plan::Create fills in the default */                      \
  X(float, temperature, 1.0f)  /* τ ≥ 0, finite */                                                              \
  X(Softmax, softmax, Softmax::kRows)                                                                              \
  X(bool, shift, true) /* the largest is subtracted before e^x */                                                  \
  X(Norm, norm, Norm::kNone)                                                                                       \
  X(bool, norm_first, true) /* before attention and before feed-forward; else behind their residual */             \
  X(float, epsilon, 1e-5f)  /* ε ≥ 0 of the norm */                                                             \
  X(bool, gamma, false)     /* factor and summand of the first norm, then of the second */                         \
  X(bool, beta, false)      /* with kLayer only */                                                                 \
  X(bool, gamma_2, false)                                                                                          \
  X(bool, beta_2, false)                                                                                           \
  X(bool, residual, false) /* what comes in is added to what attention (and feed-forward) adds */                  \
  X(int, d_ff, 0)          /* width of the feed-forward part, 0: none */                                           \
  X(bool, bias_1, false)                                                                                           \
  X(bool, bias_2, false)                                                                                           \
  X(Activation, activation, Activation::kGelu)                                                                     \
  X(bool, trace, false) /* keep every stage */
// NOLINTEND(cppcoreguidelines-macro-usage)

// Plain data; ValidateOptions says what is allowed.
struct AttentionOptions {
#define LOOM_FIELD(type, name, initial) type name = initial;
  LOOM_OPTIONS(LOOM_FIELD)
#undef LOOM_FIELD

  // n_k: cached, new and extra keys.
  int Keys() const { return Maskable() + (extra_key ? 1 : 0) + (zero_key ? 1 : 0); }
  // Keys that masks know of; the extra ones behind are seen by every query.
  int Maskable() const { return n_past + n_new; }
  // Query heads that share a key/value head.
  int Group() const { return heads / kv_heads; }
  int Entries() const { return batch > 0 ? batch : 1; }
  // Shares of the keys for each query, safe from overflow: what the fused kernel computes.
  bool IsUsual() const { return softmax == Softmax::kRows && shift; }
  bool HasPattern() const { return window || block_size > 0 || global || random_count > 0; }
  bool HasMask() const {
    return allow_rank > 0 || add_rank > 0 || causal || key_counts || HasPattern() || alibi != Alibi::kNone;
  }
};

// The first rule that `options` breaks, under the public name of the parameter, or success. The limits are those of
// matrix/limits.h; the total size is checked where it is known, by Plan::Create.
Status ValidateOptions(const AttentionOptions& options);

// 1/√d_k as float32, 1 where d_k = 0 (a sum of nothing is 0 whatever the factor).
float DefaultScale(int d_k);

}  // namespace loom
