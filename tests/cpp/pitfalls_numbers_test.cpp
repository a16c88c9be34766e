// Known faults of axes, sizes and number ranges, each with the smallest input that shows it.
#include "attention_case.h"
#include "trace/standalone.h"

namespace loom::test {
namespace {

// Inputs of the size of 1: a handful of roundings in float32.
constexpr Tolerance kClose{2e-6, 2e-6};

TEST(NumberPitfallsTest, K09EachHeadKeepsItsOwnWeights) {
  Case c(WithHeads(Scaled(Given(1, 2, 1, 1), 1), 2));
  c.Set(Stage::kQueries, {40, -40}).Set(Stage::kKeys, {1, 1, -1, -1}).Set(Stage::kValues, {1, 1, 2, 2}).Run();
  const std::vector<float> weights = c.Read(Stage::kWeights);
  ASSERT_EQ(weights.size(), 4u);
  EXPECT_EQ(weights[0], 1.0f);
  EXPECT_LT(weights[1], 1e-30f);
  EXPECT_LT(weights[2], 1e-30f);
  EXPECT_EQ(weights[3], 1.0f);
  EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{1, 2}, kClose));
}

TEST(NumberPitfallsTest, K10RowsOfWeightsSumToOneNotColumns) {
  Case c(Scaled(Given(2, 2, 2, 1), 1));
  c.Set(Stage::kQueries, {1, 0, 3, 0}).Set(Stage::kKeys, {1, 0, 0, 1}).Set(Stage::kValues, {10, 20}).Run();
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kWeights), std::vector<float>{0.7310586f, 0.2689414f, 0.9525741f, 0.0474259f}, kClose));
  EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{12.6894142f, 10.4742587f}, kClose));
}

TEST(NumberPitfallsTest, K11TheScaleIsOneOverTheRootOfOneHeadsWidth) {
  Case c(WithHeads(Given(1, 2, 4, 1), 2));
  c.SetAll(Stage::kQueries, 0).SetAll(Stage::kKeys, 0).Set(Stage::kValues, {0, 0, 1, 0});
  c.attention.Input(Stage::kQueries)(0, 0) = 2;
  c.attention.Input(Stage::kKeys)(0, 0) = 2;
  c.Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kScaled), {2, 0, 0, 0}));
  EXPECT_TRUE(AllNear(c.Read(Stage::kWeights), std::vector<float>{0.8807971f, 0.1192029f, 0.5f, 0.5f}, kClose));
}

TEST(NumberPitfallsTest, K12HeadsAreBlocksOfColumnsNotARereadBuffer) {
  AttentionOptions o = Projected(2, 2, 2);
  o.project_out = true;
  o.d_out = 4;
  Case c(o);
  const std::initializer_list<float> identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  c.Set(Stage::kX, {1, 2, 3, 4, 5, 6, 7, 8})
      .Set(Stage::kWQ, identity)
      .SetAll(Stage::kWK, 0)
      .Set(Stage::kWV, identity)
      .Set(Stage::kWO, identity)
      .Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kValues), {1, 2, 5, 6, 3, 4, 7, 8}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kQueries), {1, 2, 5, 6, 3, 4, 7, 8}));
  EXPECT_TRUE(AllSame(c.Output(), {3, 4, 5, 6, 3, 4, 5, 6}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kConcat), c.Output()));
  EXPECT_TRUE(AllSame(c.Read(Stage::kOutput), {3, 4, 3, 4, 5, 6, 5, 6}));
}

TEST(NumberPitfallsTest, K13NeighbouringHeadsShareKeysAndValues) {
  for (const bool trace : {true, false}) {
    AttentionOptions o = WithHeads(Given(1, 1, 1, 1), 4);
    o.kv_heads = 2;
    o.trace = trace;
    Case c(o);
    c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 1).Set(Stage::kValues, {10, 20}).Run();
    EXPECT_TRUE(AllSame(c.Output(), {10, 10, 20, 20}));
  }
}

