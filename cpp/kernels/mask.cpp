#include "kernels/mask.h"

#include <limits>

#include "kernels/alibi.h"
#include "kernels/each.h"

namespace loom::kernels {
namespace {

constexpr float kBlocked = -std::numeric_limits<float>::infinity();

// Longer than any distance between a query and a key; sums with it stay in range.
constexpr std::int64_t kFar = std::int64_t{1} << 40;

// [begin, end) without what lies before the first key.
KeyRange RangeFrom(std::int64_t begin, std::int64_t end) {
  begin = std::max<std::int64_t>(begin, 0);
  if (end <= begin) return {};
  const auto clip = [](std::int64_t x) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(static_cast<std::uint64_t>(x), kNoLimit));
  };
  return {clip(begin), clip(end)};
}

}  // namespace

bool MaskRule::BlockedByAdd(std::size_t i, std::size_t j) const {
  return has_add && j < maskable && RowOf(add, i)[j] == kBlocked;
}

bool MaskRule::BlockedByPattern(std::size_t i, std::size_t j) const {
  if (!HasPattern() || j >= maskable) return false;
  const std::int64_t position = Position(i);
  const auto key = static_cast<std::int64_t>(j);
  if (position == key) return false;
  if (has_window && position - key <= before && key - position <= after) return false;
  // No key stands in a block before position 0.
  if (block > 0 && position >= 0 && static_cast<std::uint64_t>(position) / block == j / block) return false;
  if (has_global) {
    const std::size_t tokens = std::min(global.cols, maskable);
    if (global.data[j] != 0.0f) return false;
    if (position >= 0 && static_cast<std::uint64_t>(position) < tokens && global.data[position] != 0.0f) return false;
  }
  if (has_random) {
    const float* keys = random.row(i);
    if (std::find(keys, keys + random.cols, static_cast<float>(j)) != keys + random.cols) return false;
  }
  return true;
}

float MaskRule::Alibi(std::size_t i, std::size_t j) const {
  return has_slope && j < maskable ? AlibiOf(slope, Position(i), j) : 0.0f;
}

KeyRange MaskRule::RangeOf(std::size_t i) const {
  const std::int64_t position = Position(i);
  std::int64_t begin = 0;
  std::int64_t end = kFar;
  if ((has_window || block > 0) && IsRange()) {
    // Window and block both hold the query's own position: together they are one run.
    begin = position;
    end = position + 1;
    if (has_window) {
      begin = position - std::min(before, kFar);
      end = position + std::min(after, kFar) + 1;
    }
    if (block > 0 && position >= 0) {
      const auto width = static_cast<std::int64_t>(std::min<std::uint64_t>(block, static_cast<std::uint64_t>(kFar)));
      const std::int64_t first = position / width * width;
      begin = std::min(begin, first);
      end = std::max(end, first + width);
    }
  }
  if (causal) end = std::min(end, position + 1);
  const std::uint64_t last = std::min(key_count, maskable);
  if (last < static_cast<std::uint64_t>(kFar)) end = std::min(end, static_cast<std::int64_t>(last));
  return RangeFrom(begin, end);
}

KeyRange MaskRule::Visible(std::size_t i) const {
  const KeyRange range = RangeOf(i);
  if (maskable == kNoLimit) return range;
  return {range.begin < range.end ? range.begin : maskable, kNoLimit};
}

void Mask(const ConstView& in, const MaskRule& rule, std::size_t first_query, const MutableView& out) {
  const Floats d;
  const auto blocked = hn::Set(d, kBlocked);
  const std::size_t cols = std::min(rule.maskable, in.cols);
  for (std::size_t r = 0; r < in.rows; ++r) {
    const std::size_t i = first_query + r;
    const float* add = rule.has_add ? MaskRule::RowOf(rule.add, i) : nullptr;
    const float* allow = rule.has_allow ? MaskRule::RowOf(rule.allow, i) : nullptr;
    const float* from = in.row(r);
    float* to = out.row(r);
    if (rule.has_slope) {
      for (std::size_t j = 0; j < cols; ++j) to[j] = from[j] + AlibiOf(rule.slope, rule.Position(i), j);
      from = to;
    }
    const auto load = [&](const float* x, std::size_t count) {
      return count == hn::Lanes(d) ? hn::LoadU(d, x) : LoadPart(x, count);
    };
    EachInRow(from, to, cols, [&](auto x, std::size_t j, std::size_t count) {
      if (add != nullptr) {
        const auto a = load(add + j, count);
        x = hn::IfThenElse(hn::Eq(a, blocked), blocked, hn::Add(x, a));
      }
      if (allow != nullptr) {
        x = hn::IfThenElse(hn::Eq(load(allow + j, count), hn::Zero(d)), blocked, x);
      }
      return x;
    });
    if (in.row(r) != to) std::copy(in.row(r) + cols, in.row(r) + in.cols, to + cols);
    const KeyRange range = rule.RangeOf(i);
    std::fill(to, to + std::min(range.begin, cols), kBlocked);
    if (range.end < cols) std::fill(to + range.end, to + cols, kBlocked);
    if (rule.IsRange()) continue;
    for (std::size_t j = range.begin; j < std::min(range.end, cols); ++j) {
      if (rule.BlockedByPattern(i, j)) to[j] = kBlocked;
    }
  }
}

}  // namespace loom::kernels
