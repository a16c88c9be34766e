#include "kernels/mask.h"

#include <algorithm>

#include "any_rule.h"
#include "eigen_support.h"
#include "reference/mask.h"

namespace loom::test {
namespace {

using kernels::MaskRule;

constexpr std::size_t kFirstQuery = 2;

// The whole masks of all queries, of which a block of rows is worked on.
struct Masks {
  Guarded allow;
  Guarded add;

  Masks(std::size_t rows, std::size_t cols, Layout layout, Random& random)
      : allow(rows + kFirstQuery, cols, layout), add(rows + kFirstQuery, cols, layout) {
    allow.Fill([&](std::size_t, std::size_t) { return random.Chance(0.7) ? 1.0f : 0.0f; });
    add.Fill([&](std::size_t, std::size_t) { return random.Chance(0.2) ? -kInfinity : random.Normal(); });
  }

  // Bits of `kinds`: 1 allow, 2 add, 4 causal.
  MaskRule Rule(int kinds, std::int64_t offset) const {
    MaskRule rule;
    rule.has_allow = (kinds & 1) != 0;
    rule.has_add = (kinds & 2) != 0;
    rule.causal = (kinds & 4) != 0;
    rule.offset = offset;
    if (rule.has_allow) rule.allow = allow.view();
    if (rule.has_add) rule.add = add.view();
    return rule;
  }
};

// The formula by the plain meaning of the words, not by MaskRule's own functions.
template <class S>
reference::Matrix<S> Want(ConstView in, const MaskRule& rule) {
  reference::Matrix<S> want = ZeroMatrix<S>(in.rows, in.cols);
  const auto blocked = [&](Eigen::Index r, Eigen::Index j) {
    const auto query = std::size_t(r) + kFirstQuery;
    const auto key = std::size_t(j);
    if (rule.has_allow && rule.allow(query, key) == 0.0f) return true;
    if (rule.has_add && rule.add(query, key) == -kInfinity) return true;
    return rule.causal && std::int64_t(key) > std::int64_t(query) + rule.offset;
  };
  const auto add = [&](Eigen::Index r, Eigen::Index j) {
    return rule.has_add ? S(rule.add(std::size_t(r) + kFirstQuery, std::size_t(j))) : S(0);
  };
  reference::Mask<S>(MatrixOf<S>(in), blocked, add, want);
  return want;
}

// At most one addition on both sides: equal, but that the twin adds 0 where there is no additive mask (−0 becomes 0).
TEST(MaskTest, K03K16EqualsTheTwinAtEverySizeForEveryMixOfMasks) {
  for (int kinds = 0; kinds < 8; ++kinds) {
    SCOPED_TRACE(kinds);
    Random random(71);
    EachSizeAndLayout([&](std::size_t rows, std::size_t cols, Layout layout) {
      const Masks masks(rows, cols, layout, random);
      const MaskRule rule = masks.Rule(kinds, random.Whole(-4, 4));
      Guarded in(rows, cols, layout);
      Guarded out(rows, cols, layout);
      in.FillNormal(random);
      kernels::Mask(in.view(), rule, kFirstQuery, out.view());
      const reference::Matrix<float> want = Want<float>(in.view(), rule);
      EXPECT_TRUE(AllNear(out.view(), ViewOf(want), kExact));
      EXPECT_TRUE(out.Intact());
      kernels::Mask(in.view(), rule, kFirstQuery, in.view());
      EXPECT_TRUE(AllNear(in.view(), ViewOf(want), kExact)) << "in place";
      EXPECT_TRUE(in.Intact());
    });
  }
}

TEST(MaskTest, K02WhatStoodInABlockedCellDoesNotMatter) {
  for (int kinds = 1; kinds < 8; ++kinds) {
    for (const float bad : {kNaN, kInfinity}) {
      Random random(72);
      for (const std::size_t cols : kLengths) {
        const Masks masks(4, cols, {1, 1, 16}, random);
        const MaskRule rule = masks.Rule(kinds, -1);
        Guarded in(4, cols);
        in.Fill([&](std::size_t r, std::size_t j) { return rule.Blocks(r + kFirstQuery, j) ? bad : 1.0f; });
        kernels::Mask(in.view(), rule, kFirstQuery, in.view());
        for (std::size_t r = 0; r < 4; ++r) {
          for (std::size_t j = 0; j < cols; ++j) {
            EXPECT_EQ(in.view()(r, j) == -kInfinity, rule.Blocks(r + kFirstQuery, j));
            EXPECT_FALSE(std::isnan(in.view()(r, j)));
          }
        }
      }
    }
  }
}

TEST(MaskTest, NaNInAVisibleCellStays) {
  for (const std::size_t cols : kLengths) {
    for (std::size_t at = 0; at < cols; ++at) {
      Guarded in(1, cols);
      in.Fill([&](std::size_t, std::size_t j) { return j == at ? kNaN : 0.0f; });
      Guarded allow(1, cols);
      allow.Fill([](std::size_t, std::size_t) { return 1.0f; });
      MaskRule rule;
      rule.has_allow = true;
      rule.allow = allow.view();
      kernels::Mask(in.view(), rule, 0, in.view());
      for (std::size_t j = 0; j < cols; ++j) EXPECT_EQ(std::isnan(in.view()(0, j)), j == at);
    }
  }
}

TEST(MaskTest, K07K08CausalSeesExactlyTheKeysUpToItsOwnPlaceAndOffset) {
  for (const std::int64_t offset : {-2147483648ll, -9ll, -1ll, 0ll, 1ll, 5ll, 2147483647ll}) {
    Guarded in(4, 9);
    in.Fill([](std::size_t, std::size_t) { return 1.0f; });
    MaskRule rule;
    rule.causal = true;
    rule.offset = offset;
    kernels::Mask(in.view(), rule, kFirstQuery, in.view());
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t j = 0; j < 9; ++j) {
        const bool visible = std::int64_t(j) <= std::int64_t(r + kFirstQuery) + offset;
        EXPECT_EQ(in.view()(r, j), visible ? 1.0f : -kInfinity) << "offset " << offset << ", " << r << ", " << j;
        EXPECT_EQ(rule.Blocks(r + kFirstQuery, j), !visible);
      }
    }
  }
}

