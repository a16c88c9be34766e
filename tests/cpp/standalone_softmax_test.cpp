#include "eigen_support.h"
#include "matrix/memory.h"
#include "reference/divide.h"
#include "reference/exp.h"
#include "reference/rowmax.h"
#include "reference/rowsum.h"
#include "reference/shift.h"
#include "trace/standalone.h"

namespace loom::test {
namespace {

using Floats = std::vector<float>;

constexpr Tolerance kClose{2e-6, 2e-6};

Floats Softmax(Floats row, bool log = false) {
  EXPECT_TRUE(Ok(SoftmaxAlong(row.data(), 1, row.size(), 1, log)));
  return row;
}

TEST(SoftmaxTest, K15ScoresOfAnySizeGiveTheirSoftmax) {
  EXPECT_TRUE(AllNear(Softmax({1000, 1000, 999}), Floats{0.4223188f, 0.4223188f, 0.1553624f}, kClose));
  EXPECT_TRUE(AllNear(Softmax({-1000, -1001}), Floats{0.7310586f, 0.2689414f}, kClose));
  EXPECT_TRUE(AllSame(Softmax({3e38f, -3e38f}), {1, 0}));
}

TEST(SoftmaxTest, K01ARowOfNothingButMinusInfinityBecomesZeros) {
  for (const std::size_t n : kLengths) {
    EXPECT_TRUE(AllSame(Softmax(Floats(n, -kInfinity)), Floats(n, 0.0f)));
    EXPECT_TRUE(AllSame(Softmax(Floats(n, -kInfinity), true), Floats(n, -kInfinity)));
  }
}

TEST(SoftmaxTest, MinusInfinityHasExactlyNoShare) {
  EXPECT_TRUE(AllSame(Softmax({0, -kInfinity}), {1, 0}));
  EXPECT_TRUE(AllSame(Softmax({-kInfinity, 5, 5}), {0, 0.5f, 0.5f}));
  EXPECT_TRUE(AllNear(Softmax({0, -kInfinity, 0}, true), Floats{-0.6931472f, -kInfinity, -0.6931472f}, kClose));
}

TEST(SoftmaxTest, TheLogarithmIsThatOfTheShares) {
  EXPECT_TRUE(AllNear(Softmax({1, 2, 3}, true), Floats{-2.4076059f, -1.4076059f, -0.4076059f}, kClose));
  EXPECT_TRUE(AllSame(Softmax({42}, true), {0}));
  // A share of e^-200 is 0 in float32, its logarithm is not −∞.
  EXPECT_TRUE(AllNear(Softmax({0, -200}, true), Floats{0, -200}, kClose));
}

// Along any axis of [outer, length, inner], against the formula in double.
TEST(SoftmaxTest, K10K16EveryAxisIsNearTheTwin) {
  Random random(121);
  for (const std::size_t outer : {0u, 1u, 3u}) {
    for (const std::size_t inner : {0u, 1u, 2u, 5u}) {
      for (const std::size_t length : kLengths) {
        for (const bool log : {false, true}) {
          Guarded data(outer * length, inner, {0, 1, 16});
          data.Fill([&](std::size_t, std::size_t) { return random.Chance(0.1) ? -kInfinity : 4 * random.Normal(); });
          Guarded rows(outer * inner, length);
          rows.Fill([&](std::size_t r, std::size_t j) { return data.view()(r / inner * length + j, r % inner); });
          ASSERT_TRUE(Ok(SoftmaxAlong(data.data(), outer, length, inner, log)));
          EXPECT_TRUE(data.Intact());

          using reference::Matrix;
          const Matrix<double> in = MatrixOf<double>(rows.view());
          Matrix<double> shifted = in, exp = in, shares = in;
          reference::Column<double> rowmax(in.rows()), rowsum(in.rows());
          reference::RowMax<double>(in, rowmax);
          reference::Shift<double>(in, rowmax, 1.0, shifted);
          reference::Exp<double>(shifted, exp);
          reference::RowSum<double>(exp, rowsum);
          reference::Divide<double>(exp, rowsum, shares);
          for (std::size_t r = 0; r < outer * inner; ++r) {
            const auto i = Eigen::Index(r);
            for (std::size_t j = 0; j < length; ++j) {
              const double share = shares(i, Eigen::Index(j));
              const double log_share =
                  rowsum(i) == 0 ? -double(kInfinity) : shifted(i, Eigen::Index(j)) - std::log(rowsum(i));
              const float got = data.view()(r / inner * length + j, r % inner);
              EXPECT_TRUE(IsNear(got, log ? log_share : share, kClose))
                  << got << ", outer " << outer << ", length " << length << ", inner " << inner << ", log " << log;
            }
          }
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(SoftmaxTest, EachPlaceAlongTheAxisHasItsOwnSoftmax) {
  // [2, 2, 2] along the middle axis.
  Floats data{0, 1000, 0, 1000, 5, -kInfinity, -kInfinity, 7};
  ASSERT_TRUE(Ok(SoftmaxAlong(data.data(), 2, 2, 2, false)));
  EXPECT_TRUE(AllSame(data, {0.5f, 0.5f, 0.5f, 0.5f, 1, 0, 0, 1}));
}

TEST(SoftmaxTest, NaNAndPlusInfinityAreRefusedAndNothingIsChanged) {
  for (const float bad : {kNaN, kInfinity}) {
    for (std::size_t at = 0; at < 12; ++at) {
      Floats data(12, 1.0f);
      data[0] = -kInfinity;
      data[at] = bad;
      const Floats before = data;
      const LiveMemory live = Live();
      const Status status = SoftmaxAlong(data.data(), 2, 3, 2, false);
      EXPECT_EQ(status.code, ErrorCode::kNotFinite);
      EXPECT_EQ(status.param, Param::kData);
      EXPECT_EQ(status.value, double(at));
      EXPECT_TRUE(AllSame(data, before));
      EXPECT_EQ(Live().buffers, live.buffers);
    }
  }
}

TEST(SoftmaxTest, K17NothingToDoNeedsNoMemoryAndNoData) {
  RefuseAllocation(1);
  EXPECT_TRUE(Ok(SoftmaxAlong(nullptr, 0, 5, 5, false)));
  EXPECT_TRUE(Ok(SoftmaxAlong(nullptr, 5, 0, 5, false)));
  EXPECT_TRUE(Ok(SoftmaxAlong(nullptr, 5, 5, 0, true)));
  RefuseAllocation(0);
}

// Distance in units in the last place of the true share, or nothing where that is below float32's normal range.
double UlpOfShare(float got, double want) {
  if (want < double(std::numeric_limits<float>::min())) return 0;
  return std::abs(double(got) - want) / std::ldexp(1.0, std::ilogb(want) - 23);
}

// Goals for shares of scores within ±8: 999 of 1000 within `most`, all within `worst_allowed` and within 3n + 3.
void ExpectAccurate(std::size_t n, int rounds, double most, double worst_allowed, double row_sum_error) {
  Random random(122 + n);
  std::size_t above = 0;
  double worst = 0;
  for (int round = 0; round < rounds; ++round) {
    Floats row(n);
    for (float& x : row) x = float(16 * random.Uniform() - 8);
    const Floats shares = Softmax(row);
    double sum = 0;
    for (const float x : row) sum += std::exp(double(x));
    double total = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double ulp = UlpOfShare(shares[j], std::exp(double(row[j])) / sum);
      if (!(ulp <= most)) ++above;
      if (!(ulp <= worst)) worst = ulp;
      total += double(shares[j]);
    }
    EXPECT_NEAR(total, 1, row_sum_error);
  }
  std::printf("softmax of %zu, %d rows: worst %.2f ULP, %zu above %.0f\n", n, rounds, worst, above, most);
  EXPECT_LE(worst, 3 * double(n) + 3);
  EXPECT_LE(double(above), 0.001 * double(n) * rounds) << "more than one share in a thousand above " << most << " ULP";
  EXPECT_LE(worst, worst_allowed);
}

TEST(SoftmaxTest, SharesOf64AreWithin16UlpAndSumTo1) { ExpectAccurate(64, Amount(1000, 8'000'000), 16, 32, 1e-6); }
TEST(SoftmaxTest, SharesOf512AreWithin32UlpAndSumTo1) { ExpectAccurate(512, Amount(150, 1'000'000), 32, 64, 4e-6); }
TEST(SoftmaxTest, SharesOf3AreWithin12Ulp) { ExpectAccurate(3, Amount(1000, 1'000'000), 12, 12, 1e-6); }

}  // namespace
}  // namespace loom::test
