#include "kernels/scale.h"

#include "eigen_support.h"
#include "reference/scale.h"

namespace loom::test {
namespace {

// One rounding per cell on both sides: equal.
TEST(ScaleTest, K16EqualsTheTwinAtEverySize) {
  Random random(11);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded out(rows, cols, layout);
    in.FillNormal(random);
    kernels::Scale(in.view(), 0.57735026f, out.view());
    reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
    reference::Scale<float>(MatrixOf<float>(in.view()), 0.57735026f, want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
    kernels::Scale(in.view(), 0.57735026f, in.view());
    EXPECT_TRUE(AllSame(in.view(), ViewOf(want))) << "in place";
    EXPECT_TRUE(in.Intact());
  });
}

TEST(ScaleTest, InfinityNaNAndTheSignOfZeroStay) {
  const std::vector<float> in{kInfinity, -kInfinity, kNaN, -0.0f, 0.0f};
  for (std::size_t start = 0; start < in.size(); ++start) {
    std::vector<float> from(in.begin() + std::ptrdiff_t(start), in.end());
    from.resize(9, 1.0f);
    std::vector<float> out(9);
    kernels::Scale(RowOf(from), 1.0f, MutableView(out.data(), 1, 9));
    EXPECT_TRUE(AllSame(out, from));
  }
}

}  // namespace
}  // namespace loom::test
