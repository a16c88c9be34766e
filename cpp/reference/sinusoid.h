#pragma once

#include <cmath>

#include "reference/matrices.h"

namespace loom::reference {

// out(pos, 2k) = sin(pos / base^(2k/d)), out(pos, 2k + 1) = cos(pos / base^(2k/d)) (Vaswani et al. 2017, §3.5).
template <class S>
void Sinusoid(S first_position, S base, Out<S> out) {
  for (Eigen::Index r = 0; r < out.rows(); ++r) {
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      const S angle = (first_position + S(r)) / std::pow(base, S(j - j % 2) / S(out.cols()));
      out(r, j) = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
}

}  // namespace loom::reference
