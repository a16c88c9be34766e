#include "kernels/alibi.h"

#include <algorithm>

#include "eigen_support.h"
#include "reference/alibi.h"

namespace loom::test {
namespace {

TEST(AlibiTest, EqualsTheTwinAtEverySizeAndDistance) {
  Random random(91);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    for (const std::int64_t offset : {-2147483647ll, -16777217ll, -9ll, 0ll, 3ll, 16777216ll, 2147483647ll}) {
      const auto slope = float(std::exp2(-8 * random.Uniform()));
      const std::size_t first_query = std::size_t(random.Whole(0, 5));
      const auto maskable = random.Chance(0.3) ? std::size_t(random.Whole(0, int(cols))) : std::size_t(-1);
      Guarded out(rows, cols, layout);
      kernels::Alibi(slope, first_query, offset, maskable, out.view());
      reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
      const auto last = Eigen::Index(std::min(maskable, cols));
      reference::Alibi<float>(slope, double(first_query) + double(offset), last, want);
      EXPECT_TRUE(AllSame(out.view(), ViewOf(want))) << "offset " << offset;
      EXPECT_TRUE(out.Intact());
    }
  });
}

TEST(AlibiTest, ByHand) {
  Guarded out(2, 4);
  kernels::Alibi(0.5f, 1, 1, 3, out.view());
  const std::vector<float> want = {-1.0f, -0.5f, 0.0f, 0.0f, -1.5f, -1.0f, -0.5f, 0.0f};
  EXPECT_TRUE(AllSame(out.view(), ConstView(want.data(), 2, 4)));  // bit for bit: no −0
}

}  // namespace
}  // namespace loom::test
