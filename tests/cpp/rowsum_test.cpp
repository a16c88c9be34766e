#include "kernels/rowsum.h"

#include "eigen_support.h"
#include "reference/rowsum.h"

namespace loom::test {
namespace {

TEST(RowSumTest, K16EqualsTheTwinAndThePlainLoopAtEverySize) {
  Random random(12);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded out(1, rows, layout);
    in.FillNormal(random);
    kernels::RowSum(in.view(), out.data());

    std::vector<float> plain(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      float sum = 0;
      for (std::size_t j = 0; j < cols; ++j) sum += in.view()(i, j);
      plain[i] = sum;
    }
    EXPECT_TRUE(AllSame(out.view(), View<float>(plain.data(), 1, rows)));
    // The twin adds in the same order: equal in float.
    reference::Column<float> want(Eigen::Index(rows), 1);
    reference::RowSum<float>(MatrixOf<float>(in.view()), want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
  });
}

// 65 summands of about 1: 64 roundings of a sum below 65, each at most 2^-24 of it, on the way to double's truth.
TEST(RowSumTest, StaysWithinTheBoundOfDouble) {
  Random random(13);
  Guarded in(9, 65);
  in.Fill([&](std::size_t, std::size_t) { return float(random.Uniform()); });
  Guarded out(1, 9);
  kernels::RowSum(in.view(), out.data());
  reference::Column<double> want(9, 1);
  reference::RowSum<double>(MatrixOf<double>(in.view()), want);
  EXPECT_TRUE(AllNear(out.view(), ViewOf(want), {0, 64 * 0x1p-24}));
}

TEST(RowSumTest, AnEmptyRowSumsToPlusZero) {
  for (std::size_t rows = 1; rows <= kMaxRows; ++rows) {
    Guarded in(rows, 0);
    Guarded out(1, rows);
    kernels::RowSum(in.view(), out.data());
    EXPECT_TRUE(AllSame(out.view(), Guarded(1, rows).Fill([](std::size_t, std::size_t) { return 0.0f; }).view()));
  }
}

TEST(RowSumTest, SumsOfMinusZeroArePlusZeroAndNaNIsReported) {
  for (std::size_t rows = 1; rows <= kMaxRows; ++rows) {
    Guarded in(rows, 5);
    Guarded out(1, rows);
    in.Fill([](std::size_t, std::size_t) { return -0.0f; });
    in.view()(rows - 1, 3) = kNaN;
    kernels::RowSum(in.view(), out.data());
    for (std::size_t i = 0; i < rows; ++i) EXPECT_TRUE(IsSame(out.data()[i], i + 1 == rows ? kNaN : 0.0f));
  }
}

}  // namespace
}  // namespace loom::test
