#include "kernels/relu.h"

#include "eigen_support.h"
#include "reference/relu.h"

namespace loom::test {
namespace {

TEST(ReluTest, K16EqualsTheTwinAtEverySize) {
  Random random(94);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    Guarded out(rows, cols, layout);
    in.FillNormal(random);
    kernels::Relu(in.view(), out.view());
    reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
    reference::Relu<float>(MatrixOf<float>(in.view()), want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
    kernels::Relu(in.view(), in.view());
    EXPECT_TRUE(AllSame(in.view(), ViewOf(want))) << "in place";
    EXPECT_TRUE(in.Intact());
  });
}

TEST(ReluTest, MinusZeroBecomesPlusZeroAndNaNStays) {
  const std::vector<float> in{-0.0f, 0.0f, kNaN, -kNaN, kInfinity, -kInfinity, -1e-45f, 1e-45f, -1.0f};
  const std::vector<float> want{0.0f, 0.0f, kNaN, kNaN, kInfinity, 0.0f, 0.0f, 1e-45f, 0.0f};
  for (std::size_t start = 0; start < in.size(); ++start) {
    const std::vector<float> from(in.begin() + std::ptrdiff_t(start), in.end());
    std::vector<float> out(from.size());
    kernels::Relu(RowOf(from), MutableView(out.data(), 1, out.size()));
    EXPECT_TRUE(AllSame(out, std::vector<float>(want.begin() + std::ptrdiff_t(start), want.end())));
  }
}

}  // namespace
}  // namespace loom::test
