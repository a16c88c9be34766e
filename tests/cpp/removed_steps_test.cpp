// Attention with a step taken out: the softmax along the wrong axis or not at all, e^x without the shift.
#include <functional>

#include "float_bound.h"
#include "random_case.h"
#include "trace/origin.h"
#include "trace/twin.h"

namespace loom::test {
namespace {

using enum RowState;
using States = std::vector<RowState>;

AttentionOptions Without(AttentionOptions o, Softmax softmax, bool shift = true) {
  o.softmax = softmax;
  o.shift = shift;
  return o;
}

// Scores [1, 0] and [3, 0].
Case TwoByTwo(const AttentionOptions& options) {
  Case c(options);
  c.Set(Stage::kQueries, {1, 0, 3, 0}).Set(Stage::kKeys, {1, 0, 0, 1}).Set(Stage::kValues, {10, 20});
  return c;
}

constexpr Tolerance kSevenDigits{1e-7, 1e-7};

// e^−2 is 0.1353352832; 1 / (1 + e^−2) = 0.8807970780.
TEST(RemovedStepsTest, K10AlongColumnsTheWeightsOfAKeySumToOne) {
  const Case c = std::move(TwoByTwo(Without(Scaled(Given(2, 2, 2, 1), 1), Softmax::kColumns)).Run());
  EXPECT_TRUE(AllSame(c.Read(Stage::kRowMax), {3, 0}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kShifted), {-2, 0, 0, 0}));
  EXPECT_TRUE(AllNear(c.Read(Stage::kExp), std::vector<double>{0.1353352832, 1, 1, 1}, kSevenDigits));
  EXPECT_TRUE(AllNear(c.Read(Stage::kRowSum), std::vector<double>{1.1353352832, 2}, kSevenDigits));
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kWeights), std::vector<double>{0.1192029220, 0.5, 0.8807970780, 0.5}, kSevenDigits));
  EXPECT_TRUE(AllNear(c.Output(), std::vector<double>{11.192029220, 18.807970780}, kSevenDigits));
  EXPECT_EQ(c.States(), (States{kOk, kOk}));
}

// Query 0 sees key 0 only, query 1 both, nobody key 2.
TEST(RemovedStepsTest, AlongColumnsAKeyThatNobodySeesHasZeros) {
  Case c(Without(Allowed(Scaled(Given(2, 3, 1, 1), 1)), Softmax::kColumns));
  c.Set(Stage::kQueries, {1, 1}).Set(Stage::kKeys, {2, 5, 7}).Set(Stage::kValues, {1, 10, 100});
  c.Set(Stage::kAllow, {1, 0, 0, 1, 1, 0}).Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kRowMax), {2, 5, -kInfinity}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kShifted), {0, -kInfinity, -kInfinity, 0, 0, -kInfinity}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kExp), {1, 0, 0, 1, 1, 0}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kRowSum), {2, 1, 0}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {0.5f, 0, 0, 0.5f, 1, 0}));
  EXPECT_TRUE(AllSame(c.Output(), {0.5f, 10.5f}));
  EXPECT_EQ(c.States(), (States{kOk, kOk}));
}

TEST(RemovedStepsTest, K01AlongColumnsAQueryThatSeesNothingIsEmpty) {
  for (const bool trace : {true, false}) {
    AttentionOptions o = Without(Allowed(Scaled(Given(2, 2, 1, 1), 1)), Softmax::kColumns);
    o.trace = trace;
    Case c(o);
    c.Set(Stage::kQueries, {1, 2}).Set(Stage::kKeys, {2, 5}).Set(Stage::kValues, {3, 4});
    c.Set(Stage::kAllow, {0, 0, 1, 1}).Run();
    EXPECT_EQ(c.States(), (States{kEmpty, kOk}));
    EXPECT_TRUE(AllSame(c.Output(), {0, 7}));
  }
}

TEST(RemovedStepsTest, WithoutQueriesAKeyHasNothingToShare) {
  const Case c = std::move(Case(Without(Given(0, 2, 1, 1), Softmax::kColumns)).Run());
  EXPECT_TRUE(AllSame(c.Read(Stage::kRowMax), {-kInfinity, -kInfinity}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kRowSum), {0, 0}));
}

TEST(RemovedStepsTest, WithoutSoftmaxTheWeightsAreTheScoresAndBlockedOnesZero) {
  Case c(Without(Allowed(Scaled(Given(2, 2, 2, 1), 0.5f)), Softmax::kNone));
  c.Set(Stage::kQueries, {1, 0, 3, -4}).Set(Stage::kKeys, {1, 0, 0, 1}).Set(Stage::kValues, {10, 20});
  c.Set(Stage::kAllow, {0, 1, 1, 1}).Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kMasked), {-kInfinity, 0, 1.5f, -2}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {0, 0, 1.5f, -2}));
  EXPECT_TRUE(AllSame(c.Output(), {0, -25}));
  EXPECT_EQ(c.States(), (States{kOk, kOk}));
  c.Set(Stage::kAllow, {0, 0, 1, 1}).Run();
  EXPECT_EQ(c.States(), (States{kEmpty, kOk}));
}

