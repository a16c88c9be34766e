// Attention from end to end against itself: without a trace, a second time, in memory of its own.
#include "trace/attention.h"

#include <algorithm>
#include <functional>

#include "random_case.h"

namespace loom::test {
namespace {

// The same numbers with and without a trace: the fused path, or rows by block where numbers may leave their range.
void ExpectTheSameWithoutATrace(AttentionOptions o, float deviation, Random& random) {
  Case traced(o);
  FillRandom(traced, random, deviation);
  o.trace = false;
  Case untraced(o);
  CopyInputs(traced, untraced);
  traced.Run();
  untraced.Run();
  EXPECT_TRUE(AllSame(untraced.attention.Output(), traced.attention.Output()));
  EXPECT_EQ(untraced.States(), traced.States());
}

void ForSeeds(std::uint64_t first, std::uint64_t end, int longest, int widest, float deviation,
              const std::function<void(AttentionOptions&, Random&)>& change = {}) {
  for (std::uint64_t seed = first; seed < end; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    AttentionOptions o = RandomOptions(random, longest, widest);
    if (change) change(o, random);
    ExpectTheSameWithoutATrace(o, deviation, random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(AttentionTest, TheOutputHasTheSameBitsWithAndWithoutATrace) { ForSeeds(2000, 3000, 40, 17, 1); }

TEST(AttentionTest, LargeWindowsAndCausalTrianglesHaveTheSameBitsWithAndWithoutATrace) {
  ForSeeds(3000, 3100, 150, 9, 1, [](AttentionOptions& o, Random& r) {
    o.causal = r.Chance(0.5);
    o.window = r.Chance(0.7);
    o.before = r.Whole(0, 150);
    o.after = r.Whole(0, 150);
    o.offset = r.Whole(-150, 150);
    o.global = o.random_count = 0;
  });
}

// Here and there a score or a result is out of the range of float32.
TEST(AttentionTest, NumbersOutOfRangeHaveTheSameBitsAndStatesWithAndWithoutATrace) {
  for (const float deviation : {1e12f, 3e18f, 1e19f, 1e30f}) ForSeeds(3200, 3300, 12, 9, deviation);
}

TEST(AttentionTest, OffsetsAtTheEndOfTheirRangeHaveTheSameBitsWithAndWithoutATrace) {
  for (const std::int32_t offset : {2147483647, -2147483647 - 1}) {
    ForSeeds(3400, 3450, 9, 5, 1, [&](AttentionOptions& o, Random&) { o.offset = offset; });
  }
}

TEST(AttentionTest, ASecondRunGivesTheSameBits) {
  for (const bool trace : {true, false}) {
    Random random(113);
    AttentionOptions o = Allowed(Given(19, 17, 5, 6));
    o.trace = trace;
    Case c(o);
    FillRandom(c, random);
    const std::vector<float> first = c.Run().Output();
    EXPECT_TRUE(AllSame(c.Run().Output(), first));
  }
}

TEST(AttentionTest, AWorkspaceThatSufficesIsUsedAndOneThatDoesNotIsLeftAlone) {
  const AttentionOptions o = Given(3, 4, 2, 2);
  const Case own(o);
  const std::size_t bytes = Attention::BytesNeeded(*own.plan);
  alignas(64) static unsigned char workspace[8192];
  ASSERT_LE(bytes, sizeof workspace);
  const LiveMemory before = Live();
  for (const std::size_t given : {bytes, bytes - 1}) {
    const bool suffices = given == bytes;
    std::fill(std::begin(workspace), std::end(workspace), static_cast<unsigned char>(0xee));
    Result<Attention> made = Attention::Create(*own.plan, workspace, given);
    ASSERT_TRUE(made.ok());
    Attention attention = std::move(made.value());
    for (const Stage stage : {Stage::kQueries, Stage::kKeys, Stage::kValues}) {
      const MutableView input = attention.Input(stage);
      for (std::size_t i = 0; i < input.rows; ++i) {
        for (std::size_t j = 0; j < input.cols; ++j) input(i, j) = 1;
      }
    }
    attention.Run();
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(attention.Output()(i, 0), 1.0f);
    EXPECT_EQ(Live().buffers, before.buffers + (suffices ? 0u : 1u));
    for (std::size_t at = suffices ? bytes : 0; at < sizeof workspace; ++at) ASSERT_EQ(workspace[at], 0xee) << at;
  }
}

TEST(AttentionTest, WeightsAreNeverNegativeAndRowsSumToOne) {
  Random random(114);
  Case c(Given(33, 64, 8, 1));
  FillRandom(c, random);
  const std::vector<float> weights = c.Run().Read(Stage::kWeights);
  for (std::size_t i = 0; i < 33; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 64; ++j) {
      EXPECT_GE(weights[64 * i + j], 0.0f);
      sum += double(weights[64 * i + j]);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(AttentionTest, TemperatureZeroLooksAtTheMaximumAndTiesShare) {
  AttentionOptions o = Scaled(Given(1, 5, 1, 1), 1);
  o.temperature = 0;
  Case c(o);
  c.Set(Stage::kQueries, {1}).Set(Stage::kKeys, {1, 3, 2, 3, -1}).Set(Stage::kValues, {100, 4, 100, 8, 100}).Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {0, 0.5f, 0, 0.5f, 0}));
  EXPECT_TRUE(AllSame(c.Output(), {6}));
}

// kStage, the number of the stage and the place in it.
void ExpectNamed(const AttentionOptions& options, Stage stage, std::size_t entry = 0) {
  Case c(options);
  Random random(115);
  FillRandom(c, random);
  ASSERT_TRUE(Ok(c.attention.CheckInputs()));
  const MutableView input = c.attention.Input(stage, entry);
  float& cell = input(input.rows - 1, input.cols - 1);
  const auto place = double(&cell - c.attention.base()) - double(c.plan->Get(stage).offset);
  for (const float bad : {kNaN, kInfinity}) {
    cell = bad;
    const Status status = c.attention.CheckInputs();
    EXPECT_EQ(status.code, ErrorCode::kNotFinite) << StageName(stage);
    EXPECT_EQ(status.param, Param::kStage) << StageName(stage);
    EXPECT_EQ(status.value, place) << StageName(stage);
    EXPECT_EQ(status.bound, double(stage)) << StageName(stage);
  }
  cell = -kInfinity;
  EXPECT_EQ(Ok(c.attention.CheckInputs()), stage == Stage::kAdd) << StageName(stage);
}

TEST(AttentionTest, CheckInputsNamesTheFirstNumberThatIsNotFinite) {
  // Every option that asks for an input.
  AttentionOptions o = Added(Allowed(Projected(3, 2, 2)), 2);
  o.crossed = true;
  o.n_new = 4;
  o.d_kv = 3;
  o.batch = 2;
  o.n_past = 2;
  o.extra_key = o.bias_q = o.bias_k = o.bias_v = o.project_out = o.bias_o = true;
  o.d_out = 4;
  o.key_counts = o.global = o.gates = true;
  o.alibi = Alibi::kGiven;
  o.positions = o.positions_kv = Positions::kGiven;
  o.norm = Norm::kLayer;
  o.gamma = o.beta = o.gamma_2 = o.beta_2 = true;
  o.d_ff = 5;
  o.bias_1 = o.bias_2 = true;
  const Case c(o);
  int inputs = 0;
  for (std::size_t s = 0; s < c.plan->count(); ++s) {
    const Recipe& recipe = c.plan->at(s);
    if (!recipe.Given()) continue;
    ++inputs;
    for (std::size_t entry = 0; entry < c.Entries(recipe.stage); ++entry) ExpectNamed(o, recipe.stage, entry);
  }
  EXPECT_EQ(inputs, 28);
  // Cached rows, in front of what is computed; and what is given as a whole.
  for (const bool heads_first : {false, true}) {
    o.heads_first = heads_first;
    AttentionOptions given = WithHeads(Given(3, 4, 2, 2), 2);
    given.heads_first = heads_first;
    for (const Stage stage : {Stage::kQueries, Stage::kKeys, Stage::kValues}) ExpectNamed(given, stage);
  }
  Case cached(o);
  Random random(116);
  FillRandom(cached, random);
  for (const Stage stage : {Stage::kKeys, Stage::kValues}) {
    float& cell = cached.Head(stage, 1, 1)(1, 1);
    cell = kNaN;
    const Status status = cached.attention.CheckInputs();
    EXPECT_EQ(status.code, ErrorCode::kNotFinite);
    EXPECT_EQ(status.bound, double(stage));
    EXPECT_EQ(status.value, double(&cell - cached.attention.base()) - double(cached.plan->Get(stage).offset));
    cell = 0;
  }
}

}  // namespace
}  // namespace loom::test
