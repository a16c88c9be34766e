// Highway, one target per build (static dispatch). Included by kernels only.
#pragma once

#include <cstddef>

#include "hwy/highway.h"

#if defined(LOOM_RELAXED) && !defined(__wasm_relaxed_simd__)
#error "LOOM_RELAXED needs -mrelaxed-simd"
#endif

namespace hn = hwy::HWY_NAMESPACE;

namespace loom::kernels {

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

// sum + a · b and sum − a · b: the product rounded, then the sum. With LOOM_RELAXED one rounding where the machine can
// do it (Highway has no name for it in wasm): faster, and other digits.
inline Vector AddProduct(Vector sum, Vector a, Vector b) {
#if defined(LOOM_RELAXED)
  return Vector{__builtin_wasm_relaxed_madd_f32x4(a.raw, b.raw, sum.raw)};
#else
  return hn::Add(sum, hn::Mul(a, b));
#endif
}
inline Vector SubProduct(Vector sum, Vector a, Vector b) {
#if defined(LOOM_RELAXED)
  return Vector{__builtin_wasm_relaxed_nmadd_f32x4(a.raw, b.raw, sum.raw)};
#else
  return hn::Sub(sum, hn::Mul(a, b));
#endif
}

// a < b ? b : a, so that a NaN in `a` stays and one in `b` is passed over. In wasm one instruction that Highway has no
// name for.
inline Vector LargerOf(Vector a, Vector b) {
#if HWY_TARGET == HWY_WASM
  return Vector{wasm_f32x4_pmax(a.raw, b.raw)};
#else
  return hn::IfThenElse(hn::Lt(a, b), b, a);
#endif
}

// The first `count` < Lanes floats of a vector, the others 0; nothing behind them is read. Not inlined: Highway's LoadN
// and StoreN, inlined into every kernel, were a third of the wasm file (measured).
Vector LoadPart(const float* from, std::size_t count);
// Writes the first `count` < Lanes floats only.
void StorePart(Vector vector, float* to, std::size_t count);

}  // namespace loom::kernels
