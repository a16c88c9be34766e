#include "trace/options.h"

#include <cmath>

#include "matrix/limits.h"

namespace loom {
namespace {

constexpr int kMaxMaskRank = 4;  // batch, heads, rows, columns

// Keeps the first rule that is broken.
class Check {
 public:
  // Not inlined: forty of them were 2 kB of the wasm file (measured).
  [[gnu::noinline]] void Require(bool holds, ErrorCode code, Param param, double value, double bound) {
    if (!holds && Ok(status_)) status_ = {code, param, value, bound};
  }
  void Between(int value, int lowest, int highest, Param param) {
    const ErrorCode below = value < 0 && lowest == 0 ? ErrorCode::kNegative : ErrorCode::kTooSmall;
    Require(value >= lowest, below, param, value, lowest);
    Require(value <= highest, ErrorCode::kTooLarge, param, value, highest);
  }
  void Finite(float value, Param param) { Require(std::isfinite(value), ErrorCode::kNotFinite, param, value, 0); }
  void FiniteFromZero(float value, Param param) {
    Finite(value, param);
    Require(!(value < 0), ErrorCode::kNegative, param, value, 0);
  }
  void Equal(int value, int wanted, Param param) {
    Require(value == wanted, ErrorCode::kMismatch, param, value, wanted);
  }
  // A size of a mask: full, or 1.
  void Broadcast(int value, int full, Param param) {
    Require(value == full || value == 1, ErrorCode::kMismatch, param, value, full);
  }
  void Allowed(bool goes, Param param) { Require(goes, ErrorCode::kNotAllowed, param, 0, 0); }
  const Status& status() const { return status_; }

 private:
  Status status_;
};

}  // namespace

Status ValidateOptions(const AttentionOptions& o) {
  Check check;
  check.Between(o.batch, 0, kMaxTokens, Param::kBatch);
  check.Between(o.heads, 1, kMaxHeads, Param::kHeads);
  check.Between(o.kv_heads, 1, kMaxHeads, Param::kKvHeads);
  check.Between(o.n_q, 0, kMaxTokens, Param::kQueries);
  check.Between(o.n_past, 0, kMaxTokens, Param::kKeys);
  check.Between(o.n_new, 0, kMaxTokens, Param::kKeys);
  check.Between(o.d_k, 0, kMaxWidth, o.project ? Param::kWQ : Param::kQ);
  check.Between(o.d_v, 0, kMaxWidth, o.project ? Param::kWV : Param::kV);
  check.Between(o.project ? o.d_model : 0, 0, kMaxWidth, Param::kModelWidth);
  check.Between(o.project && o.crossed ? o.d_kv : 0, 0, kMaxWidth, Param::kModelWidth);
  check.Between(o.project_out ? o.d_out : 0, 0, kMaxWidth, Param::kWO);
  check.Between(o.d_ff, 0, kMaxFeedForward, Param::kFfn);
  check.Between(o.allow_rank, 0, kMaxMaskRank, Param::kAllow);
  check.Between(o.add_rank, 0, kMaxMaskRank, Param::kAdd);
  check.Between(o.before, 0, INT32_MAX, Param::kWindow);
  check.Between(o.after, 0, INT32_MAX, Param::kWindow);
  check.Between(o.block_size, 0, kMaxTokens, Param::kBlocks);
  check.Between(o.random_count, 0, kMaxTokens, Param::kRandom);
  check.Between(o.rotary_offset, 0, kMaxTokens, Param::kRotary);
  check.Finite(o.scale, Param::kScale);
  check.FiniteFromZero(o.temperature, Param::kTemperature);
  check.FiniteFromZero(o.cap, Param::kSoftCap);
  check.FiniteFromZero(o.epsilon, Param::kNorm);
  // The rules behind compute with sizes that are known to be small.
  if (!Ok(check.status())) return check.status();

  check.Between(o.Keys(), 0, kMaxTokens, Param::kKeys);
  check.Equal(o.heads % o.kv_heads, 0, Param::kKvHeads);
  if (o.project && !o.crossed) check.Equal(o.n_new, o.n_q, Param::kXKv);
  check.Broadcast(o.allow_batch, o.Entries(), Param::kAllow);
  check.Broadcast(o.allow_heads, o.heads, Param::kAllow);
  check.Broadcast(o.allow_rows, o.n_q, Param::kAllow);
  check.Broadcast(o.add_batch, o.Entries(), Param::kAdd);
  check.Broadcast(o.add_heads, o.heads, Param::kAdd);
  check.Broadcast(o.add_rows, o.n_q, Param::kAdd);
  check.Allowed(o.key_counts || !o.offset_from_count, Param::kKeyCounts);
  check.Allowed(o.random_count == 0 || o.Maskable() > 0 || o.n_q == 0, Param::kRandom);
  // A temperature of 0 looks at the maximum.
  check.Allowed(o.shift || o.temperature > 0, Param::kTemperature);
  const bool normed = o.norm != Norm::kNone;
  const bool of_tokens = normed || o.residual || o.d_ff > 0 || o.positions != Positions::kNone;
  check.Allowed(o.project || !of_tokens, Param::kX);
  check.Allowed(o.crossed || o.positions_kv == Positions::kNone, Param::kXKv);
  check.Allowed(o.norm == Norm::kLayer || !(o.beta || o.beta_2), Param::kNorm);
  check.Allowed(normed || !(o.gamma || o.gamma_2), Param::kNorm);
  if (normed || o.residual) check.Equal(o.project_out ? o.d_out : o.heads * o.d_v, o.d_model, Param::kResidual);
  if (o.rotary != Rotary::kNone) {
    check.Between(o.rotary_width, 0, o.d_k, Param::kRotary);
    check.Equal(o.rotary_width % 2, 0, Param::kRotary);
    check.Require(std::isfinite(o.rotary_base) && o.rotary_base > 0, ErrorCode::kNotFinite, Param::kRotary,
                  o.rotary_base, 0);
  }
  return check.status();
}

float DefaultScale(int d_k) { return d_k == 0 ? 1.0f : static_cast<float>(1.0 / std::sqrt(double(d_k))); }

}  // namespace loom
