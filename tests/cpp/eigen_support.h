// The twin's matrices from the kernels' views and back.
#pragma once

#include "reference/matrices.h"
#include "support.h"

namespace loom::test {

template <class S>
reference::Matrix<S> MatrixOf(ConstView view) {
  reference::Matrix<S> matrix(Eigen::Index(view.rows), Eigen::Index(view.cols));
  for (std::size_t i = 0; i < view.rows; ++i) {
    for (std::size_t j = 0; j < view.cols; ++j) matrix(Eigen::Index(i), Eigen::Index(j)) = S(view(i, j));
  }
  return matrix;
}

template <class S>
reference::Matrix<S> ZeroMatrix(std::size_t rows, std::size_t cols) {
  return reference::Matrix<S>::Zero(Eigen::Index(rows), Eigen::Index(cols));
}

// A view [1, n] as a column.
template <class S>
reference::Column<S> ColumnOf(ConstView row) {
  return MatrixOf<S>(row).transpose();
}

template <class S>
View<const S> ViewOf(const reference::Matrix<S>& matrix) {
  return View<const S>(matrix.data(), std::size_t(matrix.rows()), std::size_t(matrix.cols()));
}

template <class S>
View<const S> ViewOf(const reference::Column<S>& column) {
  return View<const S>(column.data(), 1, std::size_t(column.size()));
}

}  // namespace loom::test
