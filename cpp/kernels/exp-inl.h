// e^x of a vector, for the kernels that need it.
#pragma once

#include <cstdint>

#include "kernels/simd.h"

namespace loom::kernels {

// e^x for x ≤ 88.72283: exactly 1 at 0, exactly 0 at −∞, NaN stays NaN. Within 2 units in the last place down to
// −87.33654, 0 below. Make one before the loop, so that the constants are loaded once.
//
// e^x = 2^n · e^r with n = round(x / ln 2) and |r| ≤ ln 2 / 2 (Cody and Waite, Software Manual for the Elementary
// Functions, 1980). ln 2 in two parts, the first with few enough bits that n · ln2_high is exact.
// e^r = 1 + (r + r²·q(r)); q is the minimax polynomial of degree 4 for the relative error of e^r on |r| ≤ 0.347, found
// by Remez exchange in 50 digits: 3.1e-9 before the coefficients are rounded to float32.
class ExpOf {
 public:
  HWY_INLINE ExpOf() : ExpOf(One()) {}

  HWY_INLINE Vector operator()(Vector x) const {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    // The whole number nearest to x / ln 2 is now in the low bits.
    const auto shifted = AddProduct(round_, x, log2e_);
    const auto n = hn::Sub(shifted, round_);
    const auto r = SubProduct(SubProduct(x, n, ln2_high_), n, ln2_low_);
    auto q = AddProduct(q3_, q4_, r);
    q = AddProduct(q2_, q, r);
    q = AddProduct(q1_, q, r);
    q = AddProduct(q0_, q, r);
    const auto e_r = hn::Add(AddProduct(r, hn::Mul(r, r), q), one_);
    // What is too small, −∞ and whatever came of it included, becomes 0. The smallest results are the smallest normal
    // numbers: subnormal ones would make all that follows slow (measured: ten times).
    const auto scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, e_r), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
    return hn::IfThenZeroElse(hn::Lt(x, smallest_), scaled);
  }

 private:
  // All constants times one, read through a volatile: as literals inside the loop, V8 loads them anew in each turn, at
  // a third of the speed (measured).
  static HWY_INLINE float One() {
    volatile float one = 1.0f;
    return one;
  }
  HWY_INLINE explicit ExpOf(float one)
      : log2e_(hn::Set(Floats(), 1.44269504f * one)),
        ln2_high_(hn::Set(Floats(), 0.693359375f * one)),
        ln2_low_(hn::Set(Floats(), -2.12194440e-4f * one)),
        q0_(hn::Set(Floats(), 0.4999999340389461f * one)),
        q1_(hn::Set(Floats(), 0.1666651997419115f * one)),
        q2_(hn::Set(Floats(), 0.04166839563776414f * one)),
        q3_(hn::Set(Floats(), 0.008368796633329229f * one)),
        q4_(hn::Set(Floats(), 0.0013814443108926056f * one)),
        one_(hn::Set(Floats(), one)),
        smallest_(hn::Set(Floats(), -87.33654f * one)),
        round_(hn::Set(Floats(), 12582912.0f * one)) {}  // adding 1.5 · 2^23 rounds to a whole number

  Vector log2e_, ln2_high_, ln2_low_, q0_, q1_, q2_, q3_, q4_, one_, smallest_, round_;
};

}  // namespace loom::kernels
