// What the core takes on. Beyond: refused before anything is reserved.
#pragma once

#include <cstddef>

namespace loom {

inline constexpr int kMaxTokens = 8192;
inline constexpr int kMaxHeads = 64;
inline constexpr int kMaxWidth = 1024;                            // d_model, and the columns of one head
inline constexpr int kMaxFeedForward = 4 * kMaxWidth;             // d_ff
inline constexpr std::size_t kMaxBytes = std::size_t{192} << 20;  // inputs + outputs + trace

}  // namespace loom
