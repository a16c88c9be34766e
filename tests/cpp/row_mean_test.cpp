#include "kernels/row_mean.h"

#include "eigen_support.h"
#include "reference/row_mean.h"

namespace loom::test {
namespace {

TEST(RowMeanTest, K16EqualsTheTwinAndThePlainLoopAtEverySize) {
  Random random(97);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded out(1, rows, layout);
    in.FillNormal(random);
    kernels::RowMean(in.view(), out.data());
    std::vector<float> plain(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      float sum = 0;
      for (std::size_t j = 0; j < cols; ++j) sum += in.view()(i, j);
      plain[i] = cols == 0 ? 0.0f : sum / float(cols);
    }
    EXPECT_TRUE(AllSame(out.view(), RowOf(plain)));
    // The twin adds in the same order: equal in float.
    reference::Column<float> want(Eigen::Index(rows), 1);
    reference::RowMean<float>(MatrixOf<float>(in.view()), want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
  });
}

TEST(RowMeanTest, HandWorkedNumbers) {
  const std::vector<float> in{1, 2, 3, 4};
  float mean = 0;
  kernels::RowMean(RowOf(in), &mean);
  EXPECT_EQ(mean, 2.5f);
}

}  // namespace
}  // namespace loom::test
