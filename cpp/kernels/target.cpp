#include "kernels/target.h"

#include "hwy/base.h"
#include "kernels/simd.h"

#define LOOM_TEXT_(x) #x
#define LOOM_TEXT(x) LOOM_TEXT_(x)

namespace loom::kernels {

const char* TargetName() { return hwy::TargetName(HWY_TARGET); }

const char* HighwayVersion() { return LOOM_TEXT(HWY_MAJOR) "." LOOM_TEXT(HWY_MINOR) "." LOOM_TEXT(HWY_PATCH); }

}  // namespace loom::kernels
