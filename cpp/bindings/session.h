// The one attention that JavaScript works on. No arithmetic.
#pragma once

#include <cstdint>

#include "matrix/buffer.h"
#include "trace/attention.h"
#include "trace/origin.h"
#include "trace/twin.h"

namespace loom::bindings {

// Small attentions live in a fixed workspace, so that a tutorial's everyday call reserves nothing.
inline constexpr std::size_t kWorkspaceBytes = 32 * 1024;

#define LOOM_COUNT(type, name, initial) +1
#define LOOM_DEFAULT(type, name, initial) static_cast<double>(initial),
inline constexpr std::size_t kOptionCount = LOOM_OPTIONS(LOOM_COUNT);

struct Session {
  Plan plan;
  Attention attention;
  Twin twin;
  Buffer answer;  // an origin or feeds, as numbers
  Buffer data;    // what softmax, norms and the like work on
  Error error;    // of the last call that failed
  double options[kOptionCount] = {LOOM_OPTIONS(LOOM_DEFAULT)};
  alignas(64) unsigned char workspace[kWorkspaceBytes];
};

#undef LOOM_COUNT
#undef LOOM_DEFAULT

Session& TheSession();

}  // namespace loom::bindings
