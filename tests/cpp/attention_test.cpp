// Attention from end to end against its twin in double, and against itself without a trace.
#include "trace/attention.h"

#include <algorithm>

#include "attention_case.h"
#include "eigen_support.h"
#include "reference/attention.h"
#include "trace/twin.h"

namespace loom::test {
namespace {

double LargestFinite(View<const double> view) {
  double largest = 0;
  for (std::size_t i = 0; i < view.rows; ++i) {
    for (std::size_t j = 0; j < view.cols; ++j) {
      if (std::isfinite(view(i, j))) largest = std::max(largest, std::abs(view(i, j)));
    }
  }
  return largest;
}

// An error of a score grows with the scores, is divided by the temperature, and moves the output by the size of the
// values.
Tolerance ToleranceOf(const Plan& plan, double* base) {
  double scores = 0;
  double values = 0;
  for (int h = 0; h < plan.options().heads; ++h) {
    scores = std::max(scores, LargestFinite(plan.Matrix<const double>(base, Stage::kScores, std::size_t(h))));
    scores = std::max(scores, LargestFinite(plan.Matrix<const double>(base, Stage::kShifted, std::size_t(h))));
    values = std::max(values, LargestFinite(plan.Matrix<const double>(base, Stage::kValues, std::size_t(h))));
  }
  return {3e-7 * (1 + scores) * (1 + values), 1e-6};
}

void ExpectNearTheTwin(const AttentionOptions& options, Random& random) {
  Case c(options);
  FillRandom(c, random);
  c.Run();
  Result<Twin> twin = Twin::Create(*c.plan);
  ASSERT_TRUE(twin.ok());
  twin.value().Run(c.attention);
  double* base = twin.value().base();
  const Tolerance tolerance = ToleranceOf(*c.plan, base);
  for (std::size_t s = 0; s < kStageCount; ++s) {
    const Recipe* recipe = c.plan->Find(Stage(s));
    if (recipe == nullptr || Stage(s) == Stage::kConcat) continue;
    const std::size_t heads = recipe->rank == 3 ? std::size_t(recipe->shape[0]) : 1;
    for (std::size_t h = 0; h < heads; ++h) {
      EXPECT_TRUE(AllNear(c.attention.Stage3(Stage(s), h), c.plan->Matrix<const double>(base, Stage(s), h), tolerance))
          << StageName(Stage(s)) << ", head " << h;
    }
  }
}

TEST(AttentionTest, EveryStageIsNearTheTwinForRandomShapesAndSwitches) {
  for (std::uint64_t seed = 1000; seed < 1120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    ExpectNearTheTwin(RandomOptions(random, seed < 1100 ? 9 : 40, 9), random);
    if (HasFailure()) return;
  }
}

TEST(AttentionTest, K16EveryLengthAndWidthIsNearTheTwin) {
  Random random(111);
  for (const std::size_t n : kLengths) {
    SCOPED_TRACE(n);
    ExpectNearTheTwin(Given(9, int(n), 5, 5), random);
    ExpectNearTheTwin(Given(5, 9, int(n), 3), random);
    ExpectNearTheTwin(Given(5, 9, 3, int(n)), random);
    ExpectNearTheTwin(Given(int(n), 6, 3, 2), random);
    if (HasFailure()) return;
  }
}

// The formula from top to bottom by reference/attention.h itself, without the twin's plan around it.
TEST(AttentionTest, TheFormulaInFloatGivesTheScoresToTheLastBitAndTheOutputNearly) {
  Random random(112);
  Case c(Given(6, 7, 4, 3));
  FillRandom(c, random);
  c.Run();
  using reference::Matrix;
  Matrix<float> scores(6, 7), scaled(6, 7), masked(6, 7), shifted(6, 7), exp(6, 7), weights(6, 7), output(6, 3);
  reference::Column<float> rowmax(6), rowsum(6);
  reference::Stages<float> to{scores, scaled, masked, rowmax, shifted, exp, rowsum, weights, output};
  reference::Attend<float>(
      MatrixOf<float>(c.attention.Stage3(Stage::kQueries, 0)), MatrixOf<float>(c.attention.Stage3(Stage::kKeys, 0)),
      MatrixOf<float>(c.attention.Stage3(Stage::kValues, 0)), 0.5f, [](Eigen::Index, Eigen::Index) { return false; },
      [](Eigen::Index, Eigen::Index) { return 0.0f; }, 1.0f, to);
  EXPECT_TRUE(AllNear(c.attention.Stage3(Stage::kScores, 0), ViewOf(scores), kExact));
  EXPECT_TRUE(AllNear(c.attention.Stage3(Stage::kShifted, 0), ViewOf(shifted), kExact));
  // From here on the two exponentials differ by up to 2 units in the last place.
  EXPECT_TRUE(AllNear(c.attention.Stage3(Stage::kWeights, 0), ViewOf(weights), {0, 1e-6}));
  EXPECT_TRUE(AllNear(c.attention.Stage3(Stage::kOutput, 0), ViewOf(output), {5e-6, 0}));
}

// The same inputs in both.
void CopyInputs(const Case& from, Case& to) {
  for (const Stage stage : kAllInputs) {
    if (!IsInput(*from.plan, stage)) continue;
    const std::vector<float> numbers = from.Read(stage);
    const std::size_t heads = from.plan->Get(stage).rank == 3 ? std::size_t(from.plan->Get(stage).shape[0]) : 1;
    std::size_t at = 0;
    for (std::size_t h = 0; h < heads; ++h) {
      const View<float> matrix = to.plan->Matrix(to.attention.base(), stage, h);
      for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.cols; ++j) matrix(i, j) = numbers[at++];
      }
    }
  }
}

