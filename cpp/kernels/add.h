#pragma once

#include "matrix/view.h"

namespace loom::kernels {

// out = a + b, cell by cell. Same shape; `out` may be `a` or `b`.
void Add(const ConstView& a, const ConstView& b, const MutableView& out);

// out[i, j] = a[i, j] + row[j]: a bias. `row` has as many numbers as `a` has columns; `out` may be `a`.
void AddRow(const ConstView& a, const float* row, const MutableView& out);

}  // namespace loom::kernels
