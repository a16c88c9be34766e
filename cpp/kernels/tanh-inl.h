// tanh of a vector, for the kernels that need it.
#pragma once

#include "kernels/exp-inl.h"

namespace loom::kernels {

// tanh x, within 2 units in the last place everywhere: |x| < 0.625 by an odd polynomial, so that small numbers keep
// their digits, above by e^(−2|x|) (Cody and Waite, Software Manual for the Elementary Functions, 1980). Exactly ±1
// from about 9 on and at ±∞, −0 at −0, NaN stays NaN. Make one before the loop, so that the constants are loaded once.
class Tanh {
 public:
  HWY_INLINE Tanh() {
    const Floats d;
    volatile float opaque = 1.0f;  // as in ExpOf
    const float one = opaque;
    one_ = hn::Set(d, one);
    minus_two_ = hn::Set(d, -2.0f * one);
    small_ = hn::Set(d, kSmall * one);
    p0_ = hn::Set(d, kP0 * one);
    p1_ = hn::Set(d, kP1 * one);
    p2_ = hn::Set(d, kP2 * one);
    p3_ = hn::Set(d, kP3 * one);
    p4_ = hn::Set(d, kP4 * one);
  }

  HWY_INLINE Vector operator()(Vector x) const {
    const Vector size = hn::Abs(x);
    const Vector square = hn::Mul(size, size);
    Vector p = hn::Add(hn::Mul(p4_, square), p3_);
    p = hn::Add(hn::Mul(p, square), p2_);
    p = hn::Add(hn::Mul(p, square), p1_);
    p = hn::Add(hn::Mul(p, square), p0_);
    const Vector near = hn::Add(size, hn::Mul(size, hn::Mul(square, p)));
    const Vector e = e_to_(hn::Mul(size, minus_two_));
    const Vector far = hn::Div(hn::Sub(one_, e), hn::Add(one_, e));
    return hn::CopySign(hn::IfThenElse(hn::Lt(size, small_), near, far), x);
  }

 private:
  static constexpr float kSmall = 0.625f;
  // tanh x = x + x³·p(x²); p is the minimax polynomial of degree 4 for the relative error of tanh on |x| ≤ 0.625, found
  // by Remez exchange in 40 digits: 4.4e-9 before the coefficients are rounded to float32.
  static constexpr float kP0 = -0.33333281942095294f;
  static constexpr float kP1 = 0.1333144219996122f;
  static constexpr float kP2 = -0.053739715188794007f;
  static constexpr float kP3 = 0.020639087469314237f;
  static constexpr float kP4 = -0.005704987157463932f;

  ExpOf e_to_;
  Vector one_, minus_two_, small_, p0_, p1_, p2_, p3_, p4_;
};

}  // namespace loom::kernels
