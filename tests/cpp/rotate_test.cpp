#include "kernels/rotate.h"

#include "eigen_support.h"
#include "kernels/angles.h"
#include "reference/rotate.h"

namespace loom::test {
namespace {

using kernels::Pairing;

// The same roundings on both sides: equal. Every width up to d that is even, so also columns that are only copied.
TEST(RotateTest, K16EqualsTheTwinAtEverySizeAndWidth) {
  Random random(103);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    for (std::size_t pairs = cols / 2;; pairs /= 2) {
      for (const Pairing pairing : {Pairing::kNeighbour, Pairing::kHalf}) {
        Guarded in(rows, cols, layout);
        Guarded cosines(rows, pairs, layout);
        Guarded sines(rows, pairs, layout);
        Guarded out(rows, cols, layout);
        in.FillNormal(random);
        cosines.FillNormal(random);
        sines.FillNormal(random);
        kernels::Rotate(in.view(), cosines.view(), sines.view(), pairing, out.view());
        reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
        reference::Rotate<float>(MatrixOf<float>(in.view()), MatrixOf<float>(cosines.view()),
                                 MatrixOf<float>(sines.view()), pairing == Pairing::kHalf, want);
        EXPECT_TRUE(AllSame(out.view(), ViewOf(want))) << pairs << " pairs";
        EXPECT_TRUE(out.Intact());
        kernels::Rotate(in.view(), cosines.view(), sines.view(), pairing, in.view());
        EXPECT_TRUE(AllSame(in.view(), ViewOf(want))) << "in place, " << pairs << " pairs";
        EXPECT_TRUE(in.Intact());
      }
      if (pairs == 0) break;
    }
  });
}

// `row` turned as if at `position`, base 10000.
std::vector<float> At(double position, std::vector<float> row, Pairing pairing) {
  std::vector<float> cosines(row.size() / 2);
  std::vector<float> sines(row.size() / 2);
  const std::size_t pairs = cosines.size();
  kernels::Angles(nullptr, position, 10000, MutableView(cosines.data(), 1, pairs), MutableView(sines.data(), 1, pairs));
  const MutableView view(row.data(), 1, row.size());
  kernels::Rotate(view, RowOf(cosines), RowOf(sines), pairing, view);
  return row;
}

TEST(RotateTest, K21BothPairings) {
  const std::vector<float> x{1, 0, 1, 0};
  EXPECT_TRUE(AllNear(At(1, x, Pairing::kNeighbour), std::vector<double>{0.5403023, 0.8414710, 0.9999500, 0.0099998},
                      {1e-7, 0}));
  EXPECT_TRUE(AllNear(At(1, x, Pairing::kHalf), std::vector<double>{-0.3011687, 0, 1.3817733, 0}, {2e-7, 0}));
}

TEST(RotateTest, K21AScoreKnowsOnlyTheDistance) {
  const std::vector<float> q{1, 2, 3, 4};
  const std::vector<float> k{4, 3, 2, 1};
  const double positions[][2] = {{3, 1}, {7, 5}, {2, 0}};
  for (const auto& [query, key] : positions) {
    for (const Pairing pairing : {Pairing::kNeighbour, Pairing::kHalf}) {
      const std::vector<float> turned_q = At(query, q, pairing);
      const std::vector<float> turned_k = At(key, k, pairing);
      double score = 0;
      for (std::size_t j = 0; j < 4; ++j) score += double(turned_q[j]) * double(turned_k[j]);
      EXPECT_NEAR(score, pairing == Pairing::kHalf ? -3.4564292 : 1.1900512, 5e-6) << query << ", " << key;
    }
  }
}

}  // namespace
}  // namespace loom::test
