#include "kernels/add.h"

#include "kernels/each.h"

namespace loom::kernels {

void Add(const ConstView& a, const ConstView& b, const MutableView& out) {
  for (std::size_t i = 0; i < a.rows; ++i) {
    const float* other = b.row(i);
    EachInRow(a.row(i), out.row(i), a.cols,
              [&](Vector x, std::size_t j, std::size_t count) { return hn::Add(x, LoadCells(other + j, count)); });
  }
}

// The row lies behind itself, without end.
void AddRow(const ConstView& a, const float* row, const MutableView& out) {
  Add(a, ConstView(row, a.rows, a.cols, 0), out);
}

}  // namespace loom::kernels
