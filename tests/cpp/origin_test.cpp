// Where does a number come from, and what does it feed?
#include "trace/origin.h"

#include <map>
#include <set>

#include "attention_case.h"

namespace loom::test {
namespace {

using Key = std::array<int, 4>;
Key KeyOf(const Cell& cell) { return {int(cell.stage), cell.index[0], cell.index[1], cell.index[2]}; }

std::string Text(const Cell& cell) {
  return std::string(StageName(cell.stage)) + "[" + std::to_string(cell.index[0]) + "," +
         std::to_string(cell.index[1]) + "," + std::to_string(cell.index[2]) + "]";
}

std::vector<Cell> AllCells(const Plan& plan) {
  std::vector<Cell> cells;
  for (std::size_t s = 0; s < kStageCount; ++s) {
    const Recipe* recipe = plan.Find(Stage(s));
    if (recipe == nullptr) continue;
    const int depth = recipe->rank == 3 ? recipe->shape[2] : 1;
    for (int a = 0; a < recipe->shape[0]; ++a) {
      for (int b = 0; b < recipe->shape[1]; ++b) {
        for (int c = 0; c < depth; ++c) cells.push_back({Stage(s), {a, b, c}});
      }
    }
  }
  return cells;
}

Case RandomCase(std::uint64_t seed) {
  Random random(seed);
  Case c(RandomOptions(random, 5, 4));
  FillRandom(c, random);
  c.Run();
  return c;
}

// The cell anew from its operands' numbers alone, in plain float arithmetic. Nothing for e^x.
bool Recompute(const Origin& origin, float& value) {
  const auto operand = [&](std::size_t t, std::size_t o) { return origin.term(t).operands[o].value; };
  value = origin.operation() == Operation::kMax ? -kInfinity : 0.0f;
  for (std::size_t t = 0; t < origin.term_count(); ++t) {
    switch (origin.operation()) {
      case Operation::kDot: {
        const float product = operand(t, 0) * operand(t, 1);
        if (!origin.term(t).left_out) value += product;
        break;
      }
      case Operation::kSum:
        value += operand(t, 0);
        break;
      case Operation::kMax:
        if (operand(t, 0) > value) value = operand(t, 0);
        break;
      case Operation::kScale:
        value = operand(t, 0) * origin.constant();
        break;
      case Operation::kShift:
        if (operand(t, 1) == -kInfinity) {
          value = -kInfinity;
        } else if (origin.constant() == 0) {
          value = operand(t, 0) == operand(t, 1) ? 0.0f : -kInfinity;
        } else {
          value = (operand(t, 0) - operand(t, 1)) / origin.constant();
        }
        break;
      case Operation::kDivide:
        value = operand(t, 1) == 0 ? 0.0f : operand(t, 0) / operand(t, 1);
        break;
      case Operation::kCopy:
        value = operand(t, 0);
        break;
      case Operation::kMask: {
        value = origin.blocked_by() != 0 ? -kInfinity : operand(t, 0);
        const bool has_add = origin.term(t).operand_count > 1 && origin.term(t).operands[1].cell.stage == Stage::kAdd;
        if (origin.blocked_by() == 0 && has_add) value += operand(t, 1);
        break;
      }
      default:
        return false;
    }
  }
  return true;
}

TEST(OriginTest, TheLastPartialIsTheCellBitForBitAndFollowsFromTheOperands) {
  for (std::uint64_t seed = 3000; seed < 3040; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = RandomCase(seed);
    for (const Cell& cell : AllCells(*c.plan)) {
      const Result<Origin> found = Origin::Of(c.attention, cell);
      ASSERT_TRUE(found.ok()) << Text(cell);
      const Origin& origin = found.value();
      const Recipe& recipe = c.plan->Get(cell.stage);
      ASSERT_EQ(origin.operation(), recipe.operation);
      ASSERT_EQ(origin.term_count(), std::size_t(recipe.terms));
      ASSERT_TRUE(IsSame(origin.value(), c.attention.At(cell))) << Text(cell);
      if (origin.operation() == Operation::kInput) {
        ASSERT_EQ(origin.term_count(), 0u);
        continue;
      }
      if (origin.term_count() > 0) {
        ASSERT_TRUE(IsSame(origin.term(origin.term_count() - 1).partial, origin.value())) << Text(cell);
      }
      for (std::size_t t = 0; t < origin.term_count(); ++t) {
        const OriginTerm& term = origin.term(t);
        ASSERT_EQ(term.operand_count, recipe.operand_count);
        for (std::size_t o = 0; o < term.operand_count; ++o) {
          ASSERT_TRUE(IsSame(term.operands[o].value, c.attention.At(term.operands[o].cell))) << Text(cell);
        }
      }
      float value = 0;
      if (Recompute(origin, value)) {
        // The largest is never −0; elsewhere the sign of zero is the arithmetic's own.
        if (origin.operation() == Operation::kMax) value += 0.0f;
        ASSERT_TRUE(IsSame(value, origin.value())) << Text(cell) << ": " << value << ", " << origin.value();
      }
    }
  }
}

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
  o.add_heads = 1;
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
  for (std::uint64_t seed = 4000; seed < 4040; ++seed) {
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
  AttentionOptions o;
  o.project = true;
  o.crossed = true;
  o.n_q = 4;
  o.n_k = 5;
  o.d_k = o.d_v = o.d_model = o.d_kv = 3;
  o.trace = true;
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
    const Key from[] = {{int(Stage::kX), 1, k, 0}, {int(Stage::kXKv), 2, k, 0}};
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
  AttentionOptions o;
  o.project = true;
  o.n_q = o.n_k = 2;
  o.heads = 3;
  o.d_k = 2;
  o.d_v = 4;
  o.d_model = 2;
  o.trace = true;
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
