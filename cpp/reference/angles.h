#pragma once

#include <cmath>

#include "reference/matrices.h"

namespace loom::reference {

// cosines_rp and sines_rp of position_r · base^(−2p/w), w = 2 · columns (Su et al., RoFormer, 2021, §3.2.2 and eq. 15).
template <class S>
void Angles(const ColumnIn<S>& positions, S base, Out<S> cosines, Out<S> sines) {
  for (Eigen::Index p = 0; p < cosines.cols(); ++p) {
    const S frequency = S(1) / std::pow(base, S(p) / S(cosines.cols()));
    cosines.col(p) = (positions * frequency).array().cos();
    sines.col(p) = (positions * frequency).array().sin();
  }
}

}  // namespace loom::reference
