#include "kernels/divide.h"

#include "eigen_support.h"
#include "reference/divide.h"

namespace loom::test {
namespace {

// One division, correctly rounded on both sides: equal in float. (Multiplying by 1/rowsum would round twice.)
TEST(DivideTest, K16EqualsTheTwinAtEverySize) {
  Random random(41);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded out(rows, cols, layout);
    Guarded rowsum(1, rows, layout);
    in.Fill([&](std::size_t, std::size_t) { return float(random.Uniform()); });
    rowsum.Fill([&](std::size_t, std::size_t i) { return i == 2 ? 0.0f : 1.0f + 5.0f * float(random.Uniform()); });
    kernels::Divide(in.view(), rowsum.data(), out.view());
    reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
    reference::Divide<float>(MatrixOf<float>(in.view()), ColumnOf<float>(rowsum.view()), want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
    kernels::Divide(in.view(), rowsum.data(), in.view());
    EXPECT_TRUE(AllSame(in.view(), ViewOf(want))) << "in place";
    EXPECT_TRUE(in.Intact());
  });
}

TEST(DivideTest, K01ARowWhoseSumIsZeroBecomesPlusZero) {
  for (const float zero : {0.0f, -0.0f}) {
    for (const std::size_t cols : kLengths) {
      Guarded in(1, cols);
      in.Fill([](std::size_t, std::size_t) { return -0.0f; });
      kernels::Divide(in.view(), &zero, in.view());
      for (std::size_t j = 0; j < cols; ++j) EXPECT_TRUE(IsSame(in.view()(0, j), 0.0f));
    }
  }
}

TEST(DivideTest, ANotFiniteSumIsNotHidden) {
  for (const std::size_t cols : kLengths) {
    Guarded in(1, cols);
    in.Fill([](std::size_t, std::size_t) { return 1.0f; });
    const float sum = kNaN;
    kernels::Divide(in.view(), &sum, in.view());
    for (std::size_t j = 0; j < cols; ++j) EXPECT_TRUE(std::isnan(in.view()(0, j)));
  }
}

TEST(DivideTest, ABlockedKeyHasTheWeightZeroAlsoInARowThatIsNotFinite) {
  for (const std::size_t cols : kLengths) {
    Guarded in(1, cols);
    in.Fill([](std::size_t, std::size_t j) { return j % 2 == 0 ? 0.0f : kNaN; });
    const float sum = kNaN;
    kernels::Divide(in.view(), &sum, in.view());
    for (std::size_t j = 0; j < cols; ++j) {
      if (j % 2 == 0) {
        EXPECT_TRUE(IsSame(in.view()(0, j), 0.0f));
      } else {
        EXPECT_TRUE(std::isnan(in.view()(0, j)));
      }
    }
  }
}

}  // namespace
}  // namespace loom::test
