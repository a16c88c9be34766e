#include "kernels/matmul.h"

#include <algorithm>

#include "kernels/simd.h"

namespace loom::kernels {
namespace {

// Terms that are packed and multiplied at a time: four rows of them are 2 kB.
constexpr std::size_t kChunk = 128;

// R rows of the left factor, term by term: to[k · R + r]. One address then serves all rows of a tile.
template <std::size_t R>
void PackRows(const float* left, std::size_t left_stride, std::size_t terms, float* to) {
#pragma clang loop unroll(full)
  for (std::size_t r = 0; r < R; ++r) {
    const float* from = left + r * left_stride;
    for (std::size_t k = 0; k < terms; ++k) to[k * R + r] = from[k];
  }
}

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
      sum0[r] = MultiplyAdd(a, b0, sum0[r]);
      sum1[r] = MultiplyAdd(a, b1, sum1[r]);
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

// R rows of the product, in chunks of terms.
template <std::size_t R>
void Rows(const float* left, std::size_t left_stride, const RightFactor& right, float* out, std::size_t out_stride) {
  const std::size_t width = PanelWidth();
  float packed[R * kChunk];
  for (std::size_t k0 = 0; k0 < right.rows; k0 += kChunk) {
    const std::size_t terms = right.rows - k0 < kChunk ? right.rows - k0 : kChunk;
    PackRows<R>(left + k0, left_stride, terms, packed);
    for (std::size_t j0 = 0; j0 < right.cols; j0 += width) {
      const float* panel = right.data + j0 / width * right.panel_stride + k0 * right.row_stride;
      const std::size_t valid = right.cols - j0 < width ? right.cols - j0 : width;
      Tile<R>(packed, panel, right.row_stride, terms, k0 == 0, out + j0, out_stride, valid);
    }
  }
}

}  // namespace

std::size_t PanelWidth() { return 2 * hn::Lanes(Floats()); }

RightFactor RightFactor::Of(ConstView b) { return {b.data, b.rows, b.cols, b.stride, PanelWidth()}; }

std::size_t PackedSize(std::size_t n, std::size_t d) {
  const std::size_t width = PanelWidth();
  return (n + width - 1) / width * width * d;
}

RightFactor PackTransposed(ConstView keys, float* packed) {
  const std::size_t width = PanelWidth();
  const std::size_t panel = width * keys.cols;
  for (std::size_t j0 = 0; j0 < keys.rows; j0 += width) {
    float* to = packed + j0 / width * panel;
    for (std::size_t j = 0; j < width; ++j) {
      const bool exists = j0 + j < keys.rows;
      const float* from = exists ? keys.row(j0 + j) : nullptr;
      for (std::size_t k = 0; k < keys.cols; ++k) to[k * width + j] = exists ? from[k] : 0.0f;
    }
  }
  return {packed, keys.cols, keys.rows, width, panel};
}

void Matmul(ConstView left, const RightFactor& right, MutableView out) {
  std::size_t i = 0;
  if (right.rows == 0) {
    // Sums of nothing; there may be no right factor to point at either.
    for (; i < out.rows; ++i) std::fill(out.row(i), out.row(i) + out.cols, 0.0f);
    return;
  }
  for (; i + 4 <= left.rows; i += 4) Rows<4>(left.row(i), left.stride, right, out.row(i), out.stride);
  for (; i < left.rows; ++i) Rows<1>(left.row(i), left.stride, right, out.row(i), out.stride);
}

}  // namespace loom::kernels
