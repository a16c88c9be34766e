#include "kernels/matmul.h"

#include "eigen_support.h"
#include "reference/matmul.h"

namespace loom::test {
namespace {

using kernels::RightFactor;

constexpr std::size_t kTerms[] = {0, 1, 2, 3, 5, 8, 33};

// The definition: from +0, k ascending, each product rounded before it is added.
Guarded PlainProduct(ConstView left, ConstView right) {
  Guarded out(left.rows, right.cols);
  out.Fill([&](std::size_t i, std::size_t j) {
    float sum = 0;
    for (std::size_t k = 0; k < right.rows; ++k) {
      const float product = left(i, k) * right(k, j);
      sum += product;
    }
    return sum;
  });
  return out;
}

Guarded TransposeOf(ConstView in) {
  Guarded out(in.cols, in.rows);
  out.Fill([&](std::size_t i, std::size_t j) { return in(j, i); });
  return out;
}

TEST(MatmulTest, K16EqualsThePlainLoopBitForBitAtEverySize) {
  Random random(61);
  for (const std::size_t terms : kTerms) {
    SCOPED_TRACE(std::to_string(terms) + " terms");
    EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
      Guarded left(rows, terms, layout);
      Guarded right(terms, cols, layout);
      Guarded out(rows, cols, layout);
      left.FillNormal(random);
      right.FillNormal(random);
      kernels::Matmul(left.view(), RightFactor::Of(right.view()), out.view());
      EXPECT_TRUE(AllSame(out.view(), PlainProduct(left.view(), right.view()).view()));
      EXPECT_TRUE(out.Intact());
    });
  }
}

// More rows and more terms than are packed at a time.
TEST(MatmulTest, EqualsThePlainLoopBitForBitBeyondWhatIsPackedAtATime) {
  Random random(65);
  for (const std::size_t rows : {31, 32, 33, 68, 71}) {
    for (const std::size_t terms : {127, 128, 129, 300}) {
      SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(terms) + " terms");
      Guarded left(rows, terms, {3, 1, 16});
      Guarded right(terms, 37, {3, 1, 16});
      Guarded out(rows, 37, {3, 1, 16});
      left.FillNormal(random);
      right.FillNormal(random);
      kernels::Matmul(left.view(), RightFactor::Of(right.view()), out.view());
      EXPECT_TRUE(AllSame(out.view(), PlainProduct(left.view(), right.view()).view()));
      EXPECT_TRUE(out.Intact());
    }
  }
}

TEST(MatmulTest, K16PackedKeysGiveTheSameBitsAsTheirTransposeAsItLies) {
  Random random(62);
  for (const std::size_t width : kTerms) {
    SCOPED_TRACE("width " + std::to_string(width));
    EachSizeAndLayout([&](std::size_t rows, std::size_t count, Layout layout) {
      Guarded queries(rows, width, layout);
      Guarded keys(count, width, layout);
      Guarded out(rows, count, layout);
      queries.FillNormal(random);
      keys.FillNormal(random);
      Guarded packed(1, kernels::PackedSize(count, width), {0, layout.before, 0});
      const RightFactor right = kernels::PackTransposed(keys.view(), packed.data());
      EXPECT_EQ(right.rows, width);
      EXPECT_EQ(right.cols, count);
      kernels::Matmul(queries.view(), right, out.view());
      EXPECT_TRUE(AllSame(out.view(), PlainProduct(queries.view(), TransposeOf(keys.view()).view()).view()));
      EXPECT_TRUE(out.Intact());
      EXPECT_TRUE(packed.Intact());
    });
  }
}

// The twin in float adds in the same order, but starts with the first product where the kernel starts with +0: equal
// but for the sign of zero.
TEST(MatmulTest, K39EqualsTheTwinInFloat) {
  Random random(63);
  for (std::size_t rows = 0; rows <= kMaxRows; rows += 3) {
    for (const std::size_t cols : kLengths) {
      for (const std::size_t terms : kTerms) {
        Guarded left(rows, terms);
        Guarded right(terms, cols);
        Guarded out(rows, cols);
        left.FillNormal(random);
        right.FillNormal(random);
        kernels::Matmul(left.view(), RightFactor::Of(right.view()), out.view());
        reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
        reference::Matmul<float>(MatrixOf<float>(left.view()), MatrixOf<float>(right.view()), want);
        EXPECT_TRUE(AllNear(out.view(), ViewOf(want), kExact)) << rows << " x " << terms << " x " << cols;
        reference::Scores<float>(MatrixOf<float>(left.view()), MatrixOf<float>(TransposeOf(right.view()).view()), want);
        EXPECT_TRUE(AllNear(out.view(), ViewOf(want), kExact)) << rows << " x " << terms << " x " << cols;
      }
    }
  }
}

