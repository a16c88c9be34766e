#include "kernels/unmask.h"

#include "any_rule.h"
#include "eigen_support.h"
#include "reference/unmask.h"

namespace loom::test {
namespace {

TEST(UnmaskTest, K16EqualsTheTwinAtEverySizeUnderAnyRule) {
  Random random(301);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    if (cols == 0) return;
    const std::size_t first = std::size_t(random.Whole(0, 2));
    const AnyRule any(first + rows, cols, random);
    Guarded in(rows, cols, layout);
    Guarded out(rows, cols, layout);
    // As a mask leaves it; whatever stands in a blocked cell does not matter.
    in.Fill([&](std::size_t r, std::size_t j) {
      return !any.Hidden(first + r, j) ? random.Normal() : random.Chance(0.5) ? -kInfinity : kNaN;
    });
    kernels::Unmask(in.view(), any.rule, first, out.view());
    reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
    reference::Unmask<float>(
        MatrixOf<float>(in.view()),
        [&](Eigen::Index r, Eigen::Index j) { return any.Hidden(first + std::size_t(r), std::size_t(j)); }, want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
    kernels::Unmask(in.view(), any.rule, first, in.view());
    EXPECT_TRUE(AllSame(in.view(), ViewOf(want))) << "in place";
    EXPECT_TRUE(in.Intact());
  });
}

TEST(UnmaskTest, WhatIsNotBlockedStaysAlsoOutOfRange) {
  const kernels::MaskRule nothing;
  std::vector<float> row{kNaN, kInfinity, -kInfinity, -0.0f, 3};
  std::vector<float> out(row.size());
  kernels::Unmask(RowOf(row), nothing, 0, MutableView(out.data(), 1, out.size()));
  EXPECT_TRUE(AllSame(out, row));
}

}  // namespace
}  // namespace loom::test
