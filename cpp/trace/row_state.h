// What became of a row of weights, and how its numbers tell.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/mask.h"
#include "matrix/view.h"

namespace loom {

enum class RowState : std::uint8_t {
  kOk = 0,
  kEmpty = 1,  // no visible key: weights and output are 0
  // A visible score, a sum or a result left the range of float32; along columns also the score of another query for a
  // key that this one sees.
  kNotFinite = 2,
};

// Finds rows that left the range of float32, by lines of numbers that share a softmax: rows, from query `first` on, or
// columns, as rows of a transposed matrix.
struct RangeCheck {
  const kernels::MaskRule& rule;
  std::size_t first;
  std::uint8_t* states;  // of the rows, as RowState

  // A number of a line is out of range and not blocked: marks the row, or all rows that see the key.
  void Scores(const ConstView& lines, bool columns) const { Mark(lines, columns, nullptr); }
  // The same of shares, where the line's sum of e^x is out of range, or so small that what fell to 0 may have had a
  // part in it: marks where a share that is not blocked is 0 or NaN.
  void Shares(const ConstView& lines, bool columns, const float* sums) const { Mark(lines, columns, sums); }

 private:
  void Mark(const ConstView& lines, bool columns, const float* sums) const;
};

}  // namespace loom
