// Whole layers at random: every stage in float32 and in the twin's double against reference/, which knows neither plan
// nor recipes nor kernels.
#include "reference/block.h"

#include "float_bound.h"
#include "random_case.h"
#include "reference/angles.h"
#include "reference/sinusoid.h"
#include "reference_case.h"
#include "trace/twin.h"

namespace loom::test {
namespace {

// The twin's own sums are in the same order; what differs is e^x, tanh and erf.
constexpr Tolerance kTwin{1e-12, 1e-12};

// With τ = 0 a tie decides: the ends of a cap and what a norm evens out can be ties in one arithmetic only.
AttentionOptions WithoutNearTies(AttentionOptions o) {
  if (o.cap > 0 || o.norm != Norm::kNone) o.temperature = o.temperature == 0 ? 1 : o.temperature;
  return o;
}

// With scores so small that no row leaves the range of float32: without the shift e^x would soon.
Case InRange(AttentionOptions o, float deviation, Random& random) {
  Case c(o);
  FillRandom(c, random, deviation);
  EXPECT_TRUE(Ok(c.attention.CheckInputs()));
  c.Run();
  const auto out_of_range = [](const std::vector<RowState>& states) {
    return std::find(states.begin(), states.end(), RowState::kNotFinite) != states.end();
  };
  for (o.scale = c.options().scale; !o.shift && out_of_range(c.States());) {
    o.default_scale = false;
    o.scale *= 0.25f;
    Case smaller(o);
    CopyInputs(c, smaller);
    c = std::move(smaller.Run());
  }
  EXPECT_FALSE(out_of_range(c.States()));
  return c;
}

void ExpectTheReference(const AttentionOptions& options, float deviation, Random& random) {
  const Case c = InRange(options, deviation, random);
  Result<Twin> twin = Twin::Create(*c.plan);
  ASSERT_TRUE(twin.ok());
  twin.value().Run(c.attention);
  double* base = twin.value().base();
  for (std::size_t entry = 0; entry < std::size_t(options.Entries()); ++entry) {
    const ReferenceCase given(c, entry);
    const reference::Block<double> block = reference::Layer(given.Given());
    const Found found(block);
    FloatBound bound(*c.plan, base);
    for (std::size_t s = 0; s < c.plan->count(); ++s) {
      const Stage stage = c.plan->at(s).stage;
      if (!Found::Has(stage)) continue;
      const Tolerance tolerance = bound.Of(stage);
      for (std::size_t h = 0; h < c.Heads(stage); ++h) {
        const View<const double> want = found.Of(stage, h);
        EXPECT_TRUE(AllNear(c.plan->Matrix<const double>(base, stage, h, entry), want, kTwin))
            << "twin, " << StageName(stage) << ", head " << h << ", entry " << entry;
        EXPECT_TRUE(AllNear(c.Head(stage, h, entry), want, tolerance))
            << "float32, " << StageName(stage) << ", head " << h << ", entry " << entry;
      }
    }
  }
}

TEST(BlockTest, EveryStageOfRandomLayersIsThatOfTheFormulas) {
  constexpr float kDeviations[] = {1, 0.1f, 4, 20};  // of tokens, queries, keys and values
  for (std::uint64_t seed = 1000; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const AttentionOptions o = RandomOptions(random, seed < 1480 ? 9 : 40, 9);
    ExpectTheReference(WithoutNearTies(o), kDeviations[seed % 4], random);
    if (HasFailure()) return;
  }
}

TEST(BlockTest, EveryOptionIsDrawn) {
  int drawn[15] = {};
  for (std::uint64_t seed = 1000; seed < 1500; ++seed) {
    Random random(seed);
    const AttentionOptions o = RandomOptions(random, 9, 9);
    const bool has[] = {o.batch == 2,
                        o.n_past > 0,
                        o.extra_key && o.zero_key,
                        o.Group() == 2 && o.kv_heads == 2,
                        o.allow_rank == 4 && o.allow_batch == 2,
                        o.global,
                        o.random_count > 0,
                        o.offset_from_count,
                        o.alibi == Alibi::kDefault && o.rotary == Rotary::kHalf,
                        o.norm == Norm::kLayer && o.d_ff > 0 && o.norm_first,
                        o.norm == Norm::kRms && o.d_ff > 0 && !o.norm_first,
                        o.positions_kv == Positions::kSinusoid,
                        o.softmax == Softmax::kNone,
                        o.softmax == Softmax::kColumns && o.shift && o.causal,
                        o.softmax == Softmax::kColumns && !o.shift && o.temperature != 1};
    for (std::size_t i = 0; i < std::size(has); ++i) drawn[i] += has[i] ? 1 : 0;
  }
  for (std::size_t i = 0; i < std::size(drawn); ++i) EXPECT_GE(drawn[i], 5) << i;
}

TEST(BlockTest, K16EveryLengthAndWidthIsThatOfTheFormulas) {
  Random random(111);
  for (const std::size_t n : kLengths) {
    SCOPED_TRACE(n);
    ExpectTheReference(Given(9, int(n), 5, 5), 1, random);
    ExpectTheReference(Given(5, 9, int(n), 3), 1, random);
    ExpectTheReference(Given(5, 9, 3, int(n)), 1, random);
    ExpectTheReference(Given(int(n), 6, 3, 2), 1, random);
    if (HasFailure()) return;
  }
}

// The bound for inputs of standard deviation 1.
TEST(BlockTest, PlainAttentionIsWithinTwoMillionthsOfTheFormulas) {
  Random random(112);
  for (int round = 0; round < 200; ++round) {
    const auto length = [&] { return int(kLengths[std::size_t(random.Whole(1, int(std::size(kLengths)) - 1))]); };
    Case c(Given(length(), length(), random.Whole(1, 17), random.Whole(1, 9)));
    FillRandom(c, random);
    c.Run();
    const reference::Block<double> block = reference::Layer(ReferenceCase(c, 0).Given());
    ASSERT_TRUE(AllNear(c.attention.Output(), Found(block).Of(Stage::kOutput, 0), {2e-6, 2e-6})) << "round " << round;
  }
}

// The formula in float32: no sum is in another order, nothing is rounded once instead of twice.
TEST(BlockTest, TheFormulaInFloatGivesTheScoresToTheLastBitAndTheOutputNearly) {
  Random random(113);
  Case c(Given(6, 7, 4, 3));
  FillRandom(c, random);
  c.Run();
  const auto in = [&](Stage stage) { return MatrixOf<float>(c.Head(stage, 0)); };
  const reference::Matrix<float> q = in(Stage::kQueries), k = in(Stage::kKeys), v = in(Stage::kValues);
  reference::Stages<float> to(6, 7, 3);
  reference::Attend<float>(
      q, k, v, {0.5f, 0, 1}, [](Eigen::Index, Eigen::Index) { return false; },
      [](Eigen::Index, Eigen::Index) { return 0.0f; }, to);
  EXPECT_TRUE(AllNear(c.Head(Stage::kScores, 0), ViewOf(to.scores), kExact));
  EXPECT_TRUE(AllNear(c.Head(Stage::kShifted, 0), ViewOf(to.shifted), kExact));
  // From here on the two exponentials differ by up to 2 units in the last place.
  EXPECT_TRUE(AllNear(c.Head(Stage::kWeights, 0), ViewOf(to.weights), {0, 1e-6}));
  EXPECT_TRUE(AllNear(c.Head(Stage::kOutput, 0), ViewOf(to.output), {5e-6, 0}));
}

// Tables are made in double and rounded once.
constexpr Tolerance kRoundedOnce{1e-12, 6e-8};

TEST(BlockTest, TablesAreThoseOfTheFormulas) {
  AttentionOptions o = Projected(7, 4, 6);
  o.d_model = 5;
  o.positions = Positions::kSinusoid;
  o.rotary = Rotary::kHalf;
  o.rotary_width = 6;
  o.rotary_base = 500;
  o.rotary_offset = 3;
  o.alibi = Alibi::kDefault;
  Case c(o);
  Random random(114);
  FillRandom(c, random);
  c.Run();
  reference::Matrix<double> positions(7, 5), cosines(10, 3), sines(10, 3);
  reference::Sinusoid<double>(0, 10000, positions);
  EXPECT_TRUE(AllNear(c.Head(Stage::kPositions, 0), ViewOf(positions), kRoundedOnce));
  reference::Column<double> places(10);
  for (int p = 0; p < 10; ++p) places(p) = p;
  reference::Angles<double>(places, 500, cosines, sines);
  EXPECT_TRUE(AllNear(c.Head(Stage::kCosines, 0), ViewOf(cosines), kRoundedOnce));
  EXPECT_TRUE(AllNear(c.Head(Stage::kSines, 0), ViewOf(sines), kRoundedOnce));
  // 2^(−8·(head + 1)/h) (Press et al. 2022, §3).
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kSlopes), std::vector<float>{0.25f, 0.0625f, 0.015625f, 0.00390625f}, kRoundedOnce));
}

}  // namespace
}  // namespace loom::test
