#include "kernels/weighted_values.h"

#include "eigen_support.h"
#include "reference/weighted_values.h"

namespace loom::test {
namespace {

using kernels::MaskRule;

constexpr std::size_t kFirstQuery = 3;

struct Problem {
  Guarded allow;
  Guarded weights;
  Guarded values;
  MaskRule rule;

  // Weights as attention has them: exactly 0 where blocked.
  Problem(std::size_t rows, std::size_t keys, std::size_t cols, Layout layout, Random& random)
      : allow(rows + kFirstQuery, keys, layout), weights(rows, keys, layout), values(keys, cols, layout) {
    allow.Fill([&](std::size_t, std::size_t) { return random.Chance(0.6) ? 1.0f : 0.0f; });
    rule.has_allow = true;
    rule.allow = allow.view();
    weights.Fill(
        [&](std::size_t r, std::size_t j) { return rule.Blocks(kFirstQuery + r, j) ? 0.0f : float(random.Uniform()); });
    values.FillNormal(random);
  }

  template <class S>
  reference::Matrix<S> Want() const {
    reference::Matrix<S> want = ZeroMatrix<S>(weights.view().rows, values.view().cols);
    reference::WeightedValues<S>(
        MatrixOf<S>(weights.view()), MatrixOf<S>(values.view()),
        [&](Eigen::Index r, Eigen::Index j) { return rule.Blocks(kFirstQuery + std::size_t(r), std::size_t(j)); },
        want);
    return want;
  }
};

// From +0, keys ascending, on both sides: equal in float, and for both ways through the kernel.
TEST(WeightedValuesTest, K16BothWaysEqualTheTwinBitForBitAtEverySize) {
  Random random(91);
  for (const std::size_t keys : {0u, 1u, 3u, 9u}) {
    SCOPED_TRACE(std::to_string(keys) + " keys");
    EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
      const Problem problem(rows, keys, cols, layout, random);
      const reference::Matrix<float> want = problem.Want<float>();
      for (const bool finite : {true, false}) {
        Guarded out(rows, cols, layout);
        kernels::WeightedValues(problem.weights.view(), problem.values.view(), problem.rule, kFirstQuery, finite,
                                out.view());
        EXPECT_TRUE(AllSame(out.view(), ViewOf(want))) << (finite ? "finite" : "careful");
        EXPECT_TRUE(out.Intact());
      }
    });
  }
}

TEST(WeightedValuesTest, K02ANotFiniteValueOfABlockedKeyDoesNotReachTheOutput) {
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    for (const std::size_t cols : kLengths) {
      Random random(92);
      Problem problem(5, 6, cols, {1, 2, 16}, random);
      Guarded clean(5, cols);
      kernels::WeightedValues(problem.weights.view(), problem.values.view(), problem.rule, kFirstQuery, false,
                              clean.view());
      for (std::size_t c = 0; c < cols; ++c) problem.values.view()(4, c) = bad;
      Guarded out(5, cols);
      kernels::WeightedValues(problem.weights.view(), problem.values.view(), problem.rule, kFirstQuery, false,
                              out.view());
      for (std::size_t r = 0; r < 5; ++r) {
        const bool blocked = problem.rule.Blocks(kFirstQuery + r, 4);
        for (std::size_t c = 0; c < cols; ++c) {
          EXPECT_EQ(std::isfinite(out.view()(r, c)), blocked);
          if (blocked) EXPECT_TRUE(IsSame(out.view()(r, c), clean.view()(r, c)));
        }
      }
      EXPECT_TRUE(out.Intact());
    }
  }
}

}  // namespace
}  // namespace loom::test
