#include "kernels/fused_attention.h"

#include <algorithm>
#include <limits>

#include "kernels/alibi.h"
#include "kernels/cap-inl.h"
#include "kernels/exp-inl.h"
#include "kernels/transpose.h"

// Vectors run across query rows. A block of rows is worked on at a time, two vectors of them; whatever belongs to the
// same key (or the same value column) lies side by side for all rows of the block. So row maximum, row sum and both
// products need no step across lanes, and every sum keeps its natural order.

namespace loom::kernels {
namespace {

constexpr float kBlocked = -std::numeric_limits<float>::infinity();

// Keys, or value columns, of one tile. With two vectors of rows: 8 sums, 2 loads and a broadcast fill the 16 registers
// of the machines that matter; other tiles were slower in V8 (measured).
constexpr std::size_t kTile = 4;
// Keys that the second product takes at a time.
constexpr std::size_t kKeyBlock = 64;

std::size_t WholeTiles(std::size_t n) { return (n + kTile - 1) / kTile * kTile; }
std::size_t Aligned(std::size_t floats) { return (floats + 15) / 16 * 16; }
std::size_t BlockRows() { return 2 * hn::Lanes(Floats()); }

// What all blocks of rows share, and where they work.
struct Head {
  ConstView keys;
  ConstView values;
  const MaskRule& rule;
  const FusedOptions& options;
  float* packed_keys;  // panels of kTile keys: [panel][k][key], zeros behind the last key (no garbage to be slow with)
  // Panels of kTile columns: [panel][key][column], zeros behind the last column. Null where values are read in place.
  float* packed_values;
  float* packed_queries;  // [k][row], zeros behind the last row
  float* scores;          // [key][row]; later exp, later the weights
  float* sums;            // [value column][row]

  // Walks through the scratch; returns the floats used. The rows of one head of many lie so far apart that their lines
  // fall into a few sets of the cache: packing brought 7 % (measured). Where they follow each other it brought nothing.
  std::size_t Place(float* scratch, std::size_t n_k, std::size_t d_k, std::size_t d_v, std::size_t v_stride) {
    std::size_t used = 0;
    const auto take = [&](std::size_t floats) {
      float* at = scratch == nullptr ? nullptr : scratch + used;
      used += Aligned(floats);
      return at;
    };
    packed_keys = take(WholeTiles(n_k) * d_k);
    packed_values = v_stride == d_v && d_v % kTile == 0 ? nullptr : take(WholeTiles(d_v) * n_k);
    packed_queries = take(BlockRows() * d_k);
    scores = take(BlockRows() * WholeTiles(n_k));
    sums = take(BlockRows() * WholeTiles(d_v));
    return used;
  }
};

void PackKeys(const Head& head) {
  const std::size_t d_k = head.keys.cols;
  for (std::size_t j = 0; j < head.keys.rows; j += kTile) {
    const std::size_t count = std::min(kTile, head.keys.rows - j);
    float* panel = head.packed_keys + j * d_k;
    if (count < kTile) std::fill(panel, panel + kTile * d_k, 0.0f);
    Transpose(head.keys.Rows(j, j + count), panel, kTile);
  }
}

void PackValues(const Head& head) {
  float* to = head.packed_values;
  for (std::size_t c = 0; c < head.values.cols; c += kTile) {
    const std::size_t count = std::min(kTile, head.values.cols - c);
    for (std::size_t j = 0; j < head.values.rows; ++j, to += kTile) {
      const float* const from = head.values.row(j) + c;
      for (std::size_t i = 0; i < kTile; ++i) to[i] = i < count ? from[i] : 0.0f;
    }
  }
}

// to[c][row] = factor · (Σ_k rows[k][row] · scalars[k · stride + c]), c < kTile; the sum goes on from what is in `to`
// unless `first`. Unrolling k by 2 cost 20 to 50 % in V8 (measured), hence the pragma.
template <std::size_t N>
HWY_NOINLINE void Tile(const float* rows, const float* scalars, std::size_t stride, std::size_t terms, bool first,
                       float factor, float* to) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  Vector sum[kTile][N];
#pragma clang loop unroll(full)
  for (std::size_t c = 0; c < kTile; ++c) {
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < N; ++v) sum[c][v] = first ? hn::Zero(d) : hn::LoadU(d, to + (c * N + v) * lanes);
  }
#pragma clang loop unroll(disable)
  for (const float* const end = rows + terms * N * lanes; rows != end;) {
    Vector row[N];
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < N; ++v) row[v] = hn::LoadU(d, rows + v * lanes);
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kTile; ++c) {
      const auto scalar = hn::Set(d, scalars[c]);
#pragma clang loop unroll(full)
      for (std::size_t v = 0; v < N; ++v) sum[c][v] = AddProduct(sum[c][v], row[v], scalar);
    }
    rows += N * lanes;
    scalars += stride;
  }
  const auto f = hn::Set(d, factor);
