#include "bindings/texts.h"

#include <Eigen/Core>

#ifdef __EMSCRIPTEN__
#include <emscripten/version.h>
#endif

#include "kernels/target.h"
#include "matrix/error.h"
#include "trace/options.h"
#include "trace/stage.h"

#define LOOM_TEXT_(x) #x
#define LOOM_TEXT(x) LOOM_TEXT_(x)

namespace loom::bindings {
namespace {

#define LOOM_NAME(id, name) name,
#define LOOM_OPTION_NAME(type, name, initial) #name,
constexpr const char* kErrors[] = {LOOM_ERRORS(LOOM_NAME)};
constexpr const char* kParams[] = {LOOM_PARAMS(LOOM_NAME)};
constexpr const char* kOptions[] = {LOOM_OPTIONS(LOOM_OPTION_NAME)};
#undef LOOM_NAME
#undef LOOM_OPTION_NAME

template <std::size_t N>
const char* At(const char* const (&names)[N], int id) {
  return static_cast<std::size_t>(id) < N ? names[id] : "";
}

const char* BuildText(int id) {
  switch (id) {
    case 0:
      return kernels::TargetName();
    case 1:
#ifdef __EMSCRIPTEN__
      return "emcc " LOOM_TEXT(__EMSCRIPTEN_MAJOR__) "." LOOM_TEXT(__EMSCRIPTEN_MINOR__) "." LOOM_TEXT(
          __EMSCRIPTEN_TINY__) ", clang " __clang_version__;
#else
      return "clang " __clang_version__;
#endif
    case 2:
      return LOOM_COMPILE_FLAGS;
    case 3:
      return LOOM_LINK_FLAGS;
    case 4:
      return kernels::HighwayVersion();
    case 5:
      return LOOM_TEXT(EIGEN_MAJOR_VERSION) "." LOOM_TEXT(EIGEN_MINOR_VERSION) "." LOOM_TEXT(EIGEN_PATCH_VERSION);
    case 6:
      return LOOM_VERSION;
    case 7:
      return LOOM_SIMD;
    default:
      return "";
  }
}

}  // namespace

const char* Text(int kind, int id) {
  if (id < 0) return "";
  switch (static_cast<TextKind>(kind)) {
    case TextKind::kStage:
      return StageName(static_cast<Stage>(id));
    case TextKind::kOperation:
      return OperationName(static_cast<Operation>(id));
    case TextKind::kAxis:
      return AxisName(static_cast<Axis>(id));
    case TextKind::kError:
      return At(kErrors, id);
    case TextKind::kParam:
      return At(kParams, id);
    case TextKind::kOption:
      return At(kOptions, id);
    case TextKind::kBuild:
      return BuildText(id);
  }
  return "";
}

}  // namespace loom::bindings