TEST(MaskTest, EveryMixOfRulesMeansWhatItsWordsSay) {
  Random random(73);
  for (int round = 0; round < 4000; ++round) {
    SCOPED_TRACE("seed 73, round " + std::to_string(round));
    const auto n_q = std::size_t(random.Whole(1, 9));
    const auto n_k = std::size_t(random.Whole(1, 20));
    const AnyRule any(n_q, n_k, random);
    const MaskRule& rule = any.rule;
    const auto first = std::size_t(random.Whole(0, int(n_q)));
    Guarded in(n_q - first, n_k, {1, 1, 16});
    in.FillNormal(random);
    Guarded want(n_q - first, n_k);
    want.Fill([&](std::size_t r, std::size_t j) { return any.Want(in.view()(r, j), first + r, j); });
    Guarded out(n_q - first, n_k, {0, 0, 16});
    kernels::Mask(in.view(), rule, first, out.view());
    EXPECT_TRUE(AllSame(out.view(), want.view()));
    EXPECT_TRUE(out.Intact());
    kernels::Mask(in.view(), rule, first, in.view());
    EXPECT_TRUE(AllSame(in.view(), want.view())) << "in place";
    for (std::size_t i = 0; i < n_q; ++i) {
      const kernels::KeyRange visible = rule.Visible(i);
      std::size_t begin = n_k;
      std::size_t end = 0;
      for (std::size_t j = 0; j < n_k; ++j) {
        EXPECT_EQ(rule.Blocks(i, j), any.Hidden(i, j)) << i << ", " << j;
        EXPECT_EQ(rule.BlockedByPattern(i, j), !any.Extra(j) && any.HiddenByPattern(i, j)) << i << ", " << j;
        if (any.HiddenByPlace(i, j)) continue;
        begin = std::min(begin, j);
        end = j + 1;
        EXPECT_TRUE(j >= visible.begin && j < visible.end) << i << ", " << j;
      }
      // The shortest run, but for patterns that are none.
      if (!rule.IsRange()) continue;
      const std::size_t seen = std::min(visible.end, n_k) - std::min(visible.begin, n_k);
      EXPECT_EQ(seen, end > begin ? end - begin : 0) << i;
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MaskTest, EachRuleAloneCountsAsARule) {
  MaskRule rule;
  const auto alone = [&](auto set) {
    rule = MaskRule();
    set();
    return rule.Any();
  };
  EXPECT_TRUE(alone([&] { rule.has_allow = true; }));
  EXPECT_TRUE(alone([&] { rule.has_add = true; }));
  EXPECT_TRUE(alone([&] { rule.causal = true; }));
  EXPECT_TRUE(alone([&] { rule.has_window = true; }));
  EXPECT_TRUE(alone([&] { rule.block = 1; }));
  EXPECT_TRUE(alone([&] { rule.has_global = true; }));
  EXPECT_TRUE(alone([&] { rule.has_random = true; }));
  EXPECT_TRUE(alone([&] { rule.key_count = 0; }));
  EXPECT_TRUE(alone([&] { rule.has_slope = true; }));
  // These two change what the others mean.
  EXPECT_FALSE(alone([&] { rule.offset = 1; }));
  EXPECT_FALSE(alone([&] { rule.maskable = 1; }));
}

TEST(MaskTest, NoRuleBlocksNothing) {
  EXPECT_FALSE(MaskRule().Any());
  EXPECT_FALSE(MaskRule().Blocks(0, 8191));
}

}  // namespace
}  // namespace loom::test