#pragma clang loop unroll(full)
  for (std::size_t c = 0; c < kTile; ++c) {
#pragma clang loop unroll(full)
    for (std::size_t v = 0; v < N; ++v) hn::StoreU(hn::Mul(sum[c][v], f), d, to + (c * N + v) * lanes);
  }
}

// The scores of a block: [key][row], `vectors` vectors of rows for each key.
struct Cells {
  float* data;  // where those of key 0 stand
  std::size_t vectors;
  std::size_t width;

  // Puts op(cells, key) to the keys begin ≤ j < end in vector v.
  template <class Op>
  HWY_INLINE void Each(std::size_t v, std::size_t begin, std::size_t end, const Op& op) const {
    const Floats d;
    float* at = data + begin * width + v * hn::Lanes(d);
#pragma clang loop unroll(disable)
    for (std::size_t j = begin; j < end; ++j, at += width) hn::StoreU(op(hn::LoadU(d, at), j), d, at);
  }
};

// The rows of one block and the keys that they see.
struct Rows {
  std::size_t first = 0;
  std::size_t count = 0;
  KeyRange keys;    // all that any row sees
  KeyRange common;  // what neither causal, padding nor a run of a pattern hides from any row, below the extra keys
  // Of each row, what MaskRule::RangeOf says; whole numbers below 2^24.
  float seen_from[2 * hn::MaxLanes(Floats())] = {};
  float hidden_from[2 * hn::MaxLanes(Floats())] = {};
};

Rows RowsOf(const Head& head, std::size_t first, std::size_t count) {
  const std::size_t n_k = head.keys.rows;
  Rows rows{first, count, {0, n_k}, {0, n_k}};
  if (!head.rule.Any()) return rows;
  // All extra keys are visible, whatever lies before them.
  rows.keys = head.rule.maskable < n_k ? KeyRange{head.rule.maskable, n_k} : KeyRange{n_k, 0};
  for (std::size_t r = 0; r < count; ++r) {
    const KeyRange range = head.rule.RangeOf(first + r);
    const std::size_t end = std::min(range.end, n_k);
    if (range.begin < end) {
      rows.keys.begin = std::min(rows.keys.begin, range.begin);
      rows.keys.end = std::max(rows.keys.end, end);
    }
    rows.common.begin = std::max(rows.common.begin, range.begin);
    rows.common.end = std::min(rows.common.end, end);
    rows.seen_from[r] = static_cast<float>(std::min(range.begin, n_k));
    rows.hidden_from[r] = static_cast<float>(end);
  }
  if (rows.keys.begin >= rows.keys.end) rows.keys = {};
  return rows;
}

// The rows of a mask that belong to the block; one row serves all where it is the only one.
ConstView MaskRows(ConstView mask, const Rows& rows) {
  if (mask.rows == 1) return ConstView(mask.data, rows.count, mask.cols, 0);
  return mask.Rows(rows.first, rows.first + rows.count);
}

// cells = op(cells, the mask's numbers) for the keys [begin, end).
template <class Op>
void WithMask(ConstView mask, std::size_t begin, std::size_t end, const Cells& cells, const Op& op) {
  const Floats d;
  float turned[kKeyBlock * 2 * hn::MaxLanes(Floats())] = {};
  for (std::size_t j0 = begin; j0 < end; j0 += kKeyBlock) {
    const std::size_t j1 = std::min(j0 + kKeyBlock, end);
    Transpose(mask.Columns(j0, j1), turned, cells.width);
    for (std::size_t v = 0; v < cells.vectors; ++v) {
      cells.Each(v, j0, j1, [&](Vector x, std::size_t j) {
        return op(x, hn::LoadU(d, turned + (j - j0) * cells.width + v * hn::Lanes(d)));
      });
    }
  }
}

