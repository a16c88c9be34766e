#include "kernels/simd.h"

namespace loom::kernels {

HWY_NOINLINE Vector LoadPart(const float* from, std::size_t count) { return hn::LoadN(Floats(), from, count); }

HWY_NOINLINE void StorePart(Vector vector, float* to, std::size_t count) { hn::StoreN(vector, Floats(), to, count); }

}  // namespace loom::kernels