// Overflow is no blocking: the score stays, and the row is reported.
TEST(RemovedStepsTest, WithoutSoftmaxAScoreOutOfRangeStaysInTheTrace) {
  Case c(Without(Scaled(Given(2, 2, 1, 1), 1), Softmax::kNone));
  c.Set(Stage::kQueries, {-1e30f, 1}).Set(Stage::kKeys, {1e30f, 1}).Set(Stage::kValues, {1, 1}).Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {-kInfinity, -1e30f, 1e30f, 1}));
  EXPECT_EQ(c.States(), (States{kNotFinite, kOk}));
}

// e and 1: shares 0.7310585786 and 0.2689414214; e³ = 20.0855369 and 1: 0.9525741268 and 0.0474258732.
TEST(RemovedStepsTest, WithoutTheShiftTheSharesAreTheSame) {
  const Case c = std::move(TwoByTwo(Without(Scaled(Given(2, 2, 2, 1), 1), Softmax::kRows, false)).Run());
  EXPECT_TRUE(AllNear(c.Read(Stage::kExp), std::vector<double>{2.7182818285, 1, 20.085536923, 1}, kSevenDigits));
  EXPECT_TRUE(AllNear(c.Read(Stage::kRowSum), std::vector<double>{3.7182818285, 21.085536923}, kSevenDigits));
  EXPECT_TRUE(AllNear(c.Read(Stage::kWeights),
                      std::vector<double>{0.7310585786, 0.2689414214, 0.9525741268, 0.0474258732}, kSevenDigits));
  EXPECT_EQ(c.States(), (States{kOk, kOk}));
}

TEST(RemovedStepsTest, WithoutTheShiftATemperatureDividesTheScores) {
  AttentionOptions o = Without(Scaled(Given(2, 2, 2, 1), 1), Softmax::kRows, false);
  o.temperature = 0.5f;
  const Case c = std::move(TwoByTwo(o).Run());
  EXPECT_FALSE(c.plan->Has(Stage::kRowMax));
  EXPECT_TRUE(AllSame(c.Read(Stage::kShifted), {2, 0, 6, 0}));
  EXPECT_TRUE(AllNear(c.Read(Stage::kExp), std::vector<double>{7.3890560989, 1, 403.42879349, 1}, {0, 2e-7}));
}

// One query that scores `keys` as they are, with a trace and without: rows of states, the weights by the trace.
struct Outcome {
  States states;
  std::vector<float> exp, weights;
};
Outcome Unshifted(const std::vector<float>& queries, const std::vector<float>& keys, Softmax softmax) {
  Outcome outcome;
  for (const bool trace : {true, false}) {
    AttentionOptions o = Without(Scaled(Given(int(queries.size()), int(keys.size()), 1, 1), 1), softmax, false);
    o.trace = trace;
    Case c(o);
    c.Set(Stage::kQueries, queries).Set(Stage::kKeys, keys).SetAll(Stage::kValues, 0).Run();
    if (!trace) {
      EXPECT_EQ(c.States(), outcome.states) << "without a trace";
      continue;
    }
    outcome = {c.States(), c.Read(Stage::kExp), c.Read(Stage::kWeights)};
  }
  return outcome;
}

TEST(RemovedStepsTest, K15WithoutTheShiftARowOverflowsAndIsReported) {
  const Outcome found = Unshifted({1, 89}, {1, 0}, Softmax::kRows);
  EXPECT_EQ(found.exp[2], kInfinity);
  EXPECT_EQ(found.exp[3], 1.0f);
  EXPECT_TRUE(std::isnan(found.weights[2]));
  EXPECT_EQ(found.weights[3], 0.0f);
  EXPECT_EQ(found.states, (States{kOk, kNotFinite}));
}

// No e^x leaves the range, their sum does: all weights are 0.
TEST(RemovedStepsTest, K15WithoutTheShiftASumThatOverflowsIsReported) {
  const Outcome found = Unshifted({88.5f}, {1, 1, 1}, Softmax::kRows);
  EXPECT_TRUE(std::isfinite(found.exp[0]));
  EXPECT_TRUE(AllSame(found.weights, {0, 0, 0}));
  EXPECT_EQ(found.states, (States{kNotFinite}));
}

TEST(RemovedStepsTest, K15WithoutTheShiftAShareThatGotLostIsReported) {
  // Both fell to 0; one of two near ones did; only one that is nothing beside the other did.
  EXPECT_EQ(Unshifted({-1000}, {1, 1}, Softmax::kRows).states, (States{kNotFinite}));
  EXPECT_EQ(Unshifted({-87}, {1, 1.01f}, Softmax::kRows).states, (States{kNotFinite}));
  EXPECT_EQ(Unshifted({-100}, {1, 0}, Softmax::kRows).states, (States{kOk}));
  // Small, and nothing lost.
  EXPECT_EQ(Unshifted({-80}, {1, 1.01f}, Softmax::kRows).states, (States{kOk}));
}