// Adds the linear biases: exact in float32 as long as all distances are, one by one where they are not.
void AddAlibi(const MaskRule& rule, const Rows& rows, std::size_t begin, std::size_t end, const Cells& cells) {
  const Floats d;
  constexpr std::int64_t kExact = std::int64_t{1} << 23;
  const std::int64_t position = rule.Position(rows.first);
  if (position < -kExact || position > kExact) {
    for (std::size_t j = begin; j < end; ++j) {
      for (std::size_t r = 0; r < rows.count; ++r) {
        cells.data[j * cells.width + r] += AlibiOf(rule.slope, rule.Position(rows.first + r), j);
      }
    }
    return;
  }
  const auto slope = hn::Set(d, rule.slope);
  for (std::size_t v = 0; v < cells.vectors; ++v) {
    const auto own = hn::Iota(d, static_cast<float>(position + static_cast<std::int64_t>(v * hn::Lanes(d))));
    cells.Each(v, begin, end, [&](Vector x, std::size_t j) {
      const auto distance = hn::Abs(hn::Sub(own, hn::Set(d, static_cast<float>(j))));
      // 0 − product as in AlibiOf, so that it is never −0.
      return hn::Add(x, hn::Sub(hn::Zero(d), hn::Mul(slope, distance)));
    });
  }
}

// Mask on the scores of a block.
void MaskCells(const Head& head, const Rows& rows, const Cells& cells) {
  const Floats d;
  const MaskRule& rule = head.rule;
  const std::size_t begin = rows.keys.begin;
  const std::size_t end = std::min(rows.keys.end, rule.maskable);
  const auto blocked = hn::Set(d, kBlocked);
  if (begin >= end) return;

  if (rule.has_slope) AddAlibi(rule, rows, begin, end, cells);
  if (rule.has_add) {
    WithMask(MaskRows(rule.add, rows), begin, end, cells, [](Vector x, Vector add) { return hn::Add(x, add); });
  }
  if (rule.has_allow) {
    WithMask(MaskRows(rule.allow, rows), begin, end, cells,
             [&](Vector x, Vector allow) { return hn::IfThenElse(hn::Eq(allow, hn::Zero(d)), blocked, x); });
  }
  if (!rule.IsRange()) {
    for (std::size_t r = 0; r < rows.count; ++r) {
      for (std::size_t j = begin; j < end; ++j) {
        if (rule.BlockedByPattern(rows.first + r, j)) cells.data[j * cells.width + r] = kBlocked;
      }
    }
  }
  // Only keys that some row does not see are looked at.
  const std::size_t common_end = std::min(std::max(rows.common.end, begin), end);
  const std::size_t common_begin = std::min(std::max(rows.common.begin, begin), common_end);
  for (std::size_t v = 0; v < cells.vectors; ++v) {
    const auto seen_from = hn::LoadU(d, rows.seen_from + v * hn::Lanes(d));
    const auto hidden_from = hn::LoadU(d, rows.hidden_from + v * hn::Lanes(d));
    const auto in_range = [&](Vector x, std::size_t j) {
      const auto key = hn::Set(d, static_cast<float>(j));
      return hn::IfThenElse(hn::Or(hn::Lt(key, seen_from), hn::Ge(key, hidden_from)), blocked, x);
    };
    cells.Each(v, begin, common_begin, in_range);
    cells.Each(v, common_end, end, in_range);
  }
}

// The largest score of each row in vector v. Four at a time, or each would wait for the one before it.
Vector LargestOf(const Cells& cells, std::size_t v, KeyRange keys) {
  const Floats d;
  Vector top[kTile];
  for (auto& t : top) t = hn::Set(d, kBlocked);
  const float* at = cells.data + keys.begin * cells.width + v * hn::Lanes(d);
  std::size_t j = keys.begin;
  for (; j + kTile <= keys.end; j += kTile) {
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kTile; ++c, at += cells.width) top[c] = LargerOf(top[c], hn::LoadU(d, at));
  }
  for (; j < keys.end; ++j, at += cells.width) top[0] = LargerOf(top[0], hn::LoadU(d, at));
  return LargerOf(LargerOf(top[0], top[1]), LargerOf(top[2], top[3]));
}

// Masked scores become exp, in the rows of vector v; returns the row sums. tops: the row maxima, −∞ in a row that sees
// nothing.
Vector ExpCells(const Cells& cells, std::size_t v, KeyRange keys, float temperature, float* tops) {
  const Floats d;
  const auto blocked = hn::Set(d, kBlocked);
  auto top = LargestOf(cells, v, keys);
  hn::StoreU(top, d, tops);
  // −0 becomes +0, as in RowMax. A row that sees nothing keeps −∞ in all cells instead of −∞ + ∞.
  top = hn::IfThenElse(hn::Eq(top, blocked), hn::Zero(d), hn::Add(top, hn::Zero(d)));
  if (temperature != 1.0f) {
    const auto tau = hn::Set(d, temperature);
    cells.Each(v, keys.begin, keys.end, [&](Vector x, std::size_t) {
      if (temperature == 0.0f) return hn::IfThenElse(hn::Eq(x, top), hn::Zero(d), blocked);
      return hn::Div(hn::Sub(x, top), tau);
    });
    top = hn::Zero(d);
  }
  const ExpOf exp_of;
  auto sum = hn::Zero(d);
  cells.Each(v, keys.begin, keys.end, [&](Vector x, std::size_t) {
    const auto e = exp_of(hn::Sub(x, top));
    sum = hn::Add(sum, e);
    return e;
  });
  return sum;
}

