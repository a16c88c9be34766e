#include "kernels/max_abs.h"

#include <algorithm>

#include "support.h"

namespace loom::test {
namespace {

TEST(MaxAbsTest, IsTheLargestAtEverySize) {
  Random random(111);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    in.FillNormal(random);
    float want = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) want = std::max(want, std::abs(in.view()(i, j)));
    }
    EXPECT_TRUE(IsSame(kernels::MaxAbs(in.view()), want));
  });
}

TEST(MaxAbsTest, IsInfiniteWhereACellIsNotFinite) {
  for (const float bad : {kNaN, -kNaN, kInfinity, -kInfinity}) {
    for (const std::size_t cols : kLengths) {
      for (std::size_t at = 0; at < cols; ++at) {
        Guarded in(1, cols);
        in.Fill([&](std::size_t, std::size_t j) { return j == at ? bad : -3.4e38f; });
        EXPECT_EQ(kernels::MaxAbs(in.view()), kInfinity) << bad << " at " << at << " of " << cols;
      }
    }
  }
}

}  // namespace
}  // namespace loom::test
