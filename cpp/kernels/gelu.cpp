#include "kernels/gelu.h"

#include "kernels/each.h"
#include "kernels/exp-inl.h"

namespace loom::kernels {
namespace {

// Below, the result rounds to −0 in float32. Also keeps −∞ · 0 away.
constexpr float kLowest = -15.0f;

}  // namespace

// Φ(−a) = e^(−a²/2) · t · p(t) with t = 1 / (1 + 0.233·a), a ≥ 0, the form of Hastings (Abramowitz and Stegun, 7.1.26);
// p is the minimax polynomial of degree 7 for the relative error on 0 ≤ a ≤ 13.5, found by Remez exchange in 40 digits:
// 8.3e-8. Positive numbers take Φ(a) = 1 − Φ(−a).
void Gelu(const ConstView& in, const MutableView& out) {
  const Floats d;
  const ExpOf e_to;
  volatile float opaque = 1.0f;  // as in ExpOf
  const float one_value = opaque;
  const auto one = hn::Set(d, one_value);
  const auto minus_half = hn::Set(d, -0.5f * one_value);
  const auto lowest = hn::Set(d, kLowest * one_value);
  const auto slope = hn::Set(d, 0.233f * one_value);
  const auto p0 = hn::Set(d, 0.093051425188604903f * one_value);
  const auto p1 = hn::Set(d, 0.091184137461015495f * one_value);
  const auto p2 = hn::Set(d, 0.10148878341132583f * one_value);
  const auto p3 = hn::Set(d, 0.020122131631385595f * one_value);
  const auto p4 = hn::Set(d, 0.21113944185795229f * one_value);
  const auto p5 = hn::Set(d, -0.18364479147410067f * one_value);
  const auto p6 = hn::Set(d, 0.2352809707522168f * one_value);
  const auto p7 = hn::Set(d, -0.068622114093797376f * one_value);
  const auto gelu = [&](Vector in_cell, std::size_t, std::size_t) {
    const Vector x = hn::IfThenElse(hn::Lt(in_cell, lowest), lowest, in_cell);
    const Vector t = hn::Div(one, hn::Add(one, hn::Mul(slope, hn::Abs(x))));
    Vector p = hn::Add(hn::Mul(p7, t), p6);
    p = hn::Add(hn::Mul(p, t), p5);
    p = hn::Add(hn::Mul(p, t), p4);
    p = hn::Add(hn::Mul(p, t), p3);
    p = hn::Add(hn::Mul(p, t), p2);
    p = hn::Add(hn::Mul(p, t), p1);
    p = hn::Add(hn::Mul(p, t), p0);
    const Vector tail = hn::Mul(e_to(hn::Mul(hn::Mul(x, x), minus_half)), hn::Mul(t, p));
    return hn::Mul(x, hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail)));
  };
  for (std::size_t i = 0; i < in.rows; ++i) EachInRow(in.row(i), out.row(i), in.cols, gelu);
}

// (1 + tanh u) / 2 = 1 / (1 + e^(−2u)): without the difference that costs negative numbers their digits.
void GeluTanh(const ConstView& in, const MutableView& out) {
  const Floats d;
  const ExpOf e_to;
  volatile float opaque = 1.0f;  // as in ExpOf
  const float one_value = opaque;
  const auto one = hn::Set(d, one_value);
  const auto lowest = hn::Set(d, kLowest * one_value);
  // 2·√(2/π), and 0.044715 times it.
  const auto linear = hn::Set(d, 1.5957691216057308f * one_value);
  const auto cubic = hn::Set(d, 0.071354816272600247f * one_value);
  const auto gelu = [&](Vector in_cell, std::size_t, std::size_t) {
    const Vector x = hn::IfThenElse(hn::Lt(in_cell, lowest), lowest, in_cell);
    const Vector twice_u = hn::Mul(hn::Abs(x), hn::Add(linear, hn::Mul(cubic, hn::Mul(x, x))));
    const Vector e = e_to(hn::Neg(twice_u));
    return hn::Mul(x, hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e)));
  };
  for (std::size_t i = 0; i < in.rows; ++i) EachInRow(in.row(i), out.row(i), in.cols, gelu);
}

}  // namespace loom::kernels
