#include "kernels/target.h"

#include "hwy/base.h"
#include "kernels/simd.h"

namespace loom::kernels {

const char* TargetName() { return hwy::TargetName(HWY_TARGET); }

}  // namespace loom::kernels