// n products and n − 1 sums, each rounded by at most 2^-24: |error| ≤ n · 2^-24 · Σ|a·b| (1 + tiny).
TEST(MatmulTest, StaysWithinTheBoundOfDouble) {
  Random random(64);
  constexpr std::size_t kCount = 65;
  Guarded left(5, kCount);
  Guarded right(kCount, 33);
  Guarded out(5, 33);
  left.FillNormal(random);
  right.FillNormal(random);
  kernels::Matmul(left.view(), RightFactor::Of(right.view()), out.view());
  reference::Matrix<double> want = ZeroMatrix<double>(5, 33);
  reference::Matrix<double> sizes = want;
  const reference::Matrix<double> a = MatrixOf<double>(left.view());
  const reference::Matrix<double> b = MatrixOf<double>(right.view());
  reference::Matmul<double>(a, b, want);
  const reference::Matrix<double> a_sizes = a.cwiseAbs(), b_sizes = b.cwiseAbs();
  reference::Matmul<double>(a_sizes, b_sizes, sizes);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 33; ++j) {
      const auto row = Eigen::Index(i);
      const auto col = Eigen::Index(j);
      EXPECT_TRUE(IsNear(out.view()(i, j), want(row, col), {1.01 * kCount * 0x1p-24 * sizes(row, col), 0}));
    }
  }
}

// The core hands in blocks of rows, of columns (one head) and matrices that begin anywhere.
TEST(MatmulTest, ABlockOfALargerMatrixGivesTheBitsOfItsCopy) {
  Random random(65);
  Guarded left(12, 20);
  Guarded right(9, 40);
  left.FillNormal(random);
  right.FillNormal(random);
  for (std::size_t begin = 0; begin < 8; ++begin) {
    for (const std::size_t cols : {1u, 3u, 8u, 17u, 30u}) {
      const ConstView a = left.view().Rows(begin, 12).Columns(begin, begin + 9);
      const ConstView b = right.view().Columns(begin, begin + cols);
      Guarded out(12 - begin, cols, {5, 3, 16});
      kernels::Matmul(a, RightFactor::Of(b), out.view());
      EXPECT_TRUE(AllSame(out.view(), PlainProduct(a, b).view()));
      EXPECT_TRUE(out.Intact());
    }
  }
}

TEST(MatmulTest, K36ProductsAreRoundedBeforeTheyAreAdded) {
  // (1 + 2^-12)² is no float32: fused, the exact square minus the rounded one would be left.
  const float a = 1.000244140625f;
  for (const std::size_t cols : kLengths) {
    Guarded left(5, 2);
    Guarded right(2, cols);
    Guarded out(5, cols);
    left.Fill([&](std::size_t, std::size_t k) { return k == 0 ? a : -a; });
    right.Fill([&](std::size_t, std::size_t) { return a; });
    kernels::Matmul(left.view(), RightFactor::Of(right.view()), out.view());
    EXPECT_TRUE(AllSame(out.view(), Guarded(5, cols).Fill([](std::size_t, std::size_t) { return 0.0f; }).view()));
  }
}

TEST(MatmulTest, SumsStartAtPlusZero) {
  for (const std::size_t cols : kLengths) {
    Guarded left(5, 1);
    Guarded right(1, cols);
    Guarded out(5, cols);
    left.Fill([](std::size_t, std::size_t) { return -0.0f; });
    right.Fill([](std::size_t, std::size_t) { return 1.0f; });
    kernels::Matmul(left.view(), RightFactor::Of(right.view()), out.view());
    EXPECT_TRUE(AllSame(out.view(), Guarded(5, cols).Fill([](std::size_t, std::size_t) { return 0.0f; }).view()));
  }
}

TEST(MatmulTest, ANaNStaysInItsRowOrColumn) {
  Random random(66);
  Guarded left(6, 3);
  Guarded right(3, 33);
  Guarded out(6, 33);
  left.FillNormal(random);
  right.FillNormal(random);
  left.view()(4, 1) = kNaN;
  right.view()(2, 29) = kInfinity;
  kernels::Matmul(left.view(), RightFactor::Of(right.view()), out.view());
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 33; ++j) EXPECT_EQ(std::isfinite(out.view()(i, j)), i != 4 && j != 29);
  }
}

}  // namespace
}  // namespace loom::test
