#pragma once

#include "reference/rowsum.h"

namespace loom::reference {

// out_i = (Σ_j in_ij) / d, 0 for an empty row.
template <class S>
void RowMean(const In<S>& in, ColumnOut<S> out) {
  RowSum<S>(in, out);
  if (in.cols() > 0) out /= S(in.cols());
}

}  // namespace loom::reference
