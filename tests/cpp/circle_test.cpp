#include "kernels/circle.h"

#include <algorithm>
#include <cstdio>

#include "support.h"

namespace loom::test {
namespace {

using kernels::DirectionOf;
using kernels::Frequency;

TEST(CircleTest, FrequencyNearThePower) {
  double worst = 0;
  for (const double base : {1.0, 2.0, 100.0, 10000.0, 500000.0, 1e6, 0.5}) {
    for (const std::size_t width : {1, 2, 3, 5, 7, 16, 48, 50, 63, 64, 100, 128, 1023, 1024}) {
      for (std::size_t pair = 0; 2 * pair < width; ++pair) {
        const double want = std::pow(base, -2.0 * double(pair) / double(width));
        const double off = std::abs(Frequency(base, pair, width) / want - 1);
        if (!(off <= worst)) worst = off;  // NaN becomes the worst
      }
    }
  }
  EXPECT_LE(worst, 1e-14);
  std::printf("frequency, worst relative error %.2e\n", worst);
  EXPECT_EQ(Frequency(10000, 0, 64), 1);
  EXPECT_EQ(Frequency(10000, 1, 4), 0.01);
}

TEST(CircleTest, DirectionNearSineAndCosine) {
  Random random(106);
  double worst = 0;
  const auto look = [&](double angle) {
    const kernels::Direction got = DirectionOf(angle);
    const double off = std::max(std::abs(got.cosine - std::cos(angle)), std::abs(got.sine - std::sin(angle)));
    if (!(off <= worst)) worst = off;
  };
  for (const double largest : {1.0, 10.0, 10000.0, 1e6}) {
    for (int i = 0; i < 100000; ++i) look((2 * random.Uniform() - 1) * largest);
  }
  // Around every eighth of a turn: where the quarter changes, and where sine or cosine is 0.
  for (int n = -80; n <= 80; ++n) {
    for (const double step : {-1e-9, 0.0, 1e-9}) look(n * 0.78539816339744831 + step);
  }
  for (int n = 0; n < 10000; ++n) look(n);
  EXPECT_LE(worst, 1e-12);
  std::printf("sine and cosine, worst error %.2e\n", worst);
}

TEST(CircleTest, ExactAtZeroAndNaNBeyondNumbers) {
  EXPECT_EQ(DirectionOf(0).cosine, 1);
  EXPECT_EQ(DirectionOf(0).sine, 0);
  for (const double angle : {double(kInfinity), -double(kInfinity), double(kNaN)}) {
    EXPECT_TRUE(std::isnan(DirectionOf(angle).cosine)) << angle;
    EXPECT_TRUE(std::isnan(DirectionOf(angle).sine)) << angle;
  }
}

}  // namespace
}  // namespace loom::test
