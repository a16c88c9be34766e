// The soft cap of a vector, for the kernels that need it.
#pragma once

#include "kernels/tanh-inl.h"

namespace loom::kernels {

// cap · tanh(x / cap); x itself where |x / cap| < 2^-13: there tanh differs by less than a tenth of a unit in the last
// place, and a large cap is none, bit for bit. Make one before the loop.
class SoftCap {
 public:
  HWY_INLINE explicit SoftCap(float cap) : cap_(hn::Set(Floats(), cap)), same_(hn::Set(Floats(), 0x1p-13f)) {}

  HWY_INLINE Vector operator()(Vector x) const {
    const Vector ratio = hn::Div(x, cap_);
    return hn::IfThenElse(hn::Lt(hn::Abs(ratio), same_), x, hn::Mul(cap_, tanh_(ratio)));
  }

 private:
  Tanh tanh_;
  Vector cap_, same_;
};

}  // namespace loom::kernels
