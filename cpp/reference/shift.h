#pragma once

#include <cmath>
#include <limits>

#include "reference/matrices.h"

namespace loom::reference {

// out_ij = (in_ij − rowmax_i) / τ: the largest becomes 0, so that exp cannot overflow. Where the row has nothing to
// see, −∞ by rule. τ = 0 is the limit: 0 at the maximum, −∞ elsewhere.
template <class S>
void Shift(const In<S>& in, const ColumnIn<S>& rowmax, S temperature, Out<S> out) {
  constexpr S kBlocked = -std::numeric_limits<S>::infinity();
  for (Eigen::Index i = 0; i < in.rows(); ++i) {
    for (Eigen::Index j = 0; j < in.cols(); ++j) {
      const S below = in(i, j) - rowmax(i);
      if (std::isnan(in(i, j))) {
        out(i, j) = in(i, j);
      } else if (rowmax(i) == kBlocked) {
        out(i, j) = kBlocked;
      } else if (temperature == 0) {
        out(i, j) = below == 0 ? S(0) : kBlocked;
      } else {
        out(i, j) = below / temperature;
      }
    }
  }
}

}  // namespace loom::reference
