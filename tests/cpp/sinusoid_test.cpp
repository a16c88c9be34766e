#include "kernels/sinusoid.h"

#include "eigen_support.h"
#include "reference/sinusoid.h"

namespace loom::test {
namespace {

// As in AnglesTest.
constexpr Tolerance kRounded{1e-10, 0x1p-24};

TEST(SinusoidTest, K16NearTheTwinAtEverySize) {
  Random random(105);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    const double first = random.Whole(0, 8000);
    Guarded out(rows, cols, layout);
    kernels::Sinusoid(first, 10000, out.view());
    reference::Matrix<double> want = ZeroMatrix<double>(rows, cols);
    reference::Sinusoid<double>(first, 10000, want);
    EXPECT_TRUE(AllNear(out.view(), ViewOf(want), kRounded));
    EXPECT_TRUE(out.Intact());
  });
}

TEST(SinusoidTest, K22AnOddWidthEndsWithASine) {
  Guarded out(1, 5);
  kernels::Sinusoid(1, 10000, out.view());
  const std::vector<double> want{0.8414710, 0.5403023, 0.0251162, 0.9996845, 0.0006310};
  EXPECT_TRUE(AllNear(ConstView(out.view()), RowOf(want), {1e-7, 0}));
  EXPECT_TRUE(out.Intact());
}

}  // namespace
}  // namespace loom::test
