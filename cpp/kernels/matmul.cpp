#include "kernels/matmul.h"

#include <algorithm>

#include "kernels/simd.h"
#include "kernels/transpose.h"

namespace loom::kernels {
namespace {

// Terms and rows that are packed at a time: 16 kB. A panel of the right factor, so many terms of it, serves all these
// rows from the nearest cache: 64 × 768 × 768 in V8 went from 21 to 25 GFLOP/s (measured).
constexpr std::size_t kChunk = 128;
constexpr std::size_t kRows = 32;

// One tile of R rows and two vectors of columns, of which `valid` columns exist. Vectors run across columns, never
// along k, so that every sum keeps its natural order; sums go on from what is in `out` unless `first`. Unrolling k by 2
// cost 20 to 50 % in V8 (measured), hence the pragma.
template <std::size_t R>
HWY_NOINLINE void Tile(const float* left, const float* right, std::size_t right_stride, std::size_t terms, bool first,
                       float* out, std::size_t out_stride, std::size_t valid) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  // Fewer columns than two vectors: the first may be whole, the part behind it never is.
  const bool whole0 = valid >= lanes;
  const bool whole1 = valid == 2 * lanes;
  const std::size_t valid1 = whole0 ? valid - lanes : 0;
  const auto load0 = [&](const float* from) { return whole0 ? hn::LoadU(d, from) : LoadPart(from, valid); };
  const auto load1 = [&](const float* from) {
    if (whole1) return hn::LoadU(d, from + lanes);
    return valid1 > 0 ? LoadPart(from + lanes, valid1) : hn::Zero(d);
  };
  Vector sum0[R];
  Vector sum1[R];
#pragma clang loop unroll(full)
  for (std::size_t r = 0; r < R; ++r) {
    sum0[r] = first ? hn::Zero(d) : load0(out + r * out_stride);
    sum1[r] = first ? hn::Zero(d) : load1(out + r * out_stride);
  }
  const auto add = [&](std::size_t k, Vector b0, Vector b1) {
#pragma clang loop unroll(full)
    for (std::size_t r = 0; r < R; ++r) {
      const auto a = hn::Set(d, left[k * R + r]);
      sum0[r] = AddProduct(sum0[r], a, b0);
      sum1[r] = AddProduct(sum1[r], a, b1);
    }
  };
  if (whole1) {
#pragma clang loop unroll(disable)
    for (std::size_t k = 0; k < terms; ++k, right += right_stride) {
      add(k, hn::LoadU(d, right), hn::LoadU(d, right + lanes));
    }
  } else {
#pragma clang loop unroll(disable)
    for (std::size_t k = 0; k < terms; ++k, right += right_stride) add(k, load0(right), load1(right));
  }
#pragma clang loop unroll(full)
  for (std::size_t r = 0; r < R; ++r) {
    float* to = out + r * out_stride;
    if (whole0) {
      hn::StoreU(sum0[r], d, to);
    } else {
      StorePart(sum0[r], to, valid);
    }
    if (whole1) {
      hn::StoreU(sum1[r], d, to + lanes);
    } else if (valid1 > 0) {
      StorePart(sum1[r], to + lanes, valid1);
    }
  }
}

// A multiple of R rows of the product, up to kRows, in chunks of terms. The rows of a tile are packed term by term,
// [k][row]: one address then serves them all.
template <std::size_t R>
void Rows(const ConstView& left, const RightFactor& right, const MutableView& out) {
  const std::size_t width = PanelWidth();
  float packed[kRows * kChunk];
  for (std::size_t k0 = 0; k0 < right.rows; k0 += kChunk) {
    const std::size_t terms = right.rows - k0 < kChunk ? right.rows - k0 : kChunk;
    for (std::size_t i = 0; i < left.rows; i += R) {
      Transpose(left.Rows(i, i + R).Columns(k0, k0 + terms), packed + i * terms, R);
    }
    for (std::size_t j0 = 0; j0 < right.cols; j0 += width) {
      const float* panel = right.data + j0 / width * right.panel_stride + k0 * right.row_stride;
      const std::size_t valid = right.cols - j0 < width ? right.cols - j0 : width;
      for (std::size_t i = 0; i < left.rows; i += R) {
        Tile<R>(packed + i * terms, panel, right.row_stride, terms, k0 == 0, out.row(i) + j0, out.stride, valid);
      }
    }
  }
}

}  // namespace

std::size_t PanelWidth() { return 2 * hn::Lanes(Floats()); }

RightFactor RightFactor::Of(const ConstView& b) { return {b.data, b.rows, b.cols, b.stride, PanelWidth()}; }

std::size_t PackedSize(std::size_t n, std::size_t d) {
  const std::size_t width = PanelWidth();
  return (n + width - 1) / width * width * d;
}

RightFactor PackTransposed(const ConstView& keys, float* packed) {
  const std::size_t width = PanelWidth();
  const std::size_t panel = width * keys.cols;
  for (std::size_t j = 0; j < keys.rows; j += width) {
    const std::size_t count = keys.rows - j < width ? keys.rows - j : width;
    float* to = packed + j / width * panel;
    if (count < width) std::fill(to, to + panel, 0.0f);
    Transpose(keys.Rows(j, j + count), to, width);
  }
  return {packed, keys.cols, keys.rows, width, panel};
}

void Matmul(const ConstView& left, const RightFactor& right, const MutableView& out) {
  std::size_t i = 0;
  if (right.rows == 0) {
    // Sums of nothing; there may be no right factor to point at either.
    for (; i < out.rows; ++i) std::fill(out.row(i), out.row(i) + out.cols, 0.0f);
    return;
  }
  const std::size_t whole = left.rows / 4 * 4;
  for (; i < whole; i += kRows) {
    const std::size_t end = whole - i < kRows ? whole : i + kRows;
    Rows<4>(left.Rows(i, end), right, out.Rows(i, end));
  }
  if (whole < left.rows) Rows<1>(left.Rows(whole, left.rows), right, out.Rows(whole, left.rows));
}

}  // namespace loom::kernels
