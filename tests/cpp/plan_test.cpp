// Shapes, places and limits: everything that is known before the first multiply.
#include "trace/plan.h"

#include <set>

#include "attention_case.h"
#include "matrix/limits.h"

namespace loom::test {
namespace {

Plan PlanOf(const AttentionOptions& o) {
  Result<Plan> plan = Plan::Create(o);
  EXPECT_TRUE(plan.ok());
  return plan.value();
}

std::vector<int> ShapeOf(const Plan& plan, Stage stage) {
  const Recipe* recipe = plan.Find(stage);
  if (recipe == nullptr) return {-1};
  return std::vector<int>(recipe->shape.begin(), recipe->shape.begin() + recipe->rank);
}

AttentionOptions Everything() {
  AttentionOptions o;
  o.project = true;
  o.crossed = true;
  o.n_q = 4;
  o.n_k = 5;
  o.heads = 2;
  o.d_k = 3;
  o.d_v = 6;
  o.d_model = 7;
  o.d_kv = 8;
  o.allow_heads = 1;
  o.add_heads = 2;
  o.causal = true;
  o.trace = true;
  return o;
}

TEST(PlanTest, EachStageHasTheShapeOfItsDefinition) {
  const Plan plan = PlanOf(Everything());
  using Shape = std::vector<int>;
  const std::vector<std::pair<Stage, Shape>> want = {
      {Stage::kX, {4, 7}},         {Stage::kXKv, {5, 8}},        {Stage::kWQ, {7, 6}},
      {Stage::kWK, {8, 6}},        {Stage::kWV, {8, 12}},        {Stage::kAllow, {4, 5}},
      {Stage::kAdd, {2, 4, 5}},    {Stage::kQueries, {2, 4, 3}}, {Stage::kKeys, {2, 5, 3}},
      {Stage::kValues, {2, 5, 6}}, {Stage::kScores, {2, 4, 5}},  {Stage::kScaled, {2, 4, 5}},
      {Stage::kMasked, {2, 4, 5}}, {Stage::kRowMax, {2, 4}},     {Stage::kShifted, {2, 4, 5}},
      {Stage::kExp, {2, 4, 5}},    {Stage::kRowSum, {2, 4}},     {Stage::kWeights, {2, 4, 5}},
      {Stage::kOutput, {2, 4, 6}}, {Stage::kConcat, {4, 12}}};
  ASSERT_EQ(want.size(), kStageCount);
  for (const auto& [stage, shape] : want) EXPECT_EQ(ShapeOf(plan, stage), shape) << StageName(stage);
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
    EXPECT_FALSE(untraced.Has(stage)) << StageName(stage);
  }
  EXPECT_TRUE(untraced.Has(Stage::kOutput));
}

TEST(PlanTest, EachKindOfMaskAloneMakesTheStageMasked) {
  for (int kind = 0; kind < 4; ++kind) {
    AttentionOptions o = Given(2, 2, 1, 1);
    o.allow_heads = kind == 1 ? 1 : 0;
    o.add_heads = kind == 2 ? 1 : 0;
    o.causal = kind == 3;
    EXPECT_EQ(PlanOf(o).Has(Stage::kMasked), kind > 0) << kind;
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

TEST(PlanTest, NoTwoStagesShareAPlaceButConcatAndOutput) {
  Random random(101);
  for (int round = 0; round < 100; ++round) {
    const Plan plan = PlanOf(round == 0 ? Everything() : RandomOptions(random, 9, 9));
    std::vector<int> owner(plan.elements(), -1);
    for (std::size_t s = 0; s < kStageCount; ++s) {
      const Recipe* recipe = plan.Find(Stage(s));
      if (recipe == nullptr) continue;
      EXPECT_EQ(recipe->offset % 16, 0u);
      for (std::size_t cell = 0; cell < recipe->Cells(); ++cell) {
        std::size_t place = recipe->offset;
        std::size_t rest = cell;
        for (std::size_t axis = recipe->rank; axis-- > 0;) {
          const auto size = std::size_t(recipe->shape[axis]);
          place += rest % size * recipe->strides[axis];
          rest /= size;
        }
        ASSERT_LT(place, owner.size()) << StageName(Stage(s));
        const bool joined = Stage(s) == Stage::kConcat;
        ASSERT_EQ(owner[place], joined ? int(Stage::kOutput) : -1) << StageName(Stage(s));
        owner[place] = int(s);
      }
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
    o.heads = heads;
    const Result<Plan> plan = Plan::Create(o);
    ASSERT_FALSE(plan.ok()) << heads;
    EXPECT_EQ(plan.error().code, ErrorCode::kTooLarge);
    EXPECT_EQ(plan.error().param, Param::kTotalBytes);
    EXPECT_EQ(plan.error().bound, double(kMaxBytes));
    EXPECT_EQ(plan.error().value, 4.0 * heads * 8192 * (5.0 * 8192 + 2 + 4));
  }
  o.trace = false;
  o.heads = 64;
  EXPECT_TRUE(Plan::Create(o).ok()) << "without a trace it is small";
}

TEST(PlanTest, TheLimitItselfIsTaken) {
  // Queries, keys, values and output of 64 heads: 4 · rows · 64 · 1024 floats; 192 rows are the limit to the byte.
  AttentionOptions o = Given(192, 192, 1024, 1024);
  o.trace = false;
  o.heads = 64;
  ASSERT_TRUE(Plan::Create(o).ok());
  EXPECT_EQ(double(Plan::Create(o).value().elements()) * 4, double(kMaxBytes));
  o.n_k = 193;
  const Result<Plan> more = Plan::Create(o);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().value, double(kMaxBytes) + 4.0 * 2 * 64 * 1024);
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
