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

Status MaskHeads(int value, int heads, Param param) {
  if (value == 0 || value == 1 || value == heads) return {};
  return {ErrorCode::kMismatch, param, double(value), double(heads)};
}

}  // namespace

Status ValidateOptions(const AttentionOptions& o) {
  const Status checks[] = {
      Between(o.heads, 1, kMaxHeads, Param::kHeads),
      Between(o.n_q, 0, kMaxTokens, Param::kQueries),
      Between(o.n_k, 0, kMaxTokens, Param::kKeys),
      Between(o.d_k, 0, kMaxWidth, o.project ? Param::kWQ : Param::kQ),
      Between(o.d_v, 0, kMaxWidth, o.project ? Param::kWV : Param::kV),
      Between(o.project ? o.d_model : 0, 0, kMaxWidth, Param::kModelWidth),
      Between(o.project && o.crossed ? o.d_kv : 0, 0, kMaxWidth, Param::kModelWidth),
      MaskHeads(o.allow_heads, o.heads, Param::kAllow),
      MaskHeads(o.add_heads, o.heads, Param::kAdd),
  };
  for (const Status& check : checks) {
    if (!Ok(check)) return check;
  }
  if (o.project && !o.crossed && o.n_q != o.n_k) {
    return {ErrorCode::kMismatch, Param::kXKv, double(o.n_k), double(o.n_q)};
  }
  if (!std::isfinite(o.scale)) return {ErrorCode::kNotFinite, Param::kScale, o.scale, 0};
  if (!std::isfinite(o.temperature)) return {ErrorCode::kNotFinite, Param::kTemperature, o.temperature, 0};
  if (o.temperature < 0) return {ErrorCode::kNegative, Param::kTemperature, o.temperature, 0};
  return {};
}

float DefaultScale(int d_k) { return d_k == 0 ? 1.0f : static_cast<float>(1.0 / std::sqrt(double(d_k))); }

}  // namespace loom