TEST(NumberPitfallsTest, K14TheSoftCapComesBeforeTheMask) {
  for (const bool trace : {true, false}) {
    AttentionOptions o = Allowed(Scaled(Given(1, 3, 1, 3), 1));
    o.cap = 2;
    o.trace = trace;
    Case c(o);
    c.Set(Stage::kQueries, {1}).Set(Stage::kKeys, {1, 3, 2}).Set(Stage::kAllow, {1, 1, 0});
    c.Set(Stage::kValues, {1, 0, 0, 0, 1, 0, 0, 0, 1}).Run();
    EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{0.2919231f, 0.7080769f, 0}, kClose));
    EXPECT_TRUE(IsSame(c.Output()[2], 0.0f));
    if (!trace) continue;
    const std::vector<float> masked = c.Read(Stage::kMasked);
    EXPECT_TRUE(AllNear(masked, std::vector<float>{0.9242343f, 1.8102965f, -kInfinity}, kClose));
  }
}

TEST(NumberPitfallsTest, K15ScoresOfAnySizeGiveTheirSoftmax) {
  const auto weights = [](std::initializer_list<float> keys) {
    Case c(Scaled(Given(1, int(keys.size()), 1, 1), 1));
    c.Set(Stage::kQueries, {1}).Set(Stage::kKeys, keys).SetAll(Stage::kValues, 1).Run();
    EXPECT_EQ(c.States()[0], RowState::kOk);
    return c.Read(Stage::kWeights);
  };
  EXPECT_TRUE(AllNear(weights({1000, 1000, 999}), std::vector<float>{0.4223188f, 0.4223188f, 0.1553624f}, kClose));
  EXPECT_TRUE(AllNear(weights({-1000, -1001}), std::vector<float>{0.7310586f, 0.2689414f}, kClose));
  EXPECT_TRUE(AllSame(weights({3e38f, -3e38f}), {1, 0}));
}

TEST(NumberPitfallsTest, K16EqualScoresShareAtEveryLength) {
  for (const int n_k : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}) {
    for (const int d : {1, 3, 4, 5, 8}) {
      for (const bool trace : {true, false}) {
        AttentionOptions o = Given(1, n_k, d, 1);
        o.trace = trace;
        Case c(o);
        c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 0);
        for (int j = 0; j < n_k; ++j) c.attention.Input(Stage::kValues)(std::size_t(j), 0) = float(j + 1);
        c.Run();
        EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{float(n_k + 1) / 2}, kClose)) << n_k << " keys of " << d;
        if (trace) {
          for (const float w : c.Read(Stage::kWeights)) EXPECT_TRUE(IsSame(w, 1.0f / float(n_k))) << n_k;
        }
      }
    }
  }
}

TEST(NumberPitfallsTest, K17EmptySequencesAndWidthsGiveEmptyOrZeroResults) {
  for (const int heads : {1, 2, 3}) {
    for (const bool trace : {true, false}) {
      const auto output = [&](int n_q, int n_k, int d_k, int d_v) {
        AttentionOptions o = WithHeads(Given(n_q, n_k, d_k, d_v), heads);
        o.trace = trace;
        Case c(o);
        c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 1).SetAll(Stage::kValues, 1);
        return c.Run().Output();
      };
      const auto count = std::size_t(heads);
      EXPECT_TRUE(AllSame(output(0, 0, 2, 3), {}));
      EXPECT_TRUE(AllSame(output(0, 0, 0, 0), {}));
      EXPECT_TRUE(AllSame(output(0, 4, 2, 3), {}));
      EXPECT_TRUE(AllSame(output(2, 0, 2, 3), std::vector<float>(6 * count, 0.0f)));
      EXPECT_TRUE(AllSame(output(2, 4, 2, 0), {}));
      // Without width all scores are sums of nothing: every key the same.
      EXPECT_TRUE(AllSame(output(2, 4, 0, 1), std::vector<float>(2 * count, 1.0f)));
    }
  }
}

TEST(NumberPitfallsTest, K17QueriesWithoutKeysAreEmptyRows) {
  Case c(Given(2, 0, 2, 3));
  c.SetAll(Stage::kQueries, 1).Run();
  EXPECT_EQ(c.States(), (std::vector<RowState>{RowState::kEmpty, RowState::kEmpty}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kRowSum), {0, 0}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kRowMax), {-kInfinity, -kInfinity}));
}

TEST(NumberPitfallsTest, K17AnEmptySequenceIsProjectedToNothing) {
  for (const int heads : {1, 2}) {
    AttentionOptions o = Projected(0, heads, 3);
    o.d_model = 3;
    Case c(o);
    c.SetAll(Stage::kWQ, 1).SetAll(Stage::kWK, 1).SetAll(Stage::kWV, 1).Run();
    EXPECT_TRUE(AllSame(c.Output(), {}));
  }
}

