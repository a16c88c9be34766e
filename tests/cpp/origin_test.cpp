// Where does a number come from, and what does it feed?
#include "trace/origin.h"

#include <map>
#include <set>

#include "origin_case.h"

namespace loom::test {
namespace {

TEST(OriginTest, PartialsAreTheRunningSums) {
  Case c(Scaled(Given(1, 1, 3, 1), 1));
  c.Set(Stage::kQueries, {2, -1, -1}).Set(Stage::kKeys, {2, -1, -1}).Set(Stage::kValues, {1}).Run();
  const Result<Origin> found = Origin::Of(c.attention, {Stage::kScores, {0, 0, 0}});
  ASSERT_TRUE(found.ok());
  const Origin& origin = found.value();
  ASSERT_EQ(origin.term_count(), 3u);
  const float products[] = {4, 1, 1};
  const float partials[] = {4, 5, 6};
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(origin.term(t).value, products[t]);
    EXPECT_EQ(origin.term(t).partial, partials[t]);
    EXPECT_EQ(KeyOf(origin.term(t).operands[0].cell), (Key{int(Stage::kQueries), 0, 0, int(t)}));
    EXPECT_EQ(KeyOf(origin.term(t).operands[1].cell), (Key{int(Stage::kKeys), 0, 0, int(t)}));
  }
}

TEST(OriginTest, ABlockedCellNamesEveryReason) {
  AttentionOptions o = Causal(Allowed(Given(2, 3, 1, 1)), 0);
  o = Added(o);
  Case c(o);
  c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1);
  c.Set(Stage::kAllow, {1, 0, 0, 0, 1, 1}).Set(Stage::kAdd, {0, 0, -kInfinity, 0, -kInfinity, 0}).Run();
  const int want[2][3] = {{0, kBlockedByAllow | kBlockedByCausal, kBlockedByAllow | kBlockedByCausal | kBlockedByAdd},
                          {kBlockedByAllow, kBlockedByAdd, kBlockedByCausal}};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(Origin::Of(c.attention, {Stage::kMasked, {0, i, j}}).value().blocked_by(), want[i][j]) << i << j;
      EXPECT_EQ(Origin::Of(c.attention, {Stage::kScaled, {0, i, j}}).value().blocked_by(), 0);
    }
  }
}

TEST(OriginTest, ABlockedKeyIsLeftOutOfMaximumSumAndOutput) {
  Case c(Allowed(Given(1, 3, 1, 1)));
  c.SetAll(Stage::kQueries, 0).SetAll(Stage::kKeys, 0).Set(Stage::kValues, {1, kNaN, 3}).Set(Stage::kAllow, {1, 0, 1});
  c.Run();
  const struct {
    Stage stage;
    float partials[3];
  } folds[] = {{Stage::kRowMax, {0, 0, 0}}, {Stage::kRowSum, {1, 1, 2}}, {Stage::kOutput, {0.5f, 0.5f, 2}}};
  for (const auto& fold : folds) {
    const Result<Origin> found = Origin::Of(c.attention, {fold.stage, {0, 0, 0}});
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found.value().term_count(), 3u);
    for (std::size_t t = 0; t < 3; ++t) {
      EXPECT_EQ(found.value().term(t).left_out, t == 1) << StageName(fold.stage);
      EXPECT_TRUE(IsSame(found.value().term(t).partial, fold.partials[t])) << StageName(fold.stage) << ", term " << t;
    }
  }
}

TEST(OriginTest, FeedsIsTheExactInverseOfOrigin) {
  for (std::uint64_t seed = 4000; seed < 4250; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = RandomCase(seed);
    const std::vector<Cell> cells = AllCells(*c.plan);
    std::map<Key, std::set<Key>> fed;
    for (const Cell& cell : cells) {
      const Origin origin = std::move(Origin::Of(c.attention, cell).value());
      for (std::size_t t = 0; t < origin.term_count(); ++t) {
        for (std::size_t o = 0; o < origin.term(t).operand_count; ++o) {
          fed[KeyOf(origin.term(t).operands[o].cell)].insert(KeyOf(cell));
        }
      }
    }
    for (const Cell& cell : cells) {
      const Result<Feeds> feeds = Feeds::Of(c.attention, cell);
      ASSERT_TRUE(feeds.ok()) << Text(cell);
      std::set<Key> got;
      for (std::size_t i = 0; i < feeds.value().count(); ++i) got.insert(KeyOf(feeds.value().cell(i)));
      ASSERT_EQ(got.size(), feeds.value().count()) << Text(cell) << " names a cell twice";
      ASSERT_EQ(got, fed[KeyOf(cell)]) << Text(cell);
      fed.erase(KeyOf(cell));
    }
    EXPECT_TRUE(fed.empty()) << "operands that are no cells";
  }
}

// Cells that following origins reaches from `start` in exactly `hops` steps or fewer.
std::set<Key> Reached(const Case& c, const Cell& start, int hops) {
  std::set<Key> reached{KeyOf(start)};
  std::vector<Cell> front{start};
  for (int hop = 0; hop < hops; ++hop) {
    std::vector<Cell> next;
    for (const Cell& cell : front) {
      const Origin origin = std::move(Origin::Of(c.attention, cell).value());
      for (std::size_t t = 0; t < origin.term_count(); ++t) {
        for (std::size_t o = 0; o < origin.term(t).operand_count; ++o) {
          const Cell& from = origin.term(t).operands[o].cell;
          if (reached.insert(KeyOf(from)).second) next.push_back(from);
        }
      }
    }
    front = next;
  }
  return reached;
}

