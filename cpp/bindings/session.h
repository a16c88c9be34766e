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

struct Session {
  Plan plan;
  Attention attention;
  Twin twin;
  Origin origin;
  Feeds feeds;
  Buffer data;  // what softmax works on
  Error error;  // of the last call that failed
  alignas(64) unsigned char workspace[kWorkspaceBytes];
};

Session& TheSession();

}  // namespace loom::bindings
