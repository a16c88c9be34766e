#include "kernels/shift.h"

#include "eigen_support.h"
#include "kernels/rowmax.h"
#include "reference/shift.h"

namespace loom::test {
namespace {

// Subtraction and division, rounded once each, on both sides: equal in float.
TEST(ShiftTest, K16EqualsTheTwinAtEverySizeAndTemperature) {
  for (const float temperature : {1.0f, 0.7f, 3.0f, 0.0f}) {
    SCOPED_TRACE(temperature);
    Random random(31);
    EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
      Guarded in(rows, cols, layout);
      Guarded out(rows, cols, layout);
      Guarded rowmax(1, rows, layout);
      in.Fill([&](std::size_t i, std::size_t) { return i == 1 || random.Chance(0.2) ? -kInfinity : random.Normal(); });
      kernels::RowMax(in.view(), rowmax.data());
      kernels::Shift(in.view(), rowmax.data(), temperature, out.view());
      reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
      reference::Shift<float>(MatrixOf<float>(in.view()), ColumnOf<float>(rowmax.view()), temperature, want);
      EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
      EXPECT_TRUE(out.Intact());
      kernels::Shift(in.view(), rowmax.data(), temperature, in.view());
      EXPECT_TRUE(AllSame(in.view(), ViewOf(want))) << "in place";
      EXPECT_TRUE(in.Intact());
    });
  }
}

TEST(ShiftTest, K16WithoutAMaximumOnlyTheTemperatureIsLeft) {
  for (const float temperature : {1.0f, 0.7f, 3.0f}) {
    SCOPED_TRACE(temperature);
    Random random(32);
    EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
      Guarded in(rows, cols, layout);
      Guarded out(rows, cols, layout);
      in.Fill([&](std::size_t, std::size_t) { return random.Chance(0.2) ? -kInfinity : random.Normal(); });
      kernels::Shift(in.view(), nullptr, temperature, out.view());
      const Guarded want =
          Guarded(rows, cols, layout).Fill([&](std::size_t i, std::size_t j) { return in.view()(i, j) / temperature; });
      EXPECT_TRUE(AllSame(ConstView(out.view()), want.view()));
      EXPECT_TRUE(out.Intact());
    });
  }
}

TEST(ShiftTest, K01ARowWithNothingToSeeIsMinusInfinityThroughout) {
  for (const float temperature : {1.0f, 0.5f, 0.0f}) {
    for (const std::size_t cols : kLengths) {
      Guarded in(1, cols);
      in.Fill([](std::size_t, std::size_t) { return -kInfinity; });
      const float rowmax = -kInfinity;
      kernels::Shift(in.view(), &rowmax, temperature, in.view());
      for (std::size_t j = 0; j < cols; ++j) EXPECT_EQ(in.view()(0, j), -kInfinity);
    }
  }
}

TEST(ShiftTest, TiesShareAtTemperatureZero) {
  std::vector<float> row{1, 3, 2, 3, -kInfinity, 3};
  const float rowmax = 3;
  kernels::Shift(RowOf(row), &rowmax, 0.0f, MutableView(row.data(), 1, row.size()));
  EXPECT_TRUE(AllSame(row, {-kInfinity, 0, -kInfinity, 0, -kInfinity, 0}));
}

TEST(ShiftTest, NaNStaysAtEveryTemperature) {
  for (const float temperature : {1.0f, 0.5f, 0.0f}) {
    for (const std::size_t cols : kLengths) {
      for (std::size_t at = 0; at < cols; ++at) {
        Guarded in(1, cols);
        in.Fill([&](std::size_t, std::size_t j) { return j == at ? kNaN : 1.0f; });
        const float rowmax = 1;
        kernels::Shift(in.view(), &rowmax, temperature, in.view());
        for (std::size_t j = 0; j < cols; ++j) EXPECT_TRUE(IsSame(in.view()(0, j), j == at ? kNaN : 0.0f));
      }
    }
  }
}

}  // namespace
}  // namespace loom::test
