// Highway, one target per build (static dispatch). Included by kernels only.
#pragma once

#include "hwy/highway.h"

namespace hn = hwy::HWY_NAMESPACE;

namespace loom::kernels {

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

// The first `count` < Lanes floats of a vector, the others 0; nothing behind them is read. Not inlined: Highway's LoadN
// and StoreN, inlined into every kernel, were a third of the wasm file (measured).
Vector LoadPart(const float* from, std::size_t count);
// Writes the first `count` < Lanes floats only.
void StorePart(Vector vector, float* to, std::size_t count);

// a · b + c, cell by cell: multiplied, then added, each rounded. In the relaxed wasm build one instruction, which
// rounds once or twice, as the machine likes. (Highway's own MulAdd is two instructions on wasm.)
HWY_INLINE Vector MultiplyAdd(Vector a, Vector b, Vector c) {
#ifdef LOOM_RELAXED
  return Vector{__builtin_wasm_relaxed_madd_f32x4(a.raw, b.raw, c.raw)};
#else
  return hn::Add(hn::Mul(a, b), c);
#endif
}

}  // namespace loom::kernels
