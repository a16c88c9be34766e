#include "bindings/texts.h"

#include <Eigen/Core>

#ifdef __EMSCRIPTEN__
#include <emscripten/version.h>
#endif

#include "hwy/base.h"
#include "matrix/error.h"
#include "trace/options.h"
#include "trace/stage.h"

#define LOOM_TEXT_(x) #x
#define LOOM_TEXT(x) LOOM_TEXT_(x)

#ifdef __EMSCRIPTEN__
#define LOOM_COMPILER \
  "emcc " LOOM_TEXT(__EMSCRIPTEN_MAJOR__) "." LOOM_TEXT(__EMSCRIPTEN_MINOR__) "." LOOM_TEXT(__EMSCRIPTEN_TINY__) ", "
#else
#define LOOM_COMPILER ""
#endif

namespace loom::bindings {
namespace {

#define LOOM_NAME(id, name) name "\0"
#define LOOM_OPTION_NAME(type, name, initial) #name "\0"
// One text instead of a table for each list: addresses of names hardly compress, the names alone do.
constexpr char kTexts[] = LOOM_STAGES(LOOM_NAME) "\0" LOOM_OPERATIONS(LOOM_NAME) "\0" LOOM_AXES(LOOM_NAME)
    "\0" LOOM_ERRORS(LOOM_NAME) "\0" LOOM_PARAMS(LOOM_NAME) "\0" LOOM_OPTIONS(LOOM_OPTION_NAME) "\0"
    // clang-format off
    LOOM_COMPILER "clang " __clang_version__ "\0"
    LOOM_COMPILE_FLAGS "\0"
    LOOM_LINK_FLAGS "\0"
    LOOM_TEXT(HWY_MAJOR) "." LOOM_TEXT(HWY_MINOR) "." LOOM_TEXT(HWY_PATCH) "\0"
    LOOM_TEXT(EIGEN_MAJOR_VERSION) "." LOOM_TEXT(EIGEN_MINOR_VERSION) "." LOOM_TEXT(EIGEN_PATCH_VERSION) "\0"
    LOOM_VERSION "\0"
    LOOM_SIMD "\0";
// clang-format on
#undef LOOM_NAME
#undef LOOM_OPTION_NAME

}  // namespace

const char* Texts() { return kTexts; }

}  // namespace loom::bindings