// Query 0 sees key 0 only, and the column of key 1 overflows.
TEST(RemovedStepsTest, AlongColumnsEveryQueryThatSeesAKeyOutOfRangeIsReported) {
  for (const bool trace : {true, false}) {
    AttentionOptions o = Without(Allowed(Scaled(Given(3, 2, 1, 1), 1)), Softmax::kColumns, false);
    o.trace = trace;
    Case c(o);
    c.Set(Stage::kQueries, {1, 2, 1}).Set(Stage::kKeys, {1, 50}).SetAll(Stage::kValues, 1);
    c.Set(Stage::kAllow, {1, 0, 1, 1, 1, 1}).Run();
    EXPECT_EQ(c.States(), (States{kOk, kNotFinite, kNotFinite})) << trace;
  }
  // Shifted, a score that is out of range itself.
  for (const float huge : {1e30f, -1e30f}) {
    Case c(Without(Allowed(Scaled(Given(3, 2, 1, 1), 1)), Softmax::kColumns));
    c.Set(Stage::kQueries, {1, huge, 1}).Set(Stage::kKeys, {0, 1e30f}).SetAll(Stage::kValues, 1);
    c.Set(Stage::kAllow, {1, 0, 1, 1, 1, 1}).Run();
    EXPECT_EQ(c.States(), (States{kOk, kNotFinite, kNotFinite})) << huge;
  }
}

// x − max of the column leaves the range; with τ = 1e38 its share would have been e^−5.
TEST(RemovedStepsTest, AlongColumnsASubtractionThatOverflowsIsReportedAtAHighTemperature) {
  AttentionOptions o = Without(Scaled(Given(2, 1, 1, 1), 1), Softmax::kColumns);
  for (const float temperature : {1.0f, 1e38f}) {
    o.temperature = temperature;
    Case c(o);
    c.Set(Stage::kQueries, {3e38f, -3e38f}).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1).Run();
    EXPECT_EQ(c.States(), temperature == 1 ? (States{kOk, kOk}) : (States{kNotFinite, kNotFinite}));
  }
}

// Scores of every size: rows that are not reported are those of double's far wider range.
TEST(RemovedStepsTest, WithoutTheShiftRowsThatAreNotReportedAreRight) {
  int reported = 0;
  int right = 0;
  for (std::uint64_t seed = 7000; seed < 7400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    AttentionOptions o = Given(random.Whole(1, 6), random.Whole(1, 9), 1, 1);
    if (random.Chance(0.5)) o = Allowed(o);
    o = Without(Scaled(o, 60), random.Chance(0.5) ? Softmax::kRows : Softmax::kColumns, false);
    Case c(o);
    FillRandom(c, random);
    c.Run();
    Result<Twin> twin = Twin::Create(*c.plan);
    ASSERT_TRUE(twin.ok());
    twin.value().Run(c.attention);
    FloatBound bound(*c.plan, twin.value().base());
    const Tolerance tolerance = bound.Of(Stage::kScores);
    const View<const double> want = c.plan->Matrix<const double>(twin.value().base(), Stage::kWeights, 0);
    for (std::size_t i = 0; i < std::size_t(o.n_q); ++i) {
      const bool out = c.States()[i] == kNotFinite;
      ++(out ? reported : right);
      if (!out)
        EXPECT_TRUE(AllNear(ConstView(c.Head(Stage::kWeights, 0)).Rows(i, i + 1), want.Rows(i, i + 1), tolerance)) << i;
    }
  }
  EXPECT_GT(reported, 200);
  EXPECT_GT(right, 200);
}

TEST(RemovedStepsTest, TheOriginOfAColumnsSumLeavesOutQueriesThatDoNotSeeTheKey) {
  Case c(Without(Allowed(Scaled(Given(3, 2, 1, 1), 1)), Softmax::kColumns));
  c.Set(Stage::kQueries, {0, 0, 0}).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1);
  c.Set(Stage::kAllow, {1, 0, 1, 1, 0, 1}).Run();
  const struct {
    Stage stage, from;
    float partials[3];
  } folds[] = {{Stage::kRowMax, Stage::kMasked, {-kInfinity, 0, 0}}, {Stage::kRowSum, Stage::kExp, {0, 1, 2}}};
  for (const auto& fold : folds) {
    const Result<Origin> found = Origin::Of(c.attention, {fold.stage, {0, 1}});
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found.value().term_count(), 3u);
    for (std::size_t t = 0; t < 3; ++t) {
      const OriginTerm& term = found.value().term(t);
      EXPECT_EQ(term.left_out, t == 0) << StageName(fold.stage);
      EXPECT_TRUE(IsSame(term.partial, fold.partials[t])) << StageName(fold.stage) << ", term " << t;
      EXPECT_TRUE(term.operands[0].cell == (Cell{fold.from, {0, std::int32_t(t), 1}})) << StageName(fold.stage);
    }
  }
}

}  // namespace
}  // namespace loom::test