// One block of rows, of which rows.count exist.
void Block(const Head& head, const Rows& rows, const Cells& cells, MutableView output, std::uint8_t* empty) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t width = cells.width;
  const std::size_t d_k = head.keys.cols;
  const std::size_t d_v = head.values.cols;
  const std::size_t begin = rows.keys.begin;
  const std::size_t end = rows.keys.end;
  const auto tile = [&](auto... a) { cells.vectors == 1 ? Tile<1>(a...) : Tile<2>(a...); };

  for (std::size_t j = begin / kTile * kTile; j < end; j += kTile) {
    tile(head.packed_queries, head.packed_keys + j * d_k, kTile, d_k, true, head.options.scale, cells.data + j * width);
  }
  if (head.options.cap > 0) {
    const SoftCap capped(head.options.cap);
    for (std::size_t v = 0; v < cells.vectors; ++v) {
      cells.Each(v, begin, end, [&](Vector x, std::size_t) { return capped(x); });
    }
  }
  if (head.rule.Any()) MaskCells(head, rows, cells);

  Vector sum[2];
  float tops[2 * hn::MaxLanes(Floats())];
  for (std::size_t v = 0; v < cells.vectors; ++v) {
    sum[v] = ExpCells(cells, v, rows.keys, head.options.temperature, tops + v * lanes);
    // All weights of a row that sees nothing are 0 / 1.
    sum[v] = hn::IfThenElse(hn::Eq(sum[v], hn::Zero(d)), hn::Set(d, 1.0f), sum[v]);
  }
  for (std::size_t r = 0; r < rows.count; ++r) empty[r] = tops[r] == kBlocked ? 1 : 0;

  for (std::size_t j = begin; j < end; j += kKeyBlock) {
    const std::size_t count = std::min(kKeyBlock, end - j);
    for (std::size_t v = 0; v < cells.vectors; ++v) {
      const auto row_sum = sum[v];
      cells.Each(v, j, j + count, [&](Vector e, std::size_t) { return hn::Div(e, row_sum); });
    }
    for (std::size_t c = 0; c < d_v; c += kTile) {
      const bool packed = head.packed_values != nullptr;
      tile(cells.data + j * width,
           packed ? head.packed_values + c * head.values.rows + j * kTile : head.values.row(j) + c,
           packed ? kTile : d_v, count, j == begin, 1.0f, head.sums + c * width);
    }
  }
  Transpose(ConstView(head.sums, d_v, rows.count, width), output.data, output.stride);
}

}  // namespace

std::size_t FusedScratch(std::size_t n_k, std::size_t d_k, std::size_t d_v, std::size_t v_stride) {
  const MaskRule rule;
  const FusedOptions options;
  Head head{{}, {}, rule, options, nullptr, nullptr, nullptr, nullptr, nullptr};
  return head.Place(nullptr, n_k, d_k, d_v, v_stride);
}

void FusedAttention(ConstView queries, ConstView keys, ConstView values, const MaskRule& rule,
                    const FusedOptions& options, float* scratch, MutableView output, std::uint8_t* empty) {
  Head head{keys, values, rule, options, nullptr, nullptr, nullptr, nullptr, nullptr};
  head.Place(scratch, keys.rows, keys.cols, values.cols, values.stride);
  PackKeys(head);
  if (head.packed_values != nullptr) PackValues(head);
  const std::size_t lanes = hn::Lanes(Floats());
  for (std::size_t i = 0; i < queries.rows; i += 2 * lanes) {
    const Rows rows = RowsOf(head, i, std::min(2 * lanes, queries.rows - i));
    const MutableView out = output.Rows(i, i + rows.count);
    if (rows.keys.begin == rows.keys.end) {
      for (std::size_t r = 0; r < rows.count; ++r) std::fill(out.row(r), out.row(r) + out.cols, 0.0f);
      std::fill(empty + i, empty + i + rows.count, std::uint8_t{1});
      continue;
    }
    const std::size_t vectors = rows.count > lanes ? 2 : 1;
    const Cells cells{head.scores, vectors, vectors * lanes};
    if (rows.count < cells.width) {
      std::fill(head.packed_queries, head.packed_queries + cells.width * keys.cols, 0.0f);
    }
    Transpose(queries.Rows(i, i + rows.count), head.packed_queries, cells.width);
    Block(head, rows, cells, out, empty + i);
  }
}

}  // namespace loom::kernels
