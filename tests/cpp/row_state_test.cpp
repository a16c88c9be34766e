// What the core says about a row: fine, nothing to see, or out of the range of float32.
#include "attention_case.h"

namespace loom::test {
namespace {

using enum RowState;
using States = std::vector<RowState>;

// One query that scores `keys` as they are.
States StatesOf(std::initializer_list<float> queries, std::initializer_list<float> keys,
                std::initializer_list<float> values) {
  States states;
  for (const bool trace : {true, false}) {
    AttentionOptions o = Scaled(Given(int(queries.size()), int(keys.size()), 1, 1), 1);
    o.trace = trace;
    Case c(o);
    c.Set(Stage::kQueries, queries).Set(Stage::kKeys, keys).Set(Stage::kValues, values).Run();
    if (trace) {
      states = c.States();
    } else {
      EXPECT_EQ(c.States(), states) << "without a trace";
    }
  }
  return states;
}

TEST(RowStateTest, FiniteRowsAreOk) { EXPECT_EQ(StatesOf({1, 2}, {1, -1}, {3, 4}), (States{kOk, kOk})); }

TEST(RowStateTest, ScoresThatOverflowUpwardsAreReportedInTheirRow) {
  EXPECT_EQ(StatesOf({1, 1e30f, 1}, {1e30f, 1}, {3, 4}), (States{kOk, kNotFinite, kOk}));
}

TEST(RowStateTest, ScoresThatAllOverflowDownwardsAreNotAnEmptyRow) {
  EXPECT_EQ(StatesOf({1, -1e30f}, {1e30f, 1e30f}, {3, 4}), (States{kOk, kNotFinite}));
}

TEST(RowStateTest, OneVisibleScoreThatOverflowsDownwardsIsReported) {
  EXPECT_EQ(StatesOf({1, 1e30f}, {-1e30f, 1e-30f}, {3, 4}), (States{kOk, kNotFinite}));
}

TEST(RowStateTest, AnAdditiveMaskThatPushesAVisibleScoreOutOfRangeIsReported) {
  const AttentionOptions o = Added(Scaled(Given(2, 2, 1, 1), 1));
  for (const float huge : {-3e38f, 3e38f}) {
    Case c(o);
    c.Set(Stage::kQueries, {huge, 0}).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1);
    c.Set(Stage::kAdd, {huge, 0, huge, 0}).Run();
    EXPECT_EQ(c.States(), (States{kNotFinite, kOk})) << huge;
  }
}

// Each head's own mask decides whether its numbers can leave the range.
TEST(RowStateTest, AnAdditiveMaskOfOneHeadIsReportedInThatHead) {
  for (const bool trace : {true, false}) {
    for (const std::size_t huge : {0u, 1u}) {
      AttentionOptions o = Added(WithHeads(Scaled(Given(1, 2, 1, 1), 1), 2), 2);
      o.trace = trace;
      Case c(o);
      c.SetAll(Stage::kQueries, -3e18f).SetAll(Stage::kKeys, 1e18f).SetAll(Stage::kValues, 1).SetAll(Stage::kAdd, 0);
      for (std::size_t j = 0; j < 2; ++j) c.Head(Stage::kAdd, huge)(0, j) = -3.4e38f;
      c.Run();
      EXPECT_EQ(c.States(), huge == 0 ? (States{kNotFinite, kOk}) : (States{kOk, kNotFinite})) << huge << trace;
    }
  }
}

TEST(RowStateTest, WhatABlockedKeyScoresDoesNotMatter) {
  for (const float bad : {kNaN, kInfinity, -kInfinity, 3e38f}) {
    Case c(Allowed(Scaled(Given(1, 2, 1, 1), 2)));
    c.Set(Stage::kQueries, {1})
        .Set(Stage::kKeys, {bad, 1})
        .Set(Stage::kValues, {3, 4})
        .Set(Stage::kAllow, {0, 1})
        .Run();
    EXPECT_EQ(c.States(), (States{kOk})) << bad;
    EXPECT_TRUE(AllSame(c.Output(), {4}));
  }
}

TEST(RowStateTest, ARowOfNothingButNaNIsNotAnEmptyRow) {
  EXPECT_EQ(StatesOf({1, kNaN}, {1, 2}, {3, 4}), (States{kOk, kNotFinite}));
}

TEST(RowStateTest, OneNaNAmongTheScoresIsReported) {
  EXPECT_EQ(StatesOf({1, 0}, {1, kInfinity, 2}, {3, 4, 5}), (States{kNotFinite, kNotFinite}));
}

TEST(RowStateTest, AnOutputThatOverflowsIsReported) {
  EXPECT_EQ(StatesOf({0}, {1, 1}, {3e38f, 3e38f}), (States{kOk})) << "the mean of two is in range";
  EXPECT_EQ(StatesOf({0}, {1, 1}, {kInfinity, 1}), (States{kNotFinite}));
}

TEST(RowStateTest, AKeyThatFallsBelowTheRangeIsNotAnError) {
  EXPECT_EQ(StatesOf({1}, {3e38f, -3e38f}, {3, 4}), (States{kOk}));
}

TEST(RowStateTest, EmptyRowsAreTheirHeadsOwn) {
  Case c(Allowed(WithHeads(Given(2, 2, 1, 1), 2), 2));
  c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1);
  c.Set(Stage::kAllow, {0, 0, 1, 0, 1, 1, 0, 0}).Run();
  EXPECT_EQ(c.States(), (States{kEmpty, kOk, kOk, kEmpty}));
  EXPECT_TRUE(AllSame(c.Output(), {0, 1, 1, 0}));
}

TEST(RowStateTest, AnAdditiveMaskOfNothingButMinusInfinityIsAnEmptyRow) {
  Case c(Added(Given(1, 2, 1, 1)));
  c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1).SetAll(Stage::kAdd, -kInfinity).Run();
  EXPECT_EQ(c.States(), (States{kEmpty}));
}

}  // namespace
}  // namespace loom::test
