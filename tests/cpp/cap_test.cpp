#include "kernels/cap.h"

#include <cstdio>

#include "eigen_support.h"
#include "reference/cap.h"
#include "sweep.h"

namespace loom::test {
namespace {

// The quotient, tanh (2 units in the last place) and the product round once each, and tanh makes no relative error
// larger: less than 2 + 1 + 1 units.
constexpr double kMaxRelative = 4 * 0x1p-23;

TEST(CapTest, K16NearTheTwinAtEverySize) {
  Random random(91);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded out(rows, cols, layout);
    in.Fill([&](std::size_t, std::size_t) { return 5 * random.Normal(); });
    kernels::Cap(in.view(), 3.0f, out.view());
    reference::Matrix<double> want = ZeroMatrix<double>(rows, cols);
    reference::Cap<double>(MatrixOf<double>(in.view()), 3.0, want);
    EXPECT_TRUE(AllNear(out.view(), ViewOf(want), {0, kMaxRelative}));
    EXPECT_TRUE(out.Intact());
    kernels::Cap(in.view(), 3.0f, in.view());
    EXPECT_TRUE(AllSame(in.view(), out.view())) << "in place";
    EXPECT_TRUE(in.Intact());
  });
}

// With a cap of 1 nothing but tanh rounds.
TEST(CapTest, TanhStaysWithinTwoUlp) {
  const std::vector<float> in = Sweep(12.0f, 1201);
  std::vector<float> out(in.size());
  kernels::Cap(RowOf(in), 1.0f, MutableView(out.data(), 1, out.size()));
  double worst = 0;
  for (std::size_t j = 0; j < in.size(); ++j) {
    const double ulp = UlpOf(out[j], std::tanh(double(in[j])));
    if (!(ulp <= worst)) worst = ulp;  // NaN becomes the worst
    ASSERT_LE(std::abs(out[j]), 1.0f) << in[j];
  }
  EXPECT_LE(worst, 2);
  std::printf("tanh, worst of %zu: %.4f ULP (limit 2)\n", in.size(), worst);
}

TEST(CapTest, SaturatesAtExactlyTheCap) {
  for (const float cap : {0.1f, 1.0f, 30.0f, 50.0f}) {
    for (const float x : {10.0f * cap, 1e30f, 3.4e38f, kInfinity}) {
      std::vector<float> in{x, -x};
      kernels::Cap(RowOf(in), cap, MutableView(in.data(), 1, 2));
      EXPECT_TRUE(AllSame(in, {cap, -cap})) << x << " capped at " << cap;
    }
  }
}

TEST(CapTest, AHugeCapIsNone) {
  Random random(92);
  Guarded in(9, 65);
  in.FillNormal(random);
  for (const float cap : {1e6f, 1e30f, 3.4e38f}) {
    Guarded out(9, 65);
    kernels::Cap(in.view(), cap, out.view());
    EXPECT_TRUE(AllSame(out.view(), in.view())) << cap;
  }
}

// At the change from the number itself to tanh, and from one form of tanh to the other.
TEST(CapTest, NeverFallsWhereTheNumberRises) {
  for (const float around : {0x1p-13f, 0.625f}) {
    std::vector<float> in;
    float x = around;
    for (int i = 0; i < 1000; ++i) x = std::nextafter(x, 0.0f);
    for (int i = 0; i < 2000; ++i, x = std::nextafter(x, 1.0f)) in.push_back(x);
    std::vector<float> out(in.size());
    kernels::Cap(RowOf(in), 1.0f, MutableView(out.data(), 1, out.size()));
    // Two results within 2 units of a rising truth.
    for (std::size_t j = 1; j < in.size(); ++j) EXPECT_GE(out[j], out[j - 1] * (1 - 4 * 0x1p-23f)) << in[j];
  }
}

TEST(CapTest, NaNAndTheSignOfZeroStayInEveryLane) {
  for (const std::size_t cols : kLengths) {
    for (std::size_t at = 0; at < cols; ++at) {
      for (const float x : {kNaN, -kNaN, 0.0f, -0.0f}) {
        Guarded in(1, cols);
        in.Fill([&](std::size_t, std::size_t j) { return j == at ? x : 0x1p-20f; });
        kernels::Cap(in.view(), 1.0f, in.view());
        for (std::size_t j = 0; j < cols; ++j) EXPECT_TRUE(IsSame(in.view()(0, j), j == at ? x : 0x1p-20f));
      }
    }
  }
}

}  // namespace
}  // namespace loom::test
