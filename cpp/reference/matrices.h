// The twin: attention as the formulas say it, with Eigen, in float or double. The oracle of the tests and the text to
// read first. No file here knows a kernel, a trace or a page; `out` is always reserved by the caller.
#pragma once

#include <Eigen/Core>

namespace loom::reference {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class S>
using Column = Eigen::Matrix<S, Eigen::Dynamic, 1>;

// Arguments. Rows are tokens; a head is a block of columns, hence the stride. They refer to memory that is there:
// unlike Eigen::Ref they never copy, and the code for copies is not compiled in.
template <class Map>
struct MatrixArgument : Map {
  using Map::operator=;
  template <class M>
  MatrixArgument(M&& matrix)  // NOLINT(google-explicit-constructor): a matrix is an argument
      : Map(matrix.data(), matrix.rows(), matrix.cols(), Eigen::OuterStride<>(matrix.outerStride())) {}
};
template <class Map>
struct ColumnArgument : Map {
  using Map::operator=;
  template <class M>
  ColumnArgument(M&& column)  // NOLINT(google-explicit-constructor): a column is an argument
      : Map(column.data(), column.size()) {}
};

template <class S>
using In = MatrixArgument<Eigen::Map<const Matrix<S>, 0, Eigen::OuterStride<>>>;
template <class S>
using Out = MatrixArgument<Eigen::Map<Matrix<S>, 0, Eigen::OuterStride<>>>;
template <class S>
using ColumnIn = ColumnArgument<Eigen::Map<const Column<S>>>;
template <class S>
using ColumnOut = ColumnArgument<Eigen::Map<Column<S>>>;

}  // namespace loom::reference
