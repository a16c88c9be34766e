#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out = in · Φ(in), cell by cell, where Φ(x) = (1 + erf(x/√2)) / 2 is the share of a normal distribution below x. Off
// by no more than 2e-7·(1 + |x|); negative numbers keep their digits down to −13 and are −0 from −15 on, also −∞. NaN
// stays NaN. Same shape; `out` may be `in`.
void Gelu(const ConstView& in, const MutableView& out);

// out = in · (1 + tanh(√(2/π)·(in + 0.044715·in³))) / 2, cell by cell: the approximation that many models are trained
// with. Accuracy and limits as for Gelu.
void GeluTanh(const ConstView& in, const MutableView& out);

}  // namespace loom::kernels
