// e^x of a vector, for the kernels that need it.
#pragma once

#include "kernels/simd.h"

namespace loom::kernels {

// e^x = 2^n · e^r with n = round(x / ln 2) and |r| ≤ ln 2 / 2 (Cody and Waite, Software Manual for the Elementary
// Functions, 1980). For x ≤ 0: exactly 1 at 0, exactly 0 at −∞, NaN stays NaN. Within 2 units in the last place down to
// −87.3, below that subnormal or 0. Make one before the loop, so that the constants are loaded once.
class ExpOf {
 public:
  HWY_INLINE ExpOf() {
    const Floats d;
    // Read through a volatile: as literals inside the loop, V8 loads them anew in each turn, at a third of the speed
    // (measured).
    volatile float opaque = 1.0f;
    const float one = opaque;
    one_ = hn::Set(d, one);
    log2e_ = hn::Set(d, kLog2E * one);
    ln2_high_ = hn::Set(d, kLn2High * one);
    ln2_low_ = hn::Set(d, kLn2Low * one);
    q0_ = hn::Set(d, kQ0 * one);
    q1_ = hn::Set(d, kQ1 * one);
    q2_ = hn::Set(d, kQ2 * one);
    q3_ = hn::Set(d, kQ3 * one);
    q4_ = hn::Set(d, kQ4 * one);
    smallest_ = hn::Set(d, kSmallest * one);
    round_ = hn::Set(d, kRound * one);
  }

  HWY_INLINE Vector operator()(Vector x) const {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    const Vector bounded = hn::IfThenElse(hn::Lt(x, smallest_), smallest_, x);
    const Vector shifted = hn::Add(hn::Mul(bounded, log2e_), round_);
    const Vector n = hn::Sub(shifted, round_);
    Vector r = hn::Sub(bounded, hn::Mul(n, ln2_high_));
    r = hn::Sub(r, hn::Mul(n, ln2_low_));
    Vector q = hn::Add(hn::Mul(q4_, r), q3_);
    q = hn::Add(hn::Mul(q, r), q2_);
    q = hn::Add(hn::Mul(q, r), q1_);
    q = hn::Add(hn::Mul(q, r), q0_);
    const Vector e_r = hn::Add(hn::Add(r, hn::Mul(hn::Mul(r, r), q)), one_);
    // 2^n in two halves, as n reaches below the exponents of normal numbers; only the second product rounds.
    const auto bias = hn::Set(di, 127);
    const auto whole = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, round_));
    const auto half = hn::ShiftRight<1>(whole);
    const auto rest = hn::Sub(whole, half);
    const Vector two_half = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(half, bias)));
    const Vector two_rest = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(rest, bias)));
    const Vector result = hn::Mul(hn::Mul(e_r, two_half), two_rest);
    return hn::IfThenElse(hn::IsNaN(x), x, result);
  }

 private:
  // ln 2 in two parts, the first with few enough bits that n · kLn2High is exact.
  static constexpr float kLog2E = 1.44269504f;
  static constexpr float kLn2High = 0.693359375f;
  static constexpr float kLn2Low = -2.12194440e-4f;
  // e^r = 1 + (r + r²·q(r)); q is the minimax polynomial of degree 4 for the relative error of e^r on |r| ≤ 0.347,
  // found by Remez exchange in 50 digits: 3.1e-9 before the coefficients are rounded to float32.
  static constexpr float kQ0 = 0.4999999340389461f;
  static constexpr float kQ1 = 0.1666651997419115f;
  static constexpr float kQ2 = 0.04166839563776414f;
  static constexpr float kQ3 = 0.008368796633329229f;
  static constexpr float kQ4 = 0.0013814443108926056f;
  // From here down e^x rounds to 0 in float32.
  static constexpr float kSmallest = -104.0f;
  // 1.5 · 2^23: adding it leaves the integer nearest to a small number in the low bits.
  static constexpr float kRound = 12582912.0f;

  Vector one_, log2e_, ln2_high_, ln2_low_, q0_, q1_, q2_, q3_, q4_, smallest_, round_;
};

}  // namespace loom::kernels