TEST(AttentionTest, TheOutputHasTheSameBitsWithAndWithoutATrace) {
  for (std::uint64_t seed = 2000; seed < 2200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    AttentionOptions o = RandomOptions(random, 40, 17);
    Case traced(o);
    FillRandom(traced, random);
    o.trace = false;
    Case untraced(o);
    CopyInputs(traced, untraced);
    traced.Run();
    untraced.Run();
    EXPECT_TRUE(AllSame(untraced.attention.Output(), traced.attention.Output()));
    EXPECT_EQ(untraced.States(), traced.States());
    if (HasFailure()) return;
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

TEST(AttentionTest, CheckInputsNamesTheFirstNumberThatIsNotFinite) {
  AttentionOptions o;
  o.project = true;
  o.crossed = true;
  o.n_q = 3;
  o.n_k = 4;
  o.heads = 2;
  o.d_k = o.d_v = o.d_model = o.d_kv = 2;
  o.allow_heads = 1;
  o.add_heads = 2;
  const auto check = [&](const AttentionOptions& options, Stage stage, Param param) {
    Case c(options);
    Random random(115);
    FillRandom(c, random);
    EXPECT_TRUE(Ok(c.attention.CheckInputs()));
    const MutableView input = c.attention.Input(stage);
    for (const float bad : {kNaN, kInfinity}) {
      input(input.rows - 1, 1) = bad;
      const Status status = c.attention.CheckInputs();
      EXPECT_EQ(status.code, ErrorCode::kNotFinite) << StageName(stage);
      EXPECT_EQ(status.param, param) << StageName(stage);
      EXPECT_EQ(status.value, double((input.rows - 1) * input.cols + 1)) << StageName(stage);
    }
    input(input.rows - 1, 1) = -kInfinity;
    EXPECT_EQ(Ok(c.attention.CheckInputs()), stage == Stage::kAdd) << StageName(stage);
  };
  check(o, Stage::kX, Param::kX);
  check(o, Stage::kXKv, Param::kXKv);
  check(o, Stage::kWQ, Param::kWQ);
  check(o, Stage::kWK, Param::kWK);
  check(o, Stage::kWV, Param::kWV);
  check(o, Stage::kAllow, Param::kAllow);
  check(o, Stage::kAdd, Param::kAdd);
  check(Given(3, 4, 2, 2), Stage::kQueries, Param::kQ);
  check(Given(3, 4, 2, 2), Stage::kKeys, Param::kK);
  check(Given(3, 4, 2, 2), Stage::kValues, Param::kV);
}

}  // namespace
}  // namespace loom::test