TEST(OriginTest, FiveHopsLeadFromWeightsToQueriesAndKeysAndSixToXAndItsMatrices) {
  AttentionOptions o = Projected(4, 1, 3);
  o.crossed = true;
  o.n_new = 5;
  o.d_kv = 3;
  Case c(o);
  Random random(141);
  FillRandom(c, random);
  c.Run();
  const Cell start{Stage::kWeights, {0, 1, 2}};
  const Origin first = std::move(Origin::Of(c.attention, start).value());
  ASSERT_EQ(first.term_count(), 1u);
  EXPECT_EQ(first.operation(), Operation::kDivide);
  EXPECT_EQ(KeyOf(first.term(0).operands[0].cell), (Key{int(Stage::kExp), 0, 1, 2}));
  EXPECT_EQ(KeyOf(first.term(0).operands[1].cell), (Key{int(Stage::kRowSum), 0, 1, 0}));

  const std::set<Key> four = Reached(c, start, 4);
  const std::set<Key> five = Reached(c, start, 5);
  const std::set<Key> six = Reached(c, start, 6);
  for (int k = 0; k < 3; ++k) {
    const Key query{int(Stage::kQueries), 0, 1, k};
    const Key key{int(Stage::kKeys), 0, 2, k};
    EXPECT_EQ(four.count(query) + four.count(key), 0u);
    EXPECT_EQ(five.count(query) + five.count(key), 2u);
    const Key from[] = {{int(Stage::kX), 1, k}, {int(Stage::kXKv), 2, k}};
    for (const Key& cell : from) {
      EXPECT_EQ(five.count(cell), 0u);
      EXPECT_EQ(six.count(cell), 1u);
    }
    for (int row = 0; row < 3; ++row) {
      EXPECT_EQ(six.count(Key{int(Stage::kWQ), row, k, 0}), 1u);
      EXPECT_EQ(six.count(Key{int(Stage::kWK), row, k, 0}), 1u);
    }
  }
  // No other query, and no value, has a part in a weight.
  for (const Key& cell : Reached(c, start, 20)) {
    EXPECT_FALSE(cell[0] == int(Stage::kQueries) && cell[2] != 1);
    EXPECT_NE(cell[0], int(Stage::kValues));
  }
}

TEST(OriginTest, HeadsReadTheirOwnColumnsOfTheMatrices) {
  AttentionOptions o = Projected(2, 3, 2);
  o.d_v = 4;
  o.d_model = 2;
  Case c(o);
  Random random(142);
  FillRandom(c, random);
  c.Run();
  const Origin value = std::move(Origin::Of(c.attention, {Stage::kValues, {2, 1, 3}}).value());
  EXPECT_EQ(KeyOf(value.term(1).operands[0].cell), (Key{int(Stage::kX), 1, 1, 0}));
  EXPECT_EQ(KeyOf(value.term(1).operands[1].cell), (Key{int(Stage::kWV), 1, 2 * 4 + 3, 0}));
  const Origin joined = std::move(Origin::Of(c.attention, {Stage::kConcat, {1, 2 * 4 + 3, 0}}).value());
  EXPECT_EQ(KeyOf(joined.term(0).operands[0].cell), (Key{int(Stage::kOutput), 2, 1, 3}));
}

TEST(OriginTest, CellsThatDoNotExistAreRefusedWithTheirIndexAndTheSize) {
  Case c(Given(2, 3, 1, 1));
  c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1).Run();
  const auto check = [&](const Cell& cell, Param param, double value, double bound) {
    for (const Error error : {Origin::Of(c.attention, cell).error(), Feeds::Of(c.attention, cell).error()}) {
      EXPECT_EQ(error.code, ErrorCode::kNoCell) << Text(cell);
      EXPECT_EQ(error.param, param) << Text(cell);
      EXPECT_EQ(error.value, value) << Text(cell);
      EXPECT_EQ(error.bound, bound) << Text(cell);
    }
  };
  check({Stage::kScores, {1, 0, 0}}, Param::kIndex, 1, 1);
  check({Stage::kScores, {0, 2, 0}}, Param::kIndex, 2, 2);
  check({Stage::kScores, {0, 0, 3}}, Param::kIndex, 3, 3);
  check({Stage::kScores, {0, -1, 0}}, Param::kIndex, -1, 2);
  check({Stage::kRowMax, {0, 2, 0}}, Param::kIndex, 2, 2);
  check({Stage::kMasked, {0, 0, 0}}, Param::kNone, double(Stage::kMasked), 0);
  check({Stage::kCount, {0, 0, 0}}, Param::kNone, double(Stage::kCount), 0);
}

TEST(OriginTest, WithoutATraceThereIsNothingToAsk) {
  AttentionOptions o = Given(2, 3, 1, 1);
  o.trace = false;
  Case c(o);
  c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1).Run();
  EXPECT_EQ(Origin::Of(c.attention, {Stage::kOutput, {0, 0, 0}}).error().code, ErrorCode::kNotReady);
  EXPECT_EQ(Feeds::Of(c.attention, {Stage::kOutput, {0, 0, 0}}).error().code, ErrorCode::kNotReady);
}

}  // namespace
}  // namespace loom::test
