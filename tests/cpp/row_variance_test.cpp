#include "kernels/row_variance.h"

#include "eigen_support.h"
#include "reference/row_variance.h"

namespace loom::test {
namespace {

TEST(RowVarianceTest, K16EqualsTheTwinAndThePlainLoopAtEverySize) {
  Random random(98);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded mean(1, rows, layout);
    Guarded out(1, rows, layout);
    in.FillNormal(random);
    mean.FillNormal(random);
    kernels::RowVariance(in.view(), mean.data(), out.data());
    std::vector<float> plain(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      float sum = 0;
      for (std::size_t j = 0; j < cols; ++j) {
        const float difference = in.view()(i, j) - mean.data()[i];
        sum += difference * difference;
      }
      plain[i] = cols == 0 ? 0.0f : sum / float(cols);
    }
    EXPECT_TRUE(AllSame(out.view(), RowOf(plain)));
    // The twin adds in the same order: equal in float.
    reference::Column<float> want(Eigen::Index(rows), 1);
    reference::RowVariance<float>(MatrixOf<float>(in.view()), ColumnOf<float>(mean.view()), want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
    kernels::RowVariance(in.view(), mean.data(), mean.data());
    EXPECT_TRUE(AllSame(mean.view(), ViewOf(want))) << "in place of the mean";
    EXPECT_TRUE(mean.Intact());
  });
}

// Of 1, 2, 3, 4: 5/4, and 5/3 with n − 1.
TEST(RowVarianceTest, K23DividesByTheWholeWidth) {
  const std::vector<float> in{1, 2, 3, 4};
  const float mean = 2.5f;
  float variance = 0;
  kernels::RowVariance(RowOf(in), &mean, &variance);
  EXPECT_EQ(variance, 1.25f);
}

TEST(RowVarianceTest, NaNStaysInItsRow) {
  for (std::size_t rows = 1; rows <= kMaxRows; ++rows) {
    for (std::size_t bad = 0; bad < rows; ++bad) {
      Guarded in(rows, 5);
      in.Fill([&](std::size_t i, std::size_t j) { return i == bad && j == 3 ? kNaN : 2.0f; });
      Guarded out(1, rows);
      kernels::RowVariance(in.view(), nullptr, out.data());
      for (std::size_t i = 0; i < rows; ++i) EXPECT_TRUE(IsSame(out.data()[i], i == bad ? kNaN : 4.0f));
    }
  }
}

}  // namespace
}  // namespace loom::test
