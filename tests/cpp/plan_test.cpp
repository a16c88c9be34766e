// Shapes, places and limits: everything that is known before the first multiply.
#include "trace/plan.h"

#include <functional>
#include <set>

#include "matrix/limits.h"
#include "random_case.h"

namespace loom::test {
namespace {

Plan PlanOf(const AttentionOptions& o) {
  Result<Plan> plan = Plan::Create(o);
  EXPECT_TRUE(plan.ok());
  return plan.value();
}

// Every stage there is.
AttentionOptions Everything() {
  AttentionOptions o = Added(Allowed(Given(4, 5, 4, 6)), 6);
  o.batch = 2;
  o.project = o.crossed = true;
  o.n_past = 3;
  o.extra_key = o.zero_key = true;
  o.heads = 6;
  o.kv_heads = 3;
  o.d_model = 7;
  o.d_kv = 8;
  o.bias_q = o.bias_k = o.bias_v = o.project_out = o.bias_o = true;
  o.d_out = 7;
  o.causal = o.key_counts = o.offset_from_count = o.global = true;
  o.random_count = 9;
  o.alibi = Alibi::kDefault;
  o.gates = true;
  o.rotary = Rotary::kHalf;
  o.rotary_width = 2;
  o.rotary_offset = 6;
  o.positions = Positions::kSinusoid;
  o.positions_kv = Positions::kGiven;
  o.cap = 1;
  o.norm = Norm::kLayer;
  o.gamma = o.beta = o.gamma_2 = o.beta_2 = true;
  o.residual = true;
  o.d_ff = 11;
  o.bias_1 = o.bias_2 = true;
  return o;
}

TEST(PlanTest, EachStageHasTheShapeOfItsDefinition) {
  const Plan plan = PlanOf(Everything());
  using Shape = std::vector<int>;
  const std::vector<std::pair<Stage, Shape>> want = {
      {Stage::kX, {2, 4, 7}},
      {Stage::kXKv, {2, 5, 8}},
      {Stage::kWQ, {7, 24}},
      {Stage::kWK, {8, 12}},
      {Stage::kWV, {8, 18}},
      {Stage::kBQ, {24}},
      {Stage::kBK, {12}},
      {Stage::kBV, {18}},
      {Stage::kWO, {36, 7}},
      {Stage::kBO, {7}},
      {Stage::kBiasK, {12}},
      {Stage::kBiasV, {18}},
      {Stage::kAllow, {4, 10}},
      {Stage::kAdd, {6, 4, 10}},
      {Stage::kKeyCounts, {2}},
      {Stage::kGlobal, {8}},
      {Stage::kRandom, {4, 9}},
      {Stage::kSlopes, {6}},
      {Stage::kGates, {6}},
      {Stage::kGamma, {7}},
      {Stage::kBeta, {7}},
      {Stage::kGamma2, {7}},
      {Stage::kBeta2, {7}},
      {Stage::kW1, {7, 11}},
      {Stage::kB1, {11}},
      {Stage::kW2, {11, 7}},
      {Stage::kB2, {7}},
      {Stage::kPositions, {4, 7}},
      {Stage::kPositionsKv, {5, 8}},
      {Stage::kCosines, {10, 1}},  // positions 0 … 6 + 4 − 1 of the queries, 0 … 7 of the keys
      {Stage::kSines, {10, 1}},
      {Stage::kPositioned, {2, 4, 7}},
      {Stage::kPositionedKv, {2, 5, 8}},
      {Stage::kMean, {2, 4}},
      {Stage::kVariance, {2, 4}},
      {Stage::kNormed, {2, 4, 7}},
      {Stage::kQueries, {2, 6, 4, 4}},
      {Stage::kKeys, {2, 3, 10, 4}},
      {Stage::kValues, {2, 3, 10, 6}},
      {Stage::kRotatedQueries, {2, 6, 4, 4}},
      {Stage::kRotatedKeys, {2, 3, 10, 4}},
      {Stage::kScores, {2, 6, 4, 10}},
      {Stage::kScaled, {2, 6, 4, 10}},
      {Stage::kCapped, {2, 6, 4, 10}},
      {Stage::kBias, {2, 6, 4, 10}},
      {Stage::kMasked, {2, 6, 4, 10}},
      {Stage::kRowMax, {2, 6, 4}},
      {Stage::kShifted, {2, 6, 4, 10}},
      {Stage::kExp, {2, 6, 4, 10}},
      {Stage::kRowSum, {2, 6, 4}},
      {Stage::kWeights, {2, 6, 4, 10}},
      {Stage::kOutput, {2, 6, 4, 6}},
      {Stage::kGated, {2, 6, 4, 6}},
      {Stage::kConcat, {2, 4, 36}},
      {Stage::kProjected, {2, 4, 7}},
      {Stage::kResidual, {2, 4, 7}},
      {Stage::kMean2, {2, 4}},
      {Stage::kVariance2, {2, 4}},
      {Stage::kNormed2, {2, 4, 7}},
      {Stage::kHidden, {2, 4, 11}},
      {Stage::kActivated, {2, 4, 11}},
      {Stage::kExpanded, {2, 4, 7}},
      {Stage::kResidual2, {2, 4, 7}}};
  ASSERT_EQ(want.size(), kStageCount);
  for (const auto& [stage, shape] : want) EXPECT_EQ(ShapeOf(plan, stage), shape) << StageName(stage);
  EXPECT_EQ(plan.count(), kStageCount);
}

TEST(PlanTest, WithoutABatchNoStageHasItsAxis) {
  AttentionOptions o = Everything();
  o.batch = 0;
  const Plan plan = PlanOf(o);
  EXPECT_EQ(plan.count(), kStageCount);
  for (std::size_t s = 0; s < plan.count(); ++s) {
    EXPECT_FALSE(plan.at(s).HasAxis(Axis::kBatch)) << StageName(plan.at(s).stage);
  }
  EXPECT_EQ(ShapeOf(plan, Stage::kScores), (std::vector<int>{6, 4, 10}));
  EXPECT_EQ(ShapeOf(plan, Stage::kKeyCounts), (std::vector<int>{1}));
}

TEST(PlanTest, MasksHaveTheAxesTheyWereGiven) {
  AttentionOptions o = Everything();
  o.allow_rank = 4;
  o.allow_batch = 1;
  o.allow_heads = 6;
  o.add_rank = 4;
  o.add_batch = 2;
  o.add_heads = 1;
  o.add_rows = 1;
  const Plan plan = PlanOf(o);
  EXPECT_EQ(ShapeOf(plan, Stage::kAllow), (std::vector<int>{1, 6, 4, 10}));
  EXPECT_EQ(ShapeOf(plan, Stage::kAdd), (std::vector<int>{2, 1, 1, 10}));
}

TEST(PlanTest, OperandsComeBeforeWhatIsMadeOfThemAndLieInTheirShapes) {
  Random random(102);
  for (int round = 0; round < 200; ++round) {
    const Plan plan = PlanOf(round == 0 ? Everything() : RandomOptions(random, 6, 5));
    std::set<Stage> made;
    for (std::size_t s = 0; s < plan.count(); ++s) {
      const Recipe& recipe = plan.at(s);
      int row = 0;
      for (std::size_t p = 0; p < recipe.part_count; ++p) {
        const Part& part = recipe.parts[p];
        EXPECT_EQ(part.first_row, row);
        row = part.end_row;
        for (std::size_t o = 0; o < part.operand_count; ++o) {
          EXPECT_EQ(made.count(part.operands[o].stage), 1u) << StageName(recipe.stage);
          EXPECT_EQ(part.operands[o].rank, plan.Get(part.operands[o].stage).rank) << StageName(recipe.stage);
        }
      }
      EXPECT_EQ(row, recipe.Size(Axis::kRow)) << StageName(recipe.stage);
      made.insert(recipe.stage);
    }
    EXPECT_EQ(plan.at(plan.count() - 1).stage, plan.last());
  }
}

TEST(PlanTest, KeysAriseInUpToFourWays) {
  const Plan plan = PlanOf(Everything());
  const Recipe& keys = plan.Get(Stage::kKeys);
  ASSERT_EQ(keys.part_count, 4);
  const std::pair<Operation, int> want[] = {
      {Operation::kInput, 3}, {Operation::kDot, 8}, {Operation::kCopy, 9}, {Operation::kZero, 10}};
  for (std::size_t p = 0; p < 4; ++p) {
    EXPECT_EQ(keys.parts[p].operation, want[p].first);
    EXPECT_EQ(keys.parts[p].end_row, want[p].second);
  }
}

TEST(PlanTest, StagesThatAreNotUsedAreAbsent) {
  AttentionOptions o = Given(4, 5, 3, 6);
  const Plan given = PlanOf(o);
  for (const Stage stage : {Stage::kX, Stage::kXKv, Stage::kWQ, Stage::kWK, Stage::kWV, Stage::kAllow, Stage::kAdd,
                            Stage::kMasked, Stage::kConcat, Stage::kCount, Stage(200)}) {
    EXPECT_EQ(given.Find(stage), nullptr) << int(stage);
  }
  o.trace = false;
  const Plan untraced = PlanOf(o);
  for (const Stage stage : {Stage::kScores, Stage::kScaled, Stage::kRowMax, Stage::kShifted, Stage::kExp,
                            Stage::kRowSum, Stage::kWeights}) {
    EXPECT_TRUE(given.Has(stage)) << StageName(stage);
    EXPECT_TRUE(untraced.Get(stage).by_block) << StageName(stage);
  }
  EXPECT_TRUE(untraced.Has(Stage::kOutput));
}

TEST(PlanTest, EachKindOfMaskAloneMakesTheStageMasked) {
  const std::function<void(AttentionOptions&)> kinds[] = {[](AttentionOptions&) {},
                                                          [](AttentionOptions& o) { o = Allowed(o); },
                                                          [](AttentionOptions& o) { o = Added(o); },
                                                          [](AttentionOptions& o) { o.causal = true; },
                                                          [](AttentionOptions& o) { o.key_counts = true; },
                                                          [](AttentionOptions& o) { o.window = true; },
                                                          [](AttentionOptions& o) { o.block_size = 1; },
                                                          [](AttentionOptions& o) { o.global = true; },
                                                          [](AttentionOptions& o) { o.random_count = 1; },
                                                          [](AttentionOptions& o) { o.alibi = Alibi::kDefault; },
                                                          [](AttentionOptions& o) { o.alibi = Alibi::kGiven; }};
  for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
    AttentionOptions o = Given(2, 2, 1, 1);
    kinds[kind](o);
    EXPECT_EQ(PlanOf(o).Has(Stage::kMasked), kind > 0) << kind;
  }
}

TEST(PlanTest, AStepThatIsTakenOutHasNoStage) {
  using enum Stage;
  constexpr Stage kSteps[] = {kRowMax, kShifted, kExp, kRowSum};
  const struct {
    Softmax softmax;
    bool shift;
    float temperature;
    bool has[4];
  } kinds[] = {{Softmax::kRows, true, 1, {true, true, true, true}},
               {Softmax::kRows, false, 1, {false, false, true, true}},
               {Softmax::kRows, false, 2, {false, true, true, true}},
               {Softmax::kColumns, true, 2, {true, true, true, true}},
               {Softmax::kColumns, false, 1, {false, false, true, true}},
               {Softmax::kNone, true, 1, {false, false, false, false}},
               {Softmax::kNone, false, 2, {false, false, false, false}}};
  for (const auto& kind : kinds) {
    AttentionOptions o = Allowed(WithHeads(Given(4, 5, 3, 6), 2));
    o.softmax = kind.softmax;
    o.shift = kind.shift;
    o.temperature = kind.temperature;
    const Plan plan = PlanOf(o);
    for (std::size_t s = 0; s < 4; ++s) {
      SCOPED_TRACE(StageName(kSteps[s]));
      ASSERT_EQ(plan.Has(kSteps[s]), kind.has[s]);
      const bool folded = kSteps[s] == kRowMax || kSteps[s] == kRowSum;
      if (!kind.has[s] || !folded) continue;
      const bool columns = kind.softmax == Softmax::kColumns;
      EXPECT_EQ(ShapeOf(plan, kSteps[s]), (std::vector<int>{2, columns ? 5 : 4}));
      EXPECT_EQ(plan.Get(kSteps[s]).axes[1], columns ? Axis::kColumn : Axis::kRow);
      EXPECT_EQ(plan.Get(kSteps[s]).parts[0].terms, columns ? 4 : 5);
    }
    EXPECT_EQ(ShapeOf(plan, kWeights), (std::vector<int>{2, 4, 5}));
    EXPECT_EQ(plan.Get(kWeights).parts[0].operands[0].stage, kind.softmax == Softmax::kNone ? kMasked : kExp);
  }
}

TEST(PlanTest, NamesOfStagesAreDifferentAndWritten) {
  std::set<std::string> names;
  for (std::size_t s = 0; s < kStageCount; ++s) names.insert(StageName(Stage(s)));
  EXPECT_EQ(names.size(), kStageCount);
  EXPECT_EQ(names.count(""), 0u);
  EXPECT_STREQ(StageName(Stage::kCount), "");
  EXPECT_STREQ(StageName(Stage::kRowMax), "rowmax");
  EXPECT_STREQ(StageName(Stage::kConcat), "concat");
  EXPECT_STREQ(OperationName(Operation::kCopy), "copy");
  EXPECT_STREQ(AxisName(Axis::kColumnInHead), "columnInHead");
}

TEST(PlanTest, NoTwoStagesShareAPlaceButConcatAndTheHeads) {
  Random random(101);
  for (int round = 0; round < 300; ++round) {
    const Plan plan = PlanOf(round == 0 ? Everything() : RandomOptions(random, 9, 9));
    const Stage joined = plan.Has(Stage::kGated) ? Stage::kGated : Stage::kOutput;
    std::vector<int> owner(plan.elements(), -1);
    for (std::size_t s = 0; s < plan.count(); ++s) {
      const Recipe& recipe = plan.at(s);
      EXPECT_EQ(recipe.offset % 16, 0u);
      EachIndex(recipe, [&](const Index& index) {
        const std::size_t place = recipe.PlaceOf(index);
        ASSERT_LT(place, owner.size()) << StageName(recipe.stage);
        ASSERT_EQ(owner[place], recipe.stage == Stage::kConcat ? int(joined) : -1) << StageName(recipe.stage);
        owner[place] = int(recipe.stage);
      });
      if (HasFatalFailure()) return;
    }
  }
}

TEST(PlanTest, TheDefaultScaleIsFilledIn) {
  EXPECT_EQ(PlanOf(Given(1, 1, 16, 1)).options().scale, 0.25f);
  EXPECT_EQ(PlanOf(Scaled(Given(1, 1, 16, 1), 3)).options().scale, 3.0f);
}

TEST(PlanTest, MoreThan192MiBAreRefusedWithTheirSize) {
  // Scores, scaled, shifted, exp and weights: 64 · 8192 · 8192 floats each are 16 GiB. Those are 2^32 floats, which a
  // size of 32 bits takes for none.
  AttentionOptions o = Given(8192, 8192, 1, 1);
  for (const int heads : {1, 13, 16, 32, 48, 64}) {
    o.heads = o.kv_heads = heads;
    const Result<Plan> plan = Plan::Create(o);
    ASSERT_FALSE(plan.ok()) << heads;
    EXPECT_EQ(plan.error().code, ErrorCode::kTooLarge);
    EXPECT_EQ(plan.error().param, Param::kTotalBytes);
    EXPECT_EQ(plan.error().bound, double(kMaxBytes));
    EXPECT_EQ(plan.error().value, 4.0 * heads * 8192 * (5.0 * 8192 + 2 + 4));
  }
  o.trace = false;
  o.heads = o.kv_heads = 64;
  EXPECT_TRUE(Plan::Create(o).ok()) << "without a trace it is small";
}

TEST(PlanTest, TheLimitItselfIsTaken) {
  // Queries, keys, values and output of 64 heads: 4 · rows · 64 · 1024 floats; 192 rows are the limit to the byte.
  AttentionOptions o = Given(192, 192, 1024, 1024);
  o.trace = false;
  o.heads = o.kv_heads = 64;
  ASSERT_TRUE(Plan::Create(o).ok());
  EXPECT_EQ(double(Plan::Create(o).value().elements()) * 4, double(kMaxBytes));
  o.n_new = 193;
  const Result<Plan> more = Plan::Create(o);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().value, double(kMaxBytes) + 4.0 * 2 * 64 * 1024);
}

TEST(PlanTest, AlongColumnsAHeadsScoresCountTowardsTheLimit) {
  // Whole, and once more transposed: 2 · 5000 · 5000 floats are 191 MiB.
  AttentionOptions o = Given(5000, 5000, 1, 1);
  o.trace = false;
  o.softmax = Softmax::kColumns;
  EXPECT_TRUE(Plan::Create(o).ok());
  o.n_q = 5100;
  const Result<Plan> plan = Plan::Create(o);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().param, Param::kTotalBytes);
  o.softmax = Softmax::kRows;
  EXPECT_TRUE(Plan::Create(o).ok());
}

TEST(PlanTest, BytesNeededGrowsWithoutATraceOnlyByABlockOfRows) {
  AttentionOptions o = Given(4096, 4096, 8, 8);
  o.trace = false;
  const Plan plan = PlanOf(o);
  EXPECT_EQ(plan.block_rows(), 8u);
  EXPECT_LT(Attention::BytesNeeded(plan), std::size_t{2} << 20);
}

}  // namespace
}  // namespace loom::test
