#include "kernels/gelu.h"

#include <cstdio>

#include "eigen_support.h"
#include "reference/gelu.h"
#include "sweep.h"

namespace loom::test {
namespace {

// The promise: 2e-7·(1 + |x|).
double ShareOfPromise(float got, double want, float x) {
  return std::abs(double(got) - want) / (2e-7 * (1 + std::abs(double(x))));
}

struct Form {
  const char* name;
  void (*kernel)(const ConstView&, const MutableView&);
  void (*twin)(const reference::In<double>&, reference::Out<double>);
};
const Form kForms[] = {{"gelu", kernels::Gelu, reference::Gelu<double>},
                       {"gelu by tanh", kernels::GeluTanh, reference::GeluTanh<double>}};

TEST(GeluTest, K16NearTheTwinAtEverySize) {
  for (const Form& form : kForms) {
    Random random(93);
    EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
      Guarded in(rows, cols, layout);
      Guarded out(rows, cols, layout);
      in.Fill([&](std::size_t, std::size_t) { return 2 * random.Normal(); });
      form.kernel(in.view(), out.view());
      reference::Matrix<double> want = ZeroMatrix<double>(rows, cols);
      form.twin(MatrixOf<double>(in.view()), want);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
          EXPECT_LE(ShareOfPromise(out.view()(i, j), want(Eigen::Index(i), Eigen::Index(j)), in.view()(i, j)), 1);
        }
      }
      EXPECT_TRUE(out.Intact());
      form.kernel(in.view(), in.view());
      EXPECT_TRUE(AllSame(in.view(), out.view())) << "in place";
      EXPECT_TRUE(in.Intact());
    });
  }
}

TEST(GeluTest, KeepsItsPromise) {
  const std::vector<float> in = Sweep(20.0f, 1201);
  std::vector<float> out(in.size());
  for (const Form& form : kForms) {
    form.kernel(RowOf(in), MutableView(out.data(), 1, out.size()));
    reference::Matrix<double> want = ZeroMatrix<double>(1, in.size());
    form.twin(MatrixOf<double>(RowOf(in)), want);
    double worst = 0;
    for (std::size_t j = 0; j < in.size(); ++j) {
      const double share = ShareOfPromise(out[j], want(0, Eigen::Index(j)), in[j]);
      if (!(share <= worst)) worst = share;  // NaN becomes the worst
    }
    EXPECT_LE(worst, 1) << form.name;
    std::printf("%s, worst of %zu: %.3f of 2e-7 (1 + |x|)\n", form.name, in.size(), worst);
  }
}

// Relative: the polynomial (8.3e-8 and roundings) near 0; below, e^y with y rounded, |y| up to 85.
TEST(GeluTest, NegativeNumbersKeepTheirDigits) {
  std::vector<float> in;
  for (float x = -13.0f; x < 0; x += 0.001f) in.push_back(x);
  std::vector<float> out(in.size());
  double worst = 0;
  kernels::Gelu(RowOf(in), MutableView(out.data(), 1, out.size()));
  for (std::size_t j = 0; j < in.size(); ++j) {
    const double x = in[j];
    const double want = x * std::erfc(-x / std::sqrt(2.0)) / 2;
    worst = std::max(worst, std::abs(double(out[j]) - want) / std::abs(want));
  }
  EXPECT_LE(worst, 1e-5);
  std::printf("gelu on -13..0, worst relative error %.2e\n", worst);
  // Down to −9.5, from where on e^(−2u) is subnormal.
  kernels::GeluTanh(RowOf(in), MutableView(out.data(), 1, out.size()));
  worst = 0;
  for (std::size_t j = 0; j < in.size(); ++j) {
    const double x = in[j];
    if (x < -9.5) continue;
    const double want = x / (1 + std::exp(-2 * std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
    worst = std::max(worst, std::abs(double(out[j]) - want) / std::abs(want));
  }
  EXPECT_LE(worst, 3e-5);
  std::printf("gelu by tanh on -9.5..0, worst relative error %.2e\n", worst);
}

// Hendrycks and Gimpel's figure by hand: 1·Φ(1) = 0.841344746, −1·Φ(−1) = −0.158655254; by tanh 0.841191991.
TEST(GeluTest, HandWorkedNumbers) {
  std::vector<float> out(3);
  const std::vector<float> in{-1, 0, 1};
  kernels::Gelu(RowOf(in), MutableView(out.data(), 1, 3));
  EXPECT_TRUE(AllNear(out, std::vector<double>{-0.158655254, 0, 0.841344746}, {1e-7, 0}));
  kernels::GeluTanh(RowOf(in), MutableView(out.data(), 1, 3));
  EXPECT_TRUE(AllNear(out, std::vector<double>{-0.158808009, 0, 0.841191991}, {1e-7, 0}));
}

TEST(GeluTest, LimitsNaNAndTheSignOfZeroInEveryLane) {
  const std::vector<float> from{kInfinity, -kInfinity, kNaN, -kNaN, 0.0f, -0.0f, 3e38f, -3e38f, -15.0f};
  const std::vector<float> want{kInfinity, -0.0f, kNaN, kNaN, 0.0f, -0.0f, 3e38f, -0.0f, -0.0f};
  for (const Form& form : kForms) {
    for (std::size_t start = 0; start < from.size(); ++start) {
      std::vector<float> in(from.begin() + std::ptrdiff_t(start), from.end());
      const std::vector<float> expected(want.begin() + std::ptrdiff_t(start), want.end());
      form.kernel(RowOf(in), MutableView(in.data(), 1, in.size()));
      EXPECT_TRUE(AllSame(in, expected)) << form.name;
    }
  }
}

}  // namespace
}  // namespace loom::test
