#include "bindings/texts.h"

#include <Eigen/Core>

#ifdef __EMSCRIPTEN__
#include <emscripten/version.h>
#endif

#include "kernels/target.h"
#include "matrix/error.h"
#include "trace/stage.h"

#define LOOM_TEXT_(x) #x
#define LOOM_TEXT(x) LOOM_TEXT_(x)

namespace loom::bindings {
namespace {

const char* ErrorName(int id) {
  switch (static_cast<ErrorCode>(id)) {
    case ErrorCode::kNone:
      return "none";
    case ErrorCode::kNegative:
      return "negative";
    case ErrorCode::kTooSmall:
      return "tooSmall";
    case ErrorCode::kTooLarge:
      return "tooLarge";
    case ErrorCode::kNotFinite:
      return "notFinite";
    case ErrorCode::kMismatch:
      return "mismatch";
    case ErrorCode::kNoMemory:
      return "noMemory";
    case ErrorCode::kNoCell:
      return "noCell";
    case ErrorCode::kNotReady:
      return "notReady";
  }
  return "";
}

const char* ParamName(int id) {
  switch (static_cast<Param>(id)) {
    case Param::kNone:
      return "none";
    case Param::kX:
      return "x";
    case Param::kXKv:
      return "xKv";
    case Param::kWQ:
      return "wQ";
    case Param::kWK:
      return "wK";
    case Param::kWV:
      return "wV";
    case Param::kQ:
      return "q";
    case Param::kK:
      return "k";
    case Param::kV:
      return "v";
    case Param::kAllow:
      return "allow";
    case Param::kAdd:
      return "add";
    case Param::kHeads:
      return "heads";
    case Param::kScale:
      return "scale";
    case Param::kTemperature:
      return "temperature";
    case Param::kQueries:
      return "queries";
    case Param::kKeys:
      return "keys";
    case Param::kModelWidth:
      return "modelWidth";
    case Param::kTotalBytes:
      return "totalBytes";
    case Param::kData:
      return "data";
    case Param::kIndex:
      return "index";
  }
  return "";
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
      return ErrorName(id);
    case TextKind::kParam:
      return ParamName(id);
    case TextKind::kBuild:
      return BuildText(id);
  }
  return "";
}

}  // namespace loom::bindings
