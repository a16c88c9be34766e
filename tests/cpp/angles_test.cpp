#include "kernels/angles.h"

#include "eigen_support.h"
#include "reference/angles.h"

namespace loom::test {
namespace {

// The angle is off by some 1e-14 of itself, its sine and cosine by 1e-13, then one rounding to float32.
constexpr Tolerance kRounded{1e-10, 0x1p-24};

TEST(AnglesTest, K16NearTheTwinAtEverySize) {
  Random random(104);
  EachSizeAndLayout([&](std::size_t rows, std::size_t pairs, Layout layout) {
    const double first = random.Whole(0, 8000);
    Guarded positions(1, rows, layout);
    for (const bool given : {false, true}) {
      positions.Fill(
          [&](std::size_t, std::size_t r) { return given ? float(random.Whole(0, 8191)) : float(first + double(r)); });
      Guarded cosines(rows, pairs, layout);
      Guarded sines(rows, pairs, layout);
      kernels::Angles(given ? positions.data() : nullptr, first, 10000, cosines.view(), sines.view());
      reference::Matrix<double> want_cosines = ZeroMatrix<double>(rows, pairs);
      reference::Matrix<double> want_sines = ZeroMatrix<double>(rows, pairs);
      reference::Angles<double>(ColumnOf<double>(positions.view()), 10000, want_cosines, want_sines);
      EXPECT_TRUE(AllNear(cosines.view(), ViewOf(want_cosines), kRounded));
      EXPECT_TRUE(AllNear(sines.view(), ViewOf(want_sines), kRounded));
      EXPECT_TRUE(cosines.Intact());
      EXPECT_TRUE(sines.Intact());
    }
  });
}

// w = 4: one radian a position, and 1/100.
TEST(AnglesTest, HandWorkedNumbers) {
  std::vector<float> cosines(4);
  std::vector<float> sines(4);
  kernels::Angles(nullptr, 0, 10000, MutableView(cosines.data(), 2, 2), MutableView(sines.data(), 2, 2));
  EXPECT_TRUE(AllNear(cosines, std::vector<double>{1, 1, 0.540302306, 0.999950000}, {1e-7, 0}));
  EXPECT_TRUE(AllNear(sines, std::vector<double>{0, 0, 0.841470985, 0.009999833}, {1e-7, 0}));
}

}  // namespace
}  // namespace loom::test
