#include "kernels/transpose.h"

#include "support.h"

namespace loom::test {
namespace {

TEST(TransposeTest, TurnsEverySize) {
  Random random(121);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded in(rows, cols, layout);
    in.FillNormal(random);
    Guarded out(cols, rows, layout);
    kernels::Transpose(in.view(), out.data(), out.view().stride);
    Guarded want(cols, rows);
    want.Fill([&](std::size_t j, std::size_t i) { return in.view()(i, j); });
    EXPECT_TRUE(AllSame(out.view(), want.view()));
    EXPECT_TRUE(out.Intact());
  });
}

}  // namespace
}  // namespace loom::test
