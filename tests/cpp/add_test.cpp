#include "kernels/add.h"

#include "eigen_support.h"
#include "reference/add.h"

namespace loom::test {
namespace {

// One rounding per cell on both sides: equal.
TEST(AddTest, K16EqualsTheTwinAtEverySize) {
  Random random(95);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded a(rows, cols, layout);
    Guarded b(rows, cols, layout);
    Guarded out(rows, cols, layout);
    a.FillNormal(random);
    b.FillNormal(random);
    kernels::Add(a.view(), b.view(), out.view());
    reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
    reference::Add<float>(MatrixOf<float>(a.view()), MatrixOf<float>(b.view()), want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
    Guarded first(rows, cols, layout);
    first.CopyFrom(a.view());
    kernels::Add(first.view(), b.view(), first.view());
    EXPECT_TRUE(AllSame(first.view(), ViewOf(want))) << "into a";
    kernels::Add(a.view(), b.view(), b.view());
    EXPECT_TRUE(AllSame(b.view(), ViewOf(want))) << "into b";
    EXPECT_TRUE(first.Intact());
    EXPECT_TRUE(b.Intact());
  });
}

TEST(AddRowTest, K16EqualsTheTwinAtEverySize) {
  Random random(96);
  EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
    Guarded a(rows, cols, layout);
    Guarded row(1, cols, layout);
    Guarded out(rows, cols, layout);
    a.FillNormal(random);
    row.FillNormal(random);
    kernels::AddRow(a.view(), row.data(), out.view());
    reference::Matrix<float> want = ZeroMatrix<float>(rows, cols);
    reference::AddRow<float>(MatrixOf<float>(a.view()), ColumnOf<float>(row.view()), want);
    EXPECT_TRUE(AllSame(out.view(), ViewOf(want)));
    EXPECT_TRUE(out.Intact());
    kernels::AddRow(a.view(), row.data(), a.view());
    EXPECT_TRUE(AllSame(a.view(), ViewOf(want))) << "in place";
    EXPECT_TRUE(a.Intact());
  });
}

}  // namespace
}  // namespace loom::test
