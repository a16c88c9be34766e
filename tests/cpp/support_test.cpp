// The helpers themselves: a comparison that NaN passes makes every other test worthless.
#include "support.h"

namespace loom::test {
namespace {

using Floats = std::vector<float>;

TEST(SupportTest, K19NaNIsNearNoNumberAndNoNaN) {
  const Tolerance loose{1e30, 1e30};
  EXPECT_FALSE(AllNear(Floats{kNaN}, Floats{5}, loose));
  EXPECT_FALSE(AllNear(Floats{1}, Floats{kNaN}, loose));
  EXPECT_FALSE(AllNear(Floats{kNaN}, Floats{kNaN}, loose));
  EXPECT_FALSE(AllSame(Floats{kNaN}, Floats{5}));
  EXPECT_FALSE(AllSame(Floats{1}, Floats{kNaN}));
}

TEST(SupportTest, K19ListsOfUnequalLengthDiffer) {
  const Tolerance loose{1e30, 1e30};
  EXPECT_FALSE(AllNear(Floats{}, Floats{1}, loose));
  EXPECT_FALSE(AllNear(Floats{1}, Floats{1, 2}, loose));
  EXPECT_FALSE(AllSame(Floats{1, 2}, Floats{1}));
  EXPECT_FALSE(AllNear(View<const float>(nullptr, 0, 3), View<const float>(nullptr, 0, 4), loose));
}

TEST(SupportTest, InfinitiesAreNearThemselvesOnly) {
  const Tolerance loose{1e30, 1e30};
  EXPECT_TRUE(IsNear(kInfinity, kInfinity, kExact));
  EXPECT_FALSE(IsNear(kInfinity, -kInfinity, loose));
  EXPECT_FALSE(IsNear(kInfinity, 3, loose));
  EXPECT_FALSE(IsNear(3, -kInfinity, loose));
}

TEST(SupportTest, SameMeansTheSameBits) {
  EXPECT_TRUE(AllSame(Floats{1.5f, kNaN}, Floats{1.5f, -kNaN}));
  EXPECT_FALSE(IsSame(0.0f, -0.0f));
  EXPECT_TRUE(IsNear(0.0f, -0.0f, kExact));
  EXPECT_FALSE(IsSame(1.0f, std::nextafter(1.0f, 2.0f)));
}

TEST(SupportTest, ToleranceIsAbsolutePlusRelative) {
  EXPECT_TRUE(IsNear(10.5, 10, {0.5, 0}));
  EXPECT_FALSE(IsNear(10.75, 10, {0.5, 0}));
  EXPECT_TRUE(IsNear(10.75, 10, {0.5, 0.025}));
  EXPECT_FALSE(IsNear(std::nextafter(1.0f, 2.0f), 1.0f, kExact));
}

TEST(SupportTest, AGuardThatIsOverwrittenShows) {
  for (const Layout layout : {Layout{0, 0, 1}, Layout{2, 1, 3}}) {
    Guarded matrix(2, 3, layout);
    matrix.Fill([](std::size_t, std::size_t) { return 1.0f; });
    EXPECT_TRUE(matrix.Intact());
    matrix.data()[2 * (3 + layout.gap)] = 1.0f;
    EXPECT_FALSE(matrix.Intact());
  }
  Guarded strided(2, 3, {2, 1, 0});
  strided.data()[3] = 0.0f;
  EXPECT_FALSE(strided.Intact());
  Guarded before(2, 3, {0, 1, 0});
  before.data()[-1] = 0.0f;
  EXPECT_FALSE(before.Intact());
}

TEST(SupportTest, RandomNumbersFollowFromTheSeed) {
  Random a(7);
  Random b(7);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 10000; ++i) {
    const float x = a.Normal();
    ASSERT_TRUE(IsSame(x, b.Normal()));
    sum += x;
    squares += double(x) * x;
  }
  EXPECT_NEAR(sum / 10000, 0, 0.05);
  EXPECT_NEAR(squares / 10000, 1, 0.05);
  bool seen[3] = {};
  for (int i = 0; i < 100; ++i) seen[a.Whole(-1, 1) + 1] = true;
  EXPECT_TRUE(seen[0] && seen[1] && seen[2]);
}

}  // namespace
}  // namespace loom::test
