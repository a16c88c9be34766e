#include "trace/options.h"

#include <cmath>

#include "matrix/limits.h"

namespace loom {
namespace {

Status Between(int value, int lowest, int highest, Param param) {
  if (value < lowest) {
    return {value < 0 && lowest == 0 ? ErrorCode::kNegative : ErrorCode::kTooSmall, param, double(value),
            double(lowest)};
  }
  if (value > highest) return {ErrorCode::kTooLarge, param, double(value), double(highest)};
  return {};
}

Status Finite(float value, Param param) {
  return std::isfinite(value) ? Status{} : Status{ErrorCode::kNotFinite, param, value, 0};
}

Status FiniteFromZero(float value, Param param) {
  if (std::isfinite(value) && value < 0) return {ErrorCode::kNegative, param, value, 0};
  return Finite(value, param);
}

// A size of a mask: full, or 1.
Status Broadcast(int value, int full, Param param) {
  return value == full || value == 1 ? Status{} : Status{ErrorCode::kMismatch, param, double(value), double(full)};
}

Status Equal(int value, int wanted, Param param) {
  return value == wanted ? Status{} : Status{ErrorCode::kMismatch, param, double(value), double(wanted)};
}

Status Not(bool wrong, Param param) { return wrong ? Status{ErrorCode::kNotAllowed, param, 0, 0} : Status{}; }

}  // namespace

Status ValidateOptions(const AttentionOptions& o) {
  // Sizes first: the rules behind compute with them.
  const Status sizes[] = {
      Between(o.batch, 0, kMaxTokens, Param::kBatch),
      Between(o.heads, 1, kMaxHeads, Param::kHeads),
      Between(o.kv_heads, 1, kMaxHeads, Param::kKvHeads),
      Between(o.n_q, 0, kMaxTokens, Param::kQueries),
      Between(o.n_past, 0, kMaxTokens, Param::kKeys),
      Between(o.n_new, 0, kMaxTokens, Param::kKeys),
      Between(o.d_k, 0, kMaxWidth, o.project ? Param::kWQ : Param::kQ),
      Between(o.d_v, 0, kMaxWidth, o.project ? Param::kWV : Param::kV),
      Between(o.project ? o.d_model : 0, 0, kMaxWidth, Param::kModelWidth),
      Between(o.project && o.crossed ? o.d_kv : 0, 0, kMaxWidth, Param::kModelWidth),
      Between(o.project_out ? o.d_out : 0, 0, kMaxWidth, Param::kWO),
      Between(o.d_ff, 0, kMaxFeedForward, Param::kFfn),
      Between(o.before, 0, INT32_MAX, Param::kWindow),
      Between(o.after, 0, INT32_MAX, Param::kWindow),
      Between(o.block_size, 0, kMaxTokens, Param::kBlocks),
      Between(o.random_count, 0, kMaxTokens, Param::kRandom),
      Between(o.rotary_offset, 0, kMaxTokens, Param::kRotary),
      Finite(o.scale, Param::kScale),
      FiniteFromZero(o.temperature, Param::kTemperature),
      FiniteFromZero(o.cap, Param::kSoftCap),
      FiniteFromZero(o.epsilon, Param::kNorm),
  };
  for (const Status& check : sizes) {
    if (!Ok(check)) return check;
  }
  const bool tokens_only = o.norm != Norm::kNone || o.residual || o.d_ff > 0 || o.positions != Positions::kNone;
  const int attended = o.project_out ? o.d_out : o.heads * o.d_v;
  const Status rules[] = {
      Between(o.Keys(), 0, kMaxTokens, Param::kKeys),
      o.heads % o.kv_heads == 0
          ? Status{}
          : Status{ErrorCode::kMismatch, Param::kKvHeads, double(o.kv_heads), double(o.heads)},
      o.project && !o.crossed ? Equal(o.n_new, o.n_q, Param::kXKv) : Status{},
      Broadcast(o.allow_batch, o.Entries(), Param::kAllow),
      Broadcast(o.allow_heads, o.heads, Param::kAllow),
      Broadcast(o.allow_rows, o.n_q, Param::kAllow),
      Broadcast(o.add_batch, o.Entries(), Param::kAdd),
      Broadcast(o.add_heads, o.heads, Param::kAdd),
      Broadcast(o.add_rows, o.n_q, Param::kAdd),
      Not(o.offset_from_count && !o.key_counts, Param::kKeyCounts),
      Not(tokens_only && !o.project, Param::kX),
      Not(o.positions_kv != Positions::kNone && !o.crossed, Param::kXKv),
      o.residual || o.norm != Norm::kNone ? Equal(attended, o.d_model, Param::kResidual) : Status{},
      Not((o.gamma || o.beta || o.gamma_2 || o.beta_2) && o.norm == Norm::kNone, Param::kNorm),
      o.rotary == Rotary::kNone ? Status{} : Between(o.rotary_width, 0, o.d_k, Param::kRotary),
      Not(o.rotary_width % 2 != 0, Param::kRotary),
      o.rotary == Rotary::kNone || (std::isfinite(o.rotary_base) && o.rotary_base > 0)
          ? Status{}
          : Status{ErrorCode::kNotFinite, Param::kRotary, o.rotary_base, 0},
  };
  for (const Status& check : rules) {
    if (!Ok(check)) return check;
  }
  return {};
}

float DefaultScale(int d_k) { return d_k == 0 ? 1.0f : static_cast<float>(1.0 / std::sqrt(double(d_k))); }

}  // namespace loom
