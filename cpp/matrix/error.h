// Errors are values: no exception leaves or crosses the core.
#pragma once

#include <cassert>
#include <utility>

namespace loom {

// What went wrong. The texts are the facade's; the core names code, place and numbers only.
enum class ErrorCode {
  kNone = 0,
  kNegative,   // a size below 0
  kTooSmall,   // `value` is below the smallest allowed, `bound`
  kTooLarge,   // `value` is above the limit `bound`
  kNotFinite,  // NaN, or an infinity where none is allowed; `value` is the flat index in the input
  kMismatch,   // two sizes that have to be equal: `value` and `bound`
  kNoMemory,   // an allocation of `value` bytes was refused
  kNoCell,     // a stage, or a cell of it, that does not exist
  kNotReady,   // a call that needs an earlier one first
};

// The parameter an error is about, under the name that the public API gives it.
enum class Param {
  kNone = 0,
  kX,
  kXKv,
  kWQ,
  kWK,
  kWV,
  kQ,
  kK,
  kV,
  kAllow,
  kAdd,
  kHeads,
  kScale,
  kTemperature,
  kQueries,
  kKeys,
  kModelWidth,
  kTotalBytes,
  kData,
  kIndex,
};

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
  Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): returns read naturally
  Result(Error error) : error_(error) {}         // NOLINT(google-explicit-constructor)

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