TEST(NumberPitfallsTest, K18OneKeyHasWeightOneWhateverItsScore) {
  Case c(Given(1, 1, 1, 2));
  c.Set(Stage::kQueries, {-1e30f}).Set(Stage::kKeys, {1}).Set(Stage::kValues, {7, 8}).Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {1}));
  EXPECT_TRUE(AllSame(c.Output(), {7, 8}));
}

TEST(NumberPitfallsTest, K18RowsShorterThanAVectorAreRight) {
  for (const int n : {2, 3}) {
    Case c(Given(n, n, 1, 1));
    c.SetAll(Stage::kQueries, 1).SetAll(Stage::kKeys, 0);
    for (int j = 0; j < n; ++j) c.attention.Input(Stage::kValues)(std::size_t(j), 0) = float(j + 1);
    c.Run();
    for (const float x : c.Output()) EXPECT_TRUE(IsNear(x, (n + 1) / 2.0, kClose));
  }
}

TEST(NumberPitfallsTest, K20TheCompilerKnowsNaNAndInfinity) {
  volatile float nan = kNaN;
  volatile float infinity = kInfinity;
  EXPECT_TRUE(nan != nan);
  EXPECT_TRUE(std::isnan(nan));
  EXPECT_FALSE(std::isfinite(infinity));
  std::vector<float> row{0, -kInfinity};
  EXPECT_TRUE(Ok(SoftmaxAlong(row.data(), 1, 2, 1, false)));
  EXPECT_TRUE(AllSame(row, {1, 0}));
}

// One row of four at position 1, then scores of one pair at the same distance from each other.
TEST(NumberPitfallsTest, K21PairsOfRotaryPositionsAreNamedAndDifferent) {
  const auto options = [](Rotary rotary, int offset) {
    AttentionOptions o = Scaled(Given(1, 9, 4, 1), 1);
    o.rotary = rotary;
    o.rotary_width = 4;
    o.rotary_offset = offset;
    return o;
  };
  const struct {
    Rotary rotary;
    std::vector<float> turned;
    float score;
  } kinds[] = {{Rotary::kNeighbour, {0.5403023f, 0.8414710f, 0.9999500f, 0.0099998f}, 1.1900512f},
               {Rotary::kHalf, {-0.3011687f, 0, 1.3817733f, 0}, -3.4564292f}};
  for (const auto& kind : kinds) {
    Case row(options(kind.rotary, 1));
    row.Set(Stage::kQueries, {1, 0, 1, 0}).SetAll(Stage::kKeys, 0).SetAll(Stage::kValues, 0).Run();
    EXPECT_TRUE(AllNear(row.Read(Stage::kRotatedQueries), kind.turned, kClose));
    const std::pair<int, std::size_t> places[] = {{3, 1}, {7, 5}, {2, 0}};
    for (const auto& [query, key] : places) {
      Case c(options(kind.rotary, query));
      c.Set(Stage::kQueries, {1, 2, 3, 4}).SetAll(Stage::kValues, 0);
      for (std::size_t j = 0; j < 9; ++j) {
        for (std::size_t d = 0; d < 4; ++d) c.attention.Input(Stage::kKeys)(j, d) = float(4 - d);
      }
      EXPECT_TRUE(IsNear(c.Run().Read(Stage::kScores)[key], kind.score, {1e-5, 1e-5})) << query << ", " << key;
    }
  }
}

TEST(NumberPitfallsTest, K22PositionCodesOfOddWidthEndWithASine) {
  AttentionOptions o = Projected(2, 1, 5);
  o.positions = Positions::kSinusoid;
  Case c(o);
  c.SetAll(Stage::kX, 0).SetAll(Stage::kWQ, 0).SetAll(Stage::kWK, 0).SetAll(Stage::kWV, 0).Run();
  const std::vector<float> codes = c.Read(Stage::kPositions);
  const std::vector<float> second(codes.begin() + 5, codes.end());
  EXPECT_TRUE(
      AllNear(second, std::vector<float>{0.8414710f, 0.5403023f, 0.0251162f, 0.9996845f, 0.0006310f}, {5e-8, 1e-7}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kPositioned), codes));
  Guarded rows(2, 5, {0, 4, 16});
  FillSinusoid(rows.data(), 0, 2, 5, 10000);
  EXPECT_TRUE(AllSame(RowOf(codes), ConstView(rows.data(), 1, 10)));
  EXPECT_TRUE(rows.Intact());
}

