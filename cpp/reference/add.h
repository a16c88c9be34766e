#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out = a + b: the way around a layer (He et al., Deep Residual Learning for Image Recognition, 2016, eq. 1).
template <class S>
void Add(const In<S>& a, const In<S>& b, Out<S> out) {
  out = a + b;
}

// out_ij = a_ij + row_j: the bias of a linear map.
template <class S>
void AddRow(const In<S>& a, const ColumnIn<S>& row, Out<S> out) {
  out = a.rowwise() + row.transpose();
}

}  // namespace loom::reference
