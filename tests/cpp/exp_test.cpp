#include "kernels/exp.h"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "eigen_support.h"
#include "reference/exp.h"

namespace loom::test {
namespace {

constexpr double kMaxUlp = 2;

// Distance from the true value in units in the last place of float32 at that value.
double UlpOf(float got, float x) {
  const double want = std::exp(double(x));
  const int exponent = std::max(std::ilogb(want), -126);
  return std::abs(double(got) - want) / std::ldexp(1.0, exponent - 23);
}

// Of the float32 numbers that next() gives, in rows of one size that leaves a remainder on every target.
template <class Next>
double WorstUlp(const Next& next) {
  constexpr std::size_t kCols = 1027;
  std::vector<float> in(kCols);
  std::vector<float> out(kCols);
  double worst = 0;
  for (bool more = true; more;) {
    std::size_t count = 0;
    while (count < kCols && (more = next(in[count]))) ++count;
    kernels::Exp(ConstView(in.data(), 1, count), MutableView(out.data(), 1, count));
    for (std::size_t j = 0; j < count; ++j) {
      const double ulp = UlpOf(out[j], in[j]);
      if (!(ulp <= worst)) worst = ulp;  // NaN becomes the worst
    }
  }
  return worst;
}

// The last float32 whose e^x is within the range.
constexpr float kLast = 88.72283f;

TEST(ExpTest, StaysWithinTwoUlpFromMinus87Point3To88Point7) {
  // Every 601st float32 of all exponents (for a release every one), and a million steps of equal size, as half of all
  // floats lie below 1e-19.
  const std::uint32_t stride = Amount(601u, 1u);
  for (const float end : {-87.3f, kLast}) {
    std::uint32_t bits = std::bit_cast<std::uint32_t>(std::copysign(0.0f, end));
    const std::uint32_t first = bits;
    const std::uint32_t last = std::bit_cast<std::uint32_t>(end);
    const double by_exponent = WorstUlp([&](float& x) {
      if (bits > last) return false;
      x = std::bit_cast<float>(bits);
      bits += stride;
      return true;
    });
    int step = 0;
    const double by_size = WorstUlp([&](float& x) {
      x = end * float(step) / 1000000.0f;
      return step++ <= 1000000;
    });
    EXPECT_LE(by_exponent, kMaxUlp);
    EXPECT_LE(by_size, kMaxUlp);
    std::printf("exp from 0 to %.5f, worst of %.1f million: %.4f ULP (limit %.0f)\n", double(end),
                1 + double(last - first) / stride / 1e6, std::max(by_exponent, by_size), kMaxUlp);
  }
}

// Exactly 0 and −∞ aside, both sides round to within 2 and 1 units in the last place.
TEST(ExpTest, K16NearTheTwinAtEverySize) {
  Random random(81);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded out(rows, cols, layout);
    in.Fill([&](std::size_t, std::size_t) { return random.Chance(0.1) ? -kInfinity : 5 * random.Normal(); });
    kernels::Exp(in.view(), out.view());
    reference::Matrix<double> want = ZeroMatrix<double>(rows, cols);
    reference::Exp<double>(MatrixOf<double>(in.view()), want);
    EXPECT_TRUE(AllNear(out.view(), ViewOf(want), {0, kMaxUlp * 0x1p-23}));
    EXPECT_TRUE(out.Intact());
    kernels::Exp(in.view(), in.view());
    EXPECT_TRUE(AllSame(in.view(), out.view())) << "in place";
    EXPECT_TRUE(in.Intact());
  });
}

// Runs x in every lane and every remainder.
void ExpectEverywhere(float x, const std::function<bool(float)>& holds) {
  for (const std::size_t cols : kLengths) {
    for (std::size_t at = 0; at < cols; ++at) {
      Guarded in(1, cols);
      in.Fill([&](std::size_t, std::size_t j) { return j == at ? x : -1.0f; });
      kernels::Exp(in.view(), in.view());
      EXPECT_TRUE(holds(in.view()(0, at))) << "e^" << x << " = " << in.view()(0, at) << " at " << at << " of " << cols;
      for (std::size_t j = 0; j < cols; ++j) {
        if (j != at) EXPECT_LE(UlpOf(in.view()(0, j), -1.0f), kMaxUlp);
      }
    }
  }
}