TEST(NumberPitfallsTest, K23TheVarianceOfANormIsDividedByTheNumber) {
  AttentionOptions o = Projected(2, 1, 4);
  o.norm = Norm::kLayer;
  Case c(o);
  c.Set(Stage::kX, {1, 2, 3, 4, 7, 7, 7, 7}).SetAll(Stage::kWQ, 0).SetAll(Stage::kWK, 0).SetAll(Stage::kWV, 0).Run();
  EXPECT_TRUE(AllNear(c.Read(Stage::kNormed),
                      std::vector<float>{-1.3416354f, -0.4472118f, 0.4472118f, 1.3416354f, 0, 0, 0, 0}, kClose));
}

TEST(NumberPitfallsTest, K36MultiplyAndAddRoundApart) {
  Case c(Scaled(Given(1, 1, 64, 1), 0.125f));
  c.SetAll(Stage::kQueries, 0).SetAll(Stage::kKeys, 0).SetAll(Stage::kValues, 0);
  const float a = 1.000244140625f;
  c.attention.Input(Stage::kQueries)(0, 0) = a;
  c.attention.Input(Stage::kQueries)(0, 32) = -a;
  c.attention.Input(Stage::kKeys)(0, 0) = a;
  c.attention.Input(Stage::kKeys)(0, 32) = a;
  c.Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kScores), {0}));
  EXPECT_TRUE(AllSame(c.Read(Stage::kScaled), {0}));
}

TEST(NumberPitfallsTest, K39RowsAreReadAsRows) {
  Case c(Given(2, 2, 3, 2));
  c.Set(Stage::kQueries, {1, 2, 3, 4, 5, 6})
      .Set(Stage::kKeys, {1, 0, 0, 0, 1, 0})
      .Set(Stage::kValues, {1, 0, 0, 1})
      .Run();
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kScaled), std::vector<float>{0.5773503f, 1.1547005f, 2.3094011f, 2.8867513f}, kClose));
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kWeights), std::vector<float>{0.3595425f, 0.6404575f, 0.3595425f, 0.6404575f}, kClose));
}

// Inputs are copied into places of their own, so what the caller does with its buffers cannot matter; inputs survive a
// run.
TEST(NumberPitfallsTest, K40TheSameNumbersAsQueriesKeysAndValues) {
  Case c(Given(2, 2, 2, 2));
  for (const Stage stage : {Stage::kQueries, Stage::kKeys, Stage::kValues}) c.Set(stage, {1, 0, 0, 1});
  for (int run = 0; run < 2; ++run) {
    c.Run();
    EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{0.6697615f, 0.3302385f, 0.3302385f, 0.6697615f}, kClose));
    for (const Stage stage : {Stage::kQueries, Stage::kKeys, Stage::kValues})
      EXPECT_TRUE(AllSame(c.Read(stage), {1, 0, 0, 1}));
  }
}

TEST(NumberPitfallsTest, K41SubnormalNumbersShareEqually) {
  Case c(Given(64, 64, 64, 64));
  for (const Stage stage : {Stage::kQueries, Stage::kKeys, Stage::kValues}) c.SetAll(stage, 1e-40f);
  c.Run();
  for (const float w : c.Read(Stage::kWeights)) EXPECT_TRUE(IsSame(w, 0.015625f));
}

TEST(NumberPitfallsTest, K41ScoresWhoseExpsWouldBeSubnormalWeighNothing) {
  Case c(Scaled(Given(1, 16, 1, 1), 1));
  c.Set(Stage::kQueries, {1}).SetAll(Stage::kValues, 1);
  for (std::size_t j = 0; j < 16; ++j) c.attention.Input(Stage::kKeys)(j, 0) = j == 0 ? 0.0f : -87.0f - float(j);
  c.Run();
  const std::vector<float> weights = c.Read(Stage::kWeights);
  for (std::size_t j = 0; j < 16; ++j) EXPECT_TRUE(IsSame(weights[j], j == 0 ? 1.0f : 0.0f)) << j;
  EXPECT_TRUE(AllSame(c.Output(), {1}));
}

}  // namespace
}  // namespace loom::test
