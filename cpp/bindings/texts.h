// Names that both sides use, written once, in C++.
#pragma once

namespace loom::bindings {

// Lists of names, one after the other: stages, operations, axes, errors, parameters and options in the order of their
// numbers; then versions and flags of the build: compiler, compile flags, link flags, Highway's version, Eigen's, the
// core's, and which build it is. ASCII; each name ends with NUL, each list with an empty name. Lives as long as the
// program.
const char* Texts();

}  // namespace loom::bindings
