#include "kernels/fused_attention.h"

#include "any_rule.h"
#include "kernels/cap.h"
#include "kernels/divide.h"
#include "kernels/exp.h"
#include "kernels/matmul.h"
#include "kernels/rowmax.h"
#include "kernels/rowsum.h"
#include "kernels/scale.h"
#include "kernels/shift.h"

namespace loom::test {
namespace {

using kernels::FusedOptions;
using kernels::MaskRule;

struct Inputs {
  Guarded queries;
  Guarded keys;
  Guarded values;

  Inputs(std::size_t n_q, std::size_t n_k, std::size_t d_k, std::size_t d_v, Layout layout, Random& random)
      : queries(n_q, d_k, layout), keys(n_k, d_k, layout), values(n_k, d_v, layout) {
    // Whole numbers too: ties, zeros of both signs and sums that cancel.
    const bool whole = random.Chance(0.3);
    const auto number = [&](std::size_t, std::size_t) {
      const float x = random.Normal();
      return whole ? std::trunc(x) : x;
    };
    queries.Fill(number);
    keys.Fill(number);
    values.Fill(number);
  }
};

struct Result {
  Guarded output;
  std::vector<std::uint8_t> empty;
};

// One kernel after the other, all rows at once.
Result Staged(const Inputs& in, const MaskRule& rule, const FusedOptions& options) {
  const std::size_t n_q = in.queries.view().rows;
  const std::size_t n_k = in.keys.view().rows;
  std::vector<float> packed(kernels::PackedSize(n_k, in.keys.view().cols) + 1);
  std::vector<float> rowmax(n_q);
  std::vector<float> rowsum(n_q);
  Guarded cells(n_q, n_k);
  Result result{Guarded(n_q, in.values.view().cols), std::vector<std::uint8_t>(n_q)};
  kernels::Matmul(in.queries.view(), kernels::PackTransposed(in.keys.view(), packed.data()), cells.view());
  kernels::Scale(cells.view(), options.scale, cells.view());
  if (options.cap > 0) kernels::Cap(cells.view(), options.cap, cells.view());
  if (rule.Any()) kernels::Mask(cells.view(), rule, 0, cells.view());
  kernels::RowMax(cells.view(), rowmax.data());
  kernels::Shift(cells.view(), rowmax.data(), options.temperature, cells.view());
  kernels::Exp(cells.view(), cells.view());
  kernels::RowSum(cells.view(), rowsum.data());
  kernels::Divide(cells.view(), rowsum.data(), cells.view());
  kernels::Matmul(cells.view(), kernels::RightFactor::Of(in.values.view()), result.output.view());
  for (std::size_t i = 0; i < n_q; ++i) result.empty[i] = rowmax[i] == -kInfinity;
  return result;
}

// The scratch holds NaN before, and has guards behind it.
Result Fused(const Inputs& in, const MaskRule& rule, const FusedOptions& options, Layout layout) {
  const std::size_t n_q = in.queries.view().rows;
  const std::size_t d_v = in.values.view().cols;
  const ConstView values = in.values.view();
  Guarded scratch(1, kernels::FusedScratch(values.rows, in.keys.view().cols, d_v, values.stride),
                  {0, 0, layout.behind});
  Result result{Guarded(n_q, d_v, layout), std::vector<std::uint8_t>(n_q, 7)};
  kernels::FusedAttention(in.queries.view(), in.keys.view(), in.values.view(), rule, options, scratch.data(),
                          result.output.view(), result.empty.data());
  EXPECT_TRUE(scratch.Intact());
  EXPECT_TRUE(result.output.Intact());
  return result;
}

void ExpectTheSame(const Inputs& in, const MaskRule& rule, const FusedOptions& options, Layout layout) {
  const Result got = Fused(in, rule, options, layout);
  const Result want = Staged(in, rule, options);
  EXPECT_TRUE(AllSame(got.output.view(), want.output.view()));
  EXPECT_EQ(got.empty, want.empty);
}

TEST(FusedAttentionTest, HasTheBitsOfTheStagesAtEverySize) {
  Random random(101);
  for (const Layout& layout : kLayouts) {
    for (const std::size_t n_q : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33}) {
      for (const std::size_t n_k : {0, 1, 2, 3, 4, 5, 8, 63, 64, 65, 131}) {
        for (const std::size_t d_k : {0, 1, 3, 4, 17}) {
          for (const std::size_t d_v : {0, 1, 4, 6, 8}) {
            SCOPED_TRACE(testing::Message() << "seed 101, " << n_q << ", " << n_k << ", " << d_k << ", " << d_v);
            const Inputs in(n_q, n_k, d_k, d_v, layout, random);
            ExpectTheSame(in, MaskRule(), {0.3f, 0, 1}, layout);
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST(FusedAttentionTest, HasTheBitsOfTheStagesForEveryMixOfRules) {
  Random random(102);
  for (int round = 0; round < 6000; ++round) {
    SCOPED_TRACE("seed 102, round " + std::to_string(round));
    const auto n_q = std::size_t(random.Whole(1, random.Chance(0.3) ? 40 : 9));
    const auto n_k = std::size_t(random.Whole(1, random.Chance(0.2) ? 200 : 20));
    const auto d_k = std::size_t(random.Whole(0, 9));
    const auto d_v = std::size_t(random.Whole(0, 9));
    const Layout layout = kLayouts[random.Whole(0, 2)];
    const Inputs in(n_q, n_k, d_k, d_v, layout, random);
    const AnyRule any(n_q, n_k, random);
    FusedOptions options;
    constexpr float kTemperatures[] = {0, 0.5f, 1, 1, 1, 2};
    options.temperature = kTemperatures[random.Whole(0, 5)];
    options.scale = random.Normal();
    if (random.Chance(0.2)) options.cap = 2;
    ExpectTheSame(in, any.rule, options, layout);
    if (HasFailure()) return;
  }
}

// Windows and causal triangles over several blocks of rows and keys, at every alignment to the tiles.
TEST(FusedAttentionTest, HasTheBitsOfTheStagesForRunsOfKeys) {
  Random random(103);
  for (const std::int64_t offset : {-2147483647ll, -70ll, -9ll, -1ll, 0ll, 1ll, 2ll, 3ll, 66ll, 2147483647ll}) {
    for (const std::int64_t before : {-1, 0, 1, 5, 67}) {
      for (const bool causal : {false, true}) {
        for (const std::size_t n_q : {1, 19, 64, 70}) {
          SCOPED_TRACE(testing::Message() << "seed 103, " << offset << ", " << before << ", " << causal << ", " << n_q);
          MaskRule rule;
          rule.causal = causal;
          rule.offset = offset;
          rule.has_window = before >= 0;
          rule.before = rule.after = before;
          const Inputs in(n_q, 133, 5, 7, {}, random);
          ExpectTheSame(in, rule, {0.4f, 0, 1}, {});
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST(FusedAttentionTest, ARowWithoutAVisibleKeyIsZeroBesideOthers) {
  Random random(104);
  MaskRule rule;
  rule.causal = true;
  rule.offset = -2;
  const Inputs in(5, 5, 3, 3, {}, random);
  const Result got = Fused(in, rule, {1, 0, 1}, {});
  EXPECT_EQ(got.empty, (std::vector<std::uint8_t>{1, 1, 0, 0, 0}));
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(IsSame(got.output.view()(i, c), 0.0f));
  }
  // The first query that sees a key sees one: its value comes out as it is.
  EXPECT_TRUE(AllSame(got.output.view().Rows(2, 3), in.values.view().Rows(0, 1)));
}

}  // namespace
}  // namespace loom::test
