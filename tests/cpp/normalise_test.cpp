#include "kernels/normalise.h"

#include "eigen_support.h"
#include "kernels/mean_square.h"
#include "kernels/row_mean.h"
#include "kernels/row_variance.h"
#include "reference/normalise.h"

namespace loom::test {
namespace {

constexpr float kEpsilon = 1e-5f;

// The same roundings in the same order on both sides: equal.
TEST(LayerNormTest, K16EqualsTheTwinAtEverySizeWithAndWithoutGammaAndBeta) {
  Random random(101);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded mean(1, rows, layout);
    Guarded variance(1, rows, layout);
    Guarded gamma(1, cols, layout);
    Guarded beta(1, cols, layout);
    mean.FillNormal(random);
    variance.Fill([&](std::size_t, std::size_t) { return float(random.Uniform()); });
    gamma.FillNormal(random);
    beta.FillNormal(random);
    for (const bool scaled : {false, true}) {
      for (const bool moved : {false, true}) {
        in.FillNormal(random);
        Guarded out(rows, cols, layout);
        const float* factor = scaled ? gamma.data() : nullptr;
        const float* summand = moved ? beta.data() : nullptr;
        kernels::LayerNorm(in.view(), mean.data(), variance.data(), kEpsilon, factor, summand, out.view());
        const reference::Column<float> one = reference::Column<float>::Ones(Eigen::Index(cols));
        const reference::Column<float> zero = reference::Column<float>::Zero(Eigen::Index(cols));
        reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
        reference::LayerNorm<float>(
            MatrixOf<float>(in.view()), ColumnOf<float>(mean.view()), ColumnOf<float>(variance.view()), kEpsilon,
            scaled ? ColumnOf<float>(gamma.view()) : one, moved ? ColumnOf<float>(beta.view()) : zero, want);
        EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
        EXPECT_TRUE(out.Intact());
        kernels::LayerNorm(in.view(), mean.data(), variance.data(), kEpsilon, factor, summand, in.view());
        EXPECT_TRUE(AllSame(in.view(), ViewOf(want))) << "in place";
        EXPECT_TRUE(in.Intact());
      }
    }
  });
}

TEST(RmsNormTest, K16EqualsTheTwinAtEverySizeWithAndWithoutGamma) {
  Random random(102);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded mean_square(1, rows, layout);
    Guarded gamma(1, cols, layout);
    mean_square.Fill([&](std::size_t, std::size_t) { return float(random.Uniform()); });
    gamma.FillNormal(random);
    for (const bool scaled : {false, true}) {
      in.FillNormal(random);
      Guarded out(rows, cols, layout);
      const float* factor = scaled ? gamma.data() : nullptr;
      kernels::RmsNorm(in.view(), mean_square.data(), kEpsilon, factor, out.view());
      const reference::Column<float> one = reference::Column<float>::Ones(Eigen::Index(cols));
      reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
      reference::RmsNorm<float>(MatrixOf<float>(in.view()), ColumnOf<float>(mean_square.view()), kEpsilon,
                                scaled ? ColumnOf<float>(gamma.view()) : one, want);
      EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
      EXPECT_TRUE(out.Intact());
      kernels::RmsNorm(in.view(), mean_square.data(), kEpsilon, factor, in.view());
      EXPECT_TRUE(AllSame(in.view(), ViewOf(want))) << "in place";
      EXPECT_TRUE(in.Intact());
    }
  });
}

std::vector<float> LayerNormOf(std::vector<float> row, float epsilon) {
  const MutableView view(row.data(), 1, row.size());
  float mean = 0;
  float variance = 0;
  kernels::RowMean(view, &mean);
  kernels::RowVariance(view, &mean, &variance);
  kernels::LayerNorm(view, &mean, &variance, epsilon, nullptr, nullptr, view);
  return row;
}

TEST(LayerNormTest, K23TheWholeWidthAndEpsilonUnderTheRoot) {
  EXPECT_TRUE(AllNear(LayerNormOf({1, 2, 3, 4}, kEpsilon),
                      std::vector<double>{-1.3416354, -0.4472118, 0.4472118, 1.3416354}, {2e-7, 0}));
  // (±1 − 0) / √(1 + 3): outside the root ε would give 1/4.
  EXPECT_TRUE(AllSame(LayerNormOf({-1, 1}, 3.0f), {-0.5f, 0.5f}));
}

TEST(LayerNormTest, K23AConstantRowIsZeroAlsoWithoutEpsilon) {
  EXPECT_TRUE(AllSame(LayerNormOf({7, 7, 7, 7}, kEpsilon), {0, 0, 0, 0}));
  EXPECT_TRUE(AllSame(LayerNormOf({7, 7, 7, 7}, 0.0f), {0, 0, 0, 0}));
}

// 3 and 4: mean square 25/2.
TEST(RmsNormTest, HandWorkedNumbers) {
  std::vector<float> row{3, 4};
  const MutableView view(row.data(), 1, 2);
  float mean_square = 0;
  kernels::RowMeanSquare(view, &mean_square);
  kernels::RmsNorm(view, &mean_square, 0.0f, nullptr, view);
  EXPECT_TRUE(AllNear(row, std::vector<double>{3 / std::sqrt(12.5), 4 / std::sqrt(12.5)}, {1e-7, 0}));
  row = {0, 0};
  mean_square = 0;
  kernels::RmsNorm(view, &mean_square, 0.0f, nullptr, view);
  EXPECT_TRUE(AllSame(row, {0, 0}));
}

}  // namespace
}  // namespace loom::test
