// The twin: attention as the formulas say it, with Eigen, in float or double. The oracle of the tests and the text to
// read first. No file here knows a kernel, a trace or a page; `out` is always reserved by the caller.
#pragma once

#include <Eigen/Core>

namespace loom::reference {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class S>
using Column = Eigen::Matrix<S, Eigen::Dynamic, 1>;

// Rows are tokens; a head is a block of columns, hence the stride.
template <class S>
using In = Eigen::Ref<const Matrix<S>, 0, Eigen::OuterStride<>>;
template <class S>
using Out = Eigen::Ref<Matrix<S>, 0, Eigen::OuterStride<>>;
template <class S>
using ColumnIn = Eigen::Ref<const Column<S>>;
template <class S>
using ColumnOut = Eigen::Ref<Column<S>>;

}  // namespace loom::reference