TEST(ExpTest, IsExactlyOneAtZero) {
  ExpectEverywhere(0.0f, [](float y) { return IsSame(y, 1.0f); });
  ExpectEverywhere(-0.0f, [](float y) { return IsSame(y, 1.0f); });
}

TEST(ExpTest, IsExactlyZeroAtMinusInfinity) {
  ExpectEverywhere(-kInfinity, [](float y) { return IsSame(y, 0.0f); });
  ExpectEverywhere(-3.4e38f, [](float y) { return IsSame(y, 0.0f); });
}

TEST(ExpTest, IsExactlyInfinityAboveTheRangeOfFloat32) {
  ExpectEverywhere(std::nextafter(kLast, kInfinity), [](float y) { return y == kInfinity; });
  for (const float x : {89.0f, 128.0f, 1000.0f, 1e10f, 3.4e38f, kInfinity}) {
    ExpectEverywhere(x, [](float y) { return y == kInfinity; });
  }
  ExpectEverywhere(kLast, [](float y) { return std::isfinite(y) && UlpOf(y, kLast) <= kMaxUlp; });
}

TEST(ExpTest, NaNStaysNaN) {
  ExpectEverywhere(kNaN, [](float y) { return std::isnan(y); });
  ExpectEverywhere(-kNaN, [](float y) { return std::isnan(y); });
}

// Down to the last float32 whose e^x is a normal number, and 0 from the next one on.
TEST(ExpTest, K41IsNeverSubnormal) {
  std::vector<float> in;
  for (float x = -87.33f; x > -87.34f; x = std::nextafter(x, -kInfinity)) in.push_back(x);
  for (float x = -87.34f; x > -110.0f; x -= 0.001f) in.push_back(x);
  std::vector<float> out(in.size());
  kernels::Exp(RowOf(in), MutableView(out.data(), 1, out.size()));
  for (std::size_t j = 0; j < in.size(); ++j) {
    if (std::exp(double(in[j])) >= double(std::numeric_limits<float>::min())) {
      EXPECT_LE(UlpOf(out[j], in[j]), kMaxUlp) << in[j];
    } else {
      EXPECT_TRUE(IsSame(out[j], 0.0f)) << in[j];
    }
  }
}

// Ties of the reduction: x / ln 2 half way between two whole numbers.
TEST(ExpTest, StaysWithinTwoUlpAroundEachTieOfTheReduction) {
  std::vector<float> in;
  for (int n = -125; n < 127; ++n) {
    float x = float((n + 0.5) * 0.69314718055994531);
    for (int i = 0; i < 8; ++i) x = std::nextafter(x, kInfinity);
    for (int i = 0; i < 17; ++i, x = std::nextafter(x, -kInfinity)) in.push_back(x);
  }
  std::vector<float> out(in.size());
  kernels::Exp(RowOf(in), MutableView(out.data(), 1, out.size()));
  for (std::size_t j = 0; j < in.size(); ++j) EXPECT_LE(UlpOf(out[j], in[j]), kMaxUlp) << in[j];
}

TEST(ExpTest, TheTwinTakesMinusInfinityToExactlyZero) {
  for (const std::size_t cols : kLengths) {
    Guarded in(1, cols);
    in.Fill([](std::size_t, std::size_t) { return -kInfinity; });
    reference::Matrix<double> out = reference::Matrix<double>::Ones(1, Eigen::Index(cols));
    reference::Exp<double>(MatrixOf<double>(in.view()), out);
    EXPECT_TRUE((out.array() == 0.0).all());
  }
}

}  // namespace
}  // namespace loom::test
