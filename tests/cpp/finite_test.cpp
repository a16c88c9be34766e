#include "kernels/finite.h"

#include "support.h"

namespace loom::test {
namespace {

using kernels::FirstNotFinite;
using kernels::kAllFinite;

TEST(FiniteTest, K16EverySizeOfFiniteNumbersPassesAmongGuards) {
  Random random(51);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    in.FillNormal(random);
    EXPECT_EQ(FirstNotFinite(in.view(), false), kAllFinite);
    EXPECT_EQ(FirstNotFinite(in.view(), true), kAllFinite);
  });
}

TEST(FiniteTest, TheFirstOneIsFoundAtEveryPlace) {
  for (const float bad : {kNaN, -kNaN, kInfinity, -kInfinity}) {
    for (const std::size_t cols : kLengths) {
      for (std::size_t at = 0; at < 2 * cols; ++at) {
        Guarded in(2, cols, {3, 1, 16});
        in.Fill([](std::size_t, std::size_t) { return 3e38f; });
        in.view()(at / cols, at % cols) = bad;
        in.view()(1, cols - 1) = bad;  // a later one does not matter
        EXPECT_EQ(FirstNotFinite(in.view(), false), at) << bad << " in 2 x " << cols;
      }
    }
  }
}

TEST(FiniteTest, MinusInfinityPassesWhereItIsAllowedAndNothingElseDoes) {
  for (const std::size_t cols : kLengths) {
    Guarded in(2, cols, {1, 2, 16});
    in.Fill([](std::size_t i, std::size_t j) { return (i + j) % 3 == 0 ? -kInfinity : 1.0f; });
    EXPECT_EQ(FirstNotFinite(in.view(), true), kAllFinite);
    for (const float bad : {kNaN, -kNaN, kInfinity}) {
      for (std::size_t at = 0; at < 2 * cols; ++at) {
        Guarded one(2, cols);
        one.CopyFrom(in.view());
        one.view()(at / cols, at % cols) = bad;
        EXPECT_EQ(FirstNotFinite(one.view(), true), at) << bad << " in 2 x " << cols;
      }
    }
  }
}

TEST(FiniteTest, SubnormalAndLargestNumbersAreFinite) {
  const std::vector<float> row{1e-45f, -1e-45f, 3.4028235e38f, -3.4028235e38f, -0.0f};
  EXPECT_EQ(FirstNotFinite(RowOf(row), false), kAllFinite);
}

}  // namespace
}  // namespace loom::test
