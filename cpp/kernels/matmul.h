// The product of two matrices: the projections, Q·Kᵀ and weights·V are all this.
#pragma once

#include <cstddef>

#include "matrix/view.h"

namespace loom::kernels {

// Columns in one panel of the right factor: two vectors.
std::size_t PanelWidth();

// The right factor [k, cols], row by row or in panels of PanelWidth() columns. Owns nothing.
struct RightFactor {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t row_stride = 0;    // elements from one k to the next, inside a panel
  std::size_t panel_stride = 0;  // elements from one panel to the next

  // `b` as it lies.
  static RightFactor Of(const ConstView& b);
};

// Floats that PackTransposed needs for keys [n, d].
std::size_t PackedSize(std::size_t n, std::size_t d);

// Writes keysᵀ in panels to `packed` (PackedSize floats): keys [n, d] become the right factor [d, n].
RightFactor PackTransposed(const ConstView& keys, float* packed);

// out[i, j] = Σ_k left[i, k] · right[k, j], for left [rows, k], right [k, cols], out [rows, cols].
// Every sum starts at +0 and runs with k ascending, each product rounded before it is added: the bits of the plain
// loop. `out` overlaps neither factor.
void Matmul(const ConstView& left, const RightFactor& right, const MutableView& out);

}  // namespace loom::kernels
