#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out = in · factor; the factor is 1/√d_k, which keeps the spread of the scores the same for every width (Vaswani et
// al. 2017, §3.2.1).
template <class S>
void Scale(const In<S>& in, S factor, Out<S> out) {
  out = in * factor;
}

}  // namespace loom::reference
