#include "trace/row_state.h"

#include <limits>

#include "kernels/finite.h"

namespace loom {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr float kHighest = std::numeric_limits<float>::max();

// What falls to 0 is below 2^-126: `count` of them change nothing above.
bool IsInRange(float sum, std::size_t count) { return sum >= float(count) * 0x1p-102f && sum <= kHighest; }

}  // namespace

void RangeCheck::Mark(const ConstView& lines, bool columns, const float* sums) const {
  const float above = sums == nullptr ? kLowest : 0.0f;
  for (std::size_t l = 0; l < lines.rows; ++l) {
    const float* line = lines.row(l);
    // Mostly nothing is to be found, and no rule need be asked.
    if (sums == nullptr ? kernels::FirstNotFinite(ConstView(line, 1, lines.cols), false) == kernels::kAllFinite
                        : IsInRange(sums[l], lines.cols)) {
      continue;
    }
    const auto seen = [&](std::size_t t) { return !(columns ? rule.Blocks(t, l) : rule.Blocks(first + l, t)); };
    bool bad = false;
    for (std::size_t t = 0; t < lines.cols; ++t) bad |= !(line[t] > above && line[t] <= kHighest) && seen(t);
    for (std::size_t t = 0; bad && t < lines.cols; ++t) {
      if (seen(t)) states[columns ? t : l] = static_cast<std::uint8_t>(RowState::kNotFinite);
    }
  }
}

}  // namespace loom
