#include "kernels/mask.h"

#include <limits>

#include "kernels/each.h"

namespace loom::kernels {
namespace {

constexpr float kBlocked = -std::numeric_limits<float>::infinity();

}  // namespace

bool MaskRule::BlockedByAdd(std::size_t i, std::size_t j) const { return has_add && add(i, j) == kBlocked; }

void Mask(ConstView in, const MaskRule& rule, std::size_t first_query, MutableView out) {
  const Floats d;
  const auto blocked = hn::Set(d, kBlocked);
  for (std::size_t r = 0; r < in.rows; ++r) {
    const std::size_t i = first_query + r;
    const float* add = rule.has_add ? rule.add.row(i) : nullptr;
    const float* allow = rule.has_allow ? rule.allow.row(i) : nullptr;
    const auto load = [&](const float* from, std::size_t count) {
      return count == hn::Lanes(d) ? hn::LoadU(d, from) : LoadPart(from, count);
    };
    EachInRow(in.row(r), out.row(r), in.cols, [&](auto x, std::size_t j, std::size_t count) {
      if (add != nullptr) {
        const auto a = load(add + j, count);
        x = hn::IfThenElse(hn::Eq(a, blocked), blocked, hn::Add(x, a));
      }
      if (allow != nullptr) {
        x = hn::IfThenElse(hn::Eq(load(allow + j, count), hn::Zero(d)), blocked, x);
      }
      return x;
    });
    if (rule.causal) {
      const std::int64_t last = static_cast<std::int64_t>(i) + rule.offset;
      const std::size_t first_hidden = last < 0 ? 0 : static_cast<std::size_t>(last) + 1;
      for (std::size_t j = first_hidden; j < in.cols; ++j) out(r, j) = kBlocked;
    }
  }
}

}  // namespace loom::kernels
