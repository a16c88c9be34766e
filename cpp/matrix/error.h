// Errors are values: no exception leaves or crosses the core.
#pragma once

#include <cassert>
#include <utility>

namespace loom {

// Each code and each parameter once: X(enumerator, public name).
// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define LOOM_ERRORS(X)                                                                                          \
  X(kNone, "none")                                                                                              \
  X(kNegative, "negative")     /* a size below 0 */                                                             \
  X(kTooSmall, "tooSmall")     /* `value` is below the smallest allowed, `bound` */                             \
  X(kTooLarge, "tooLarge")     /* `value` is above the limit `bound` */                                         \
  X(kNotFinite, "notFinite")   /* NaN, or an infinity where none is allowed; `value`: its place in the input */ \
  X(kMismatch, "mismatch")     /* two sizes that have to fit each other: `value` and `bound` */                 \
  X(kNoMemory, "noMemory")     /* an allocation of `value` bytes was refused */                                 \
  X(kNoCell, "noCell")         /* a stage, or a cell of it, that does not exist */                              \
  X(kNotReady, "notReady")     /* a call that needs an earlier one first */                                     \
  X(kNotAllowed, "notAllowed") /* an option that does not go with another one */

#define LOOM_PARAMS(X)           \
  X(kNone, "none")               \
  X(kX, "x")                     \
  X(kXKv, "xKv")                 \
  X(kWQ, "wQ")                   \
  X(kWK, "wK")                   \
  X(kWV, "wV")                   \
  X(kQ, "q")                     \
  X(kK, "k")                     \
  X(kV, "v")                     \
  X(kWO, "wO")                   \
  X(kAllow, "allow")             \
  X(kAdd, "add")                 \
  X(kBatch, "batch")             \
  X(kHeads, "heads")             \
  X(kKvHeads, "kvHeads")         \
  X(kScale, "scale")             \
  X(kSoftCap, "softCap")         \
  X(kTemperature, "temperature") \
  X(kQueries, "queries")         \
  X(kKeys, "keys")               \
  X(kKeyCounts, "keyCounts")     \
  X(kWindow, "window")           \
  X(kBlocks, "blocks")           \
  X(kRandom, "random")           \
  X(kRotary, "rotary")           \
  X(kNorm, "norm")               \
  X(kResidual, "residual")       \
  X(kFfn, "ffn")                 \
  X(kModelWidth, "modelWidth")   \
  X(kTotalBytes, "totalBytes")   \
  X(kData, "data")               \
  X(kIndex, "index")             \
  X(kStage, "stage") /* an input of the stage whose number is `bound` */
// NOLINTEND(cppcoreguidelines-macro-usage)

#define LOOM_ENUMERATOR(id, name) id,
// What went wrong. The texts are the facade's; the core names code, place and numbers only.
enum class ErrorCode { LOOM_ERRORS(LOOM_ENUMERATOR) kCount };
// The parameter an error is about, under the name that the public API gives it.
enum class Param { LOOM_PARAMS(LOOM_ENUMERATOR) kCount };
#undef LOOM_ENUMERATOR

struct Error {
  ErrorCode code = ErrorCode::kNone;
  Param param = Param::kNone;
  double value = 0;
  double bound = 0;
};

// A value or an error; never both. Ask `ok()` first.
template <class T>
class Result {
 public:
  Result(T&& value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): returns read naturally
  Result(const Error& error) : error_(error) {}    // NOLINT(google-explicit-constructor)

  bool ok() const { return error_.code == ErrorCode::kNone; }
  const Error& error() const { return error_; }
  T& value() {
    assert(ok());
    return value_;
  }
  const T& value() const {
    assert(ok());
    return value_;
  }

 private:
  T value_{};
  Error error_{};
};

// Success or an error.
using Status = Error;
inline bool Ok(const Status& status) { return status.code == ErrorCode::kNone; }

}  // namespace loom
