// The parts of a transformer on their own, on any array: the same kernels as in a trace. Numbers in place; a call that
// fails leaves them as they were.
#pragma once

#include <cstddef>
#include <cstdint>

#include "matrix/error.h"
#include "trace/options.h"

namespace loom {

// data [outer, length, inner]; the axis of `length` becomes shares that sum to 1, or their logarithms. A row of nothing
// but −∞ becomes zeros (−∞ with `log`). Fails with kNoMemory, or kNotFinite (value = flat index) where a number is NaN
// or +∞.
Status SoftmaxAlong(float* data, std::size_t outer, std::size_t length, std::size_t inner, bool log);

// Behind data [rows, cols] stand gamma and beta [cols]; room for the means [rows] and the variances [rows] (the mean
// squares with `rms`, without means) is filled in. Fails with kNotFinite (value = flat index, gamma and beta included).
Status NormaliseRows(float* data, std::size_t rows, std::size_t cols, bool rms, float epsilon);

// GELU or ReLU of `count` numbers. Fails with kNotFinite.
Status ActivateAll(float* data, std::size_t count, Activation activation);

// Behind data [rows, cols] stand cosines and sines [rows, width/2], width even and ≤ cols. Without `tables` they are
// filled in from the positions [rows] that stand behind them. Fails with kNotFinite.
Status RotateRows(float* data, std::size_t rows, std::size_t cols, std::size_t width, bool neighbours, bool tables,
                  double base);

// Position codes for rows first, first + 1, … of [rows, cols].
void FillSinusoid(float* data, std::int64_t first, std::size_t rows, std::size_t cols, double base);

}  // namespace loom
