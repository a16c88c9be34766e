// The functions of our own against the C library's, which are right to about one unit in the last place.
#include "kernels/double_math.h"

#include <functional>

#include "support.h"

namespace loom::test {
namespace {

// Calls visit for evenly spread numbers of both signs up to `largest`, and for smaller and smaller ones.
void Each(double largest, const std::function<void(double)>& visit) {
  constexpr int kSteps = 400000;
  for (int i = -kSteps; i <= kSteps; ++i) visit(largest * double(i) / kSteps);
  for (double x = largest; x > 1e-300; x *= 0.97) {
    visit(x);
    visit(-x);
  }
}

double Relative(double got, double want) { return want == 0 ? std::abs(got) : std::abs(got - want) / std::abs(want); }

struct Worst {
  double error = 0;
  double at = 0;
  void Take(double e, double x) {
    if (!(e <= error)) {
      error = e;
      at = x;
    }
  }
  void ExpectAtMost(double bound, const char* name) const {
    std::printf("%s, worst: %.2e at %.17g (limit %.0e)\n", name, error, at, bound);
    EXPECT_LE(error, bound) << name << " at " << at;
  }
};

TEST(DoubleMathTest, ExpIsWithin1e14Relative) {
  Worst worst;
  Each(708, [&](double x) { worst.Take(Relative(kernels::ExpOf(x), std::exp(x)), x); });
  worst.ExpectAtMost(1e-14, "exp");
}

TEST(DoubleMathTest, ExpBelowTheNormalRangeIsNearAndThen0) {
  for (double x = -708; x > -760; x -= 0.01) {
    EXPECT_NEAR(kernels::ExpOf(x), std::exp(x), 1e-14 * std::exp(x) + 0x1p-1074) << x;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(kernels::ExpOf(-infinity), 0);
  EXPECT_EQ(kernels::ExpOf(infinity), infinity);
  EXPECT_EQ(kernels::ExpOf(0), 1);
  EXPECT_TRUE(std::isnan(kernels::ExpOf(double(kNaN))));
  EXPECT_NEAR(kernels::ExpOf(709.7) / std::exp(709.7), 1, 1e-14);
  EXPECT_EQ(kernels::ExpOf(710), infinity);
}

TEST(DoubleMathTest, LogIsWithin1e14Relative) {
  Worst worst;
  const auto take = [&](double x) { worst.Take(Relative(kernels::LogOf(x), std::log(x)), x); };
  for (double x = 1e-300; x < 1e300; x *= 1.003) take(x);
  for (int i = 1; i <= 1000000; ++i) take(double(i) / 400000);
  // On both sides of 1, where the logarithm is 0.
  for (double d = 1; d > 1e-16; d *= 0.99) {
    take(1 + d);
    if (d < 1) take(1 - d);
  }
  worst.ExpectAtMost(1e-14, "log");
  EXPECT_EQ(kernels::LogOf(1), 0);
}

TEST(DoubleMathTest, TanhIsWithin1e14Relative) {
  Worst worst;
  for (const double largest : {0.03, 1.0, 25.0}) {
    Each(largest, [&](double x) { worst.Take(Relative(kernels::TanhOf(x), std::tanh(x)), x); });
  }
  worst.ExpectAtMost(1e-14, "tanh");
  for (const double x : {50.0, 1e3, 1e300}) {
    EXPECT_EQ(kernels::TanhOf(x), 1);
    EXPECT_EQ(kernels::TanhOf(-x), -1);
  }
}

TEST(DoubleMathTest, ErfIsWithin4e15) {
  Worst worst;
  for (const double largest : {0.5, 2.0, 7.0}) {
    Each(largest, [&](double x) { worst.Take(std::abs(kernels::ErfOf(x) - std::erf(x)), x); });
  }
  worst.ExpectAtMost(4e-15, "erf");
  for (const double x : {7.0, 1e3, 1e300}) {
    EXPECT_EQ(kernels::ErfOf(x), 1);
    EXPECT_EQ(kernels::ErfOf(-x), -1);
  }
}

}  // namespace
}  // namespace loom::test
