// Names that both sides use, written once, in C++.
#pragma once

namespace loom::bindings {

// Kinds of text: what `id` counts.
enum class TextKind {
  kStage = 0,      // Stage
  kOperation = 1,  // Operation
  kAxis = 2,       // Axis
  kError = 3,      // ErrorCode
  kParam = 4,      // Param
  kOption = 5,     // the options in the order of LOOM_OPTIONS, as they are written there
  kBuild = 6,  // target, compiler, compile flags, link flags, Highway's version, Eigen's version, the core's version
};

// ASCII, ends with NUL, lives as long as the program. Empty where `id` is behind the last: that ends a list.
const char* Text(int kind, int id);

}  // namespace loom::bindings
