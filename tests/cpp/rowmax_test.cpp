#include "kernels/rowmax.h"

#include "eigen_support.h"
#include "reference/rowmax.h"

namespace loom::test {
namespace {

TEST(RowMaxTest, K16EqualsTheTwinAtEverySize) {
  Random random(21);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded out(1, rows, layout);
    // Blocked cells among them, and rows of nothing else.
    in.Fill([&](std::size_t i, std::size_t) { return i == 2 || random.Chance(0.3) ? -kInfinity : random.Normal(); });
    kernels::RowMax(in.view(), out.data());
    reference::Column<float> want(Eigen::Index(rows), 1);
    reference::RowMax<float>(MatrixOf<float>(in.view()), want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
  });
}

TEST(RowMaxTest, K15TheLargestIsFoundAtEveryPlaceOfANegativeRow) {
  for (const std::size_t cols : kLengths) {
    for (std::size_t at = 0; at < cols; ++at) {
      Guarded in(1, cols);
      in.Fill([&](std::size_t, std::size_t j) { return j == at ? -1000.0f : -3e38f; });
      float out = 0;
      kernels::RowMax(in.view(), &out);
      EXPECT_EQ(out, -1000.0f) << "at " << at << " of " << cols;
    }
  }
}

TEST(RowMaxTest, AnEmptyRowHasMinusInfinity) {
  float out[3] = {1, 2, 3};
  kernels::RowMax(Guarded(3, 0).view(), out);
  for (const float x : out) EXPECT_EQ(x, -kInfinity);
}

TEST(RowMaxTest, ZeroIsNeverNegative) {
  for (const std::size_t cols : kLengths) {
    for (std::size_t at = 0; at <= cols && cols > 0; ++at) {
      Guarded in(1, cols);
      in.Fill([&](std::size_t, std::size_t j) { return j == at ? 0.0f : -0.0f; });
      float out = 1;
      kernels::RowMax(in.view(), &out);
      EXPECT_TRUE(IsSame(out, 0.0f)) << "+0 at " << at << " of " << cols;
    }
  }
}

TEST(RowMaxTest, NaNIsPassedOverAtEveryPlace) {
  for (const std::size_t cols : kLengths) {
    for (std::size_t at = 0; at < cols; ++at) {
      Guarded in(1, cols);
      in.Fill([&](std::size_t, std::size_t j) { return j == at ? kNaN : -float(j); });
      float out = 0;
      kernels::RowMax(in.view(), &out);
      const float want = cols == 1 ? -kInfinity : at == 0 ? -1.0f : 0.0f;
      EXPECT_EQ(out, want) << "NaN at " << at << " of " << cols;
    }
  }
}

TEST(RowMaxTest, PlusInfinityIsTheLargest) {
  for (const std::size_t cols : kLengths) {
    if (cols == 0) continue;
    Guarded in(1, cols);
    in.Fill([&](std::size_t, std::size_t j) { return j == cols / 2 ? kInfinity : 1.0f; });
    float out = 0;
    kernels::RowMax(in.view(), &out);
    EXPECT_EQ(out, kInfinity);
  }
}

}  // namespace
}  // namespace loom::test
