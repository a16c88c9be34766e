// Norms, activations, rotation and position codes on their own: against the formulas, and what they refuse.
#include "trace/standalone.h"

#include <functional>

#include "eigen_support.h"
#include "reference/angles.h"
#include "reference/gelu.h"
#include "reference/mean_square.h"
#include "reference/normalise.h"
#include "reference/relu.h"
#include "reference/rotate.h"
#include "reference/row_mean.h"
#include "reference/row_variance.h"
#include "reference/sinusoid.h"

namespace loom::test {
namespace {

using reference::Column;
using reference::Matrix;
using Floats = std::vector<float>;

Floats NormalFloats(std::size_t count, Random& random) {
  Floats numbers(count);
  for (float& x : numbers) x = random.Normal();
  return numbers;
}

ConstView Block(const Floats& data, std::size_t first, std::size_t rows, std::size_t cols) {
  return ConstView(data.data() + first, rows, cols);
}

// Each of the first `count` numbers in turn is refused under its place; nothing is changed.
void ExpectEachPlaceRefused(const Floats& start, std::size_t count, const std::function<Status(Floats&)>& call) {
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    for (std::size_t at = 0; at < count; ++at) {
      Floats data = start;
      data[at] = bad;
      const Floats before = data;
      const Status status = call(data);
      EXPECT_EQ(status.code, ErrorCode::kNotFinite) << at;
      EXPECT_EQ(status.param, Param::kData) << at;
      EXPECT_EQ(status.value, double(at));
      EXPECT_TRUE(AllSame(data, before)) << at;
    }
  }
}

TEST(StandaloneTest, K23NormsAreThoseOfTheFormulas) {
  Random random(151);
  for (const bool rms : {false, true}) {
    for (const std::size_t rows : {0u, 1u, 5u}) {
      for (const std::size_t cols : kLengths) {
        Floats data = NormalFloats((rows + 2) * cols + 2 * rows, random);
        const Matrix<double> in = MatrixOf<double>(Block(data, 0, rows, cols));
        const Column<double> gamma = ColumnOf<double>(Block(data, rows * cols, 1, cols));
        const Column<double> beta = ColumnOf<double>(Block(data, (rows + 1) * cols, 1, cols));
        Column<double> mean = Column<double>::Zero(in.rows()), variance(in.rows());
        Matrix<double> want(in.rows(), in.cols());
        const double epsilon = double(1e-3f);
        if (rms) {
          reference::RowMeanSquare<double>(in, variance);
          reference::RmsNorm<double>(in, variance, epsilon, gamma, want);
        } else {
          reference::RowMean<double>(in, mean);
          reference::RowVariance<double>(in, mean, variance);
          reference::LayerNorm<double>(in, mean, variance, epsilon, gamma, beta, want);
        }
        ASSERT_TRUE(Ok(NormaliseRows(data.data(), rows, cols, rms, 1e-3f)));
        EXPECT_TRUE(AllNear(Block(data, 0, rows, cols), ViewOf(want), {2e-5, 2e-6})) << rows << " x " << cols;
        const std::size_t behind = (rows + 2) * cols;
        if (!rms) EXPECT_TRUE(AllNear(Block(data, behind, 1, rows), ViewOf(mean), {1e-6, 1e-6}));
        EXPECT_TRUE(AllNear(Block(data, behind + rows, 1, rows), ViewOf(variance), {1e-6, 1e-6}));
      }
    }
  }
  Floats data = NormalFloats(4 * 3 + 4, random);
  data[12] = data[14] = kNaN;  // room for the means and variances: whatever it holds
  ExpectEachPlaceRefused(data, 12, [](Floats& d) { return NormaliseRows(d.data(), 2, 3, false, 0); });
}

TEST(StandaloneTest, ActivationsAreThoseOfTheFormulas) {
  Random random(152);
  for (const std::size_t count : kLengths) {
    const Floats start = NormalFloats(count, random);
    const Matrix<double> in = MatrixOf<double>(Block(start, 0, 1, count));
    Matrix<double> gelu = in, gelu_tanh = in, relu = in;
    reference::Gelu<double>(in, gelu);
    reference::GeluTanh<double>(in, gelu_tanh);
    reference::Relu<double>(in, relu);
    const std::pair<Activation, const Matrix<double>*> kinds[] = {
        {Activation::kGelu, &gelu}, {Activation::kGeluTanh, &gelu_tanh}, {Activation::kRelu, &relu}};
    for (const auto& [activation, want] : kinds) {
      Floats data = start;
      ASSERT_TRUE(Ok(ActivateAll(data.data(), count, activation)));
      EXPECT_TRUE(AllNear(Block(data, 0, 1, count), ViewOf(*want), {2e-7, 1e-6})) << int(activation);
    }
  }
  for (const Activation activation : {Activation::kGelu, Activation::kGeluTanh, Activation::kRelu}) {
    ExpectEachPlaceRefused(Floats(9, 1.0f), 9, [&](Floats& d) { return ActivateAll(d.data(), 9, activation); });
  }
}

TEST(StandaloneTest, K21RotationIsThatOfTheFormulasByPositionsOrByTables) {
  Random random(153);
  constexpr std::size_t kRows = 5;
  for (const std::size_t cols : {0u, 1u, 2u, 7u, 8u, 17u}) {
    for (std::size_t width = 0; width <= cols; width += 2) {
      for (const bool neighbours : {false, true}) {
        const std::size_t pairs = width / 2;
        Floats data = NormalFloats(kRows * (cols + 2 * pairs) + kRows, random);
        Column<double> positions = Column<double>::Zero(Eigen::Index{kRows});
        for (std::size_t r = 0; r < kRows; ++r) {
          data[kRows * (cols + 2 * pairs) + r] = float(random.Whole(-20, 5000));
          positions(Eigen::Index(r)) = double(data[kRows * (cols + 2 * pairs) + r]);
        }
        const Matrix<double> in = MatrixOf<double>(Block(data, 0, kRows, cols));
        Matrix<double> cosines = ZeroMatrix<double>(kRows, pairs), sines = cosines, want = in;
        reference::Angles<double>(positions, 500, cosines, sines);
        reference::Rotate<double>(in, cosines, sines, !neighbours, want);
        Floats by_tables = data;
        ASSERT_TRUE(Ok(RotateRows(data.data(), kRows, cols, width, neighbours, false, 500)));
        EXPECT_TRUE(AllNear(Block(data, 0, kRows, cols), ViewOf(want), {1e-6, 1e-6})) << cols << ", " << width;
        EXPECT_TRUE(AllNear(Block(data, kRows * cols, kRows, pairs), ViewOf(cosines), {1e-7, 1e-7}));
        // With the tables that were filled in.
        std::copy(data.begin() + std::ptrdiff_t(kRows * cols), data.end(),
                  by_tables.begin() + std::ptrdiff_t(kRows * cols));
        ASSERT_TRUE(Ok(RotateRows(by_tables.data(), kRows, cols, width, neighbours, true, 500)));
        EXPECT_TRUE(AllSame(by_tables, data));
      }
    }
  }
  ExpectEachPlaceRefused(Floats(2 * (3 + 2), 1.0f), 10,
                         [](Floats& d) { return RotateRows(d.data(), 2, 3, 2, false, true, 10000); });
}

TEST(StandaloneTest, K22PositionCodesAreThoseOfTheFormula) {
  for (const std::size_t cols : kLengths) {
    Guarded out(6, cols, {0, 1, 16});
    FillSinusoid(out.data(), 40, 6, cols, 300);
    Matrix<double> want = ZeroMatrix<double>(6, cols);
    reference::Sinusoid<double>(40, 300, want);
    EXPECT_TRUE(AllNear(out.view(), ViewOf(want), {1e-7, 1e-7})) << cols;
    EXPECT_TRUE(out.Intact());
  }
}

}  // namespace
}  // namespace loom::test
