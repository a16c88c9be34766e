// Known faults of masks, each with the smallest input that shows it.
#include "attention_case.h"

namespace loom::test {
namespace {

// Inputs of the size of 1: a handful of roundings in float32.
constexpr Tolerance kClose{2e-6, 2e-6};

TEST(MaskPitfallsTest, K01ARowWithEveryKeyMaskedIsZeroAndSaysSo) {
  Case c(Allowed(Given(3, 3, 2, 2)));
  c.Set(Stage::kQueries, {1, 0, 0, 1, 1, 1})
      .Set(Stage::kKeys, {1, 0, 0, 1, 1, 1})
      .Set(Stage::kValues, {1, 2, 3, 4, 5, 6});
  c.Set(Stage::kAllow, {1, 0, 0, 0, 0, 0, 1, 1, 1}).Run();
  EXPECT_TRUE(AllNear(c.Read(Stage::kWeights), std::vector<float>{1, 0, 0, 0, 0, 0, 0.2482551f, 0.2482551f, 0.5034898f},
                      kClose));
  for (const std::size_t masked : {1, 2, 3, 4, 5}) EXPECT_TRUE(IsSame(c.Read(Stage::kWeights)[masked], 0.0f));
  EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{1, 2, 0, 0, 3.5104695f, 4.5104695f}, kClose));
  EXPECT_TRUE(IsSame(c.Output()[2], 0.0f) && IsSame(c.Output()[3], 0.0f));
  for (std::size_t s = 0; s < kStageCount; ++s) {
    const auto stage = Stage(s);
    if (!c.plan->Has(stage)) continue;
    for (const float x : c.Read(stage)) EXPECT_FALSE(std::isnan(x)) << StageName(stage);
  }
  EXPECT_EQ(c.Read(Stage::kRowMax)[1], -kInfinity);
  EXPECT_TRUE(IsSame(c.Read(Stage::kRowSum)[1], 0.0f));
  for (std::size_t j = 3; j < 6; ++j) EXPECT_EQ(c.Read(Stage::kShifted)[j], -kInfinity);
  EXPECT_EQ(c.States(), (std::vector<RowState>{RowState::kOk, RowState::kEmpty, RowState::kOk}));
}

TEST(MaskPitfallsTest, K02AMaskedValueThatIsNotFiniteStaysOut) {
  for (const bool trace : {true, false}) {
    for (const float bad : {kNaN, kInfinity, -kInfinity}) {
      AttentionOptions o = Allowed(Given(2, 2, 2, 2));
      o.trace = trace;
      Case c(o);
      c.Set(Stage::kQueries, {1, 0, 0, 1}).Set(Stage::kKeys, {1, 0, 0, 1}).Set(Stage::kValues, {1, 2, bad, 4});
      c.Set(Stage::kAllow, {1, 0, 1, 0}).Run();
      EXPECT_TRUE(AllSame(c.Output(), {1, 2, 1, 2}));
      EXPECT_EQ(c.States(), (std::vector<RowState>{RowState::kOk, RowState::kOk}));
    }
  }
}

TEST(MaskPitfallsTest, K02AMaskedKeyThatIsNotFiniteStaysOut) {
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    Case c(Allowed(Given(2, 2, 2, 2)));
    c.Set(Stage::kQueries, {1, 0, 0, 1}).Set(Stage::kKeys, {1, 0, bad, 1}).Set(Stage::kValues, {1, 2, 3, 4});
    c.Set(Stage::kAllow, {1, 0, 1, 0}).Run();
    EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {1, 0, 1, 0}));
    EXPECT_TRUE(AllSame(c.Output(), {1, 2, 1, 2}));
    EXPECT_EQ(c.States(), (std::vector<RowState>{RowState::kOk, RowState::kOk}));
  }
}

TEST(MaskPitfallsTest, K02ANotFiniteKeyThatIsSeenIsReportedInItsRowsOnly) {
  Case c(Allowed(Given(2, 2, 2, 2)));
  c.Set(Stage::kQueries, {1, 0, 0, 1}).Set(Stage::kKeys, {1, 0, kNaN, 1}).Set(Stage::kValues, {1, 2, 3, 4});
  c.Set(Stage::kAllow, {1, 0, 1, 1}).Run();
  EXPECT_EQ(c.States(), (std::vector<RowState>{RowState::kOk, RowState::kNotFinite}));
  const std::vector<float> output = c.Output();
  EXPECT_TRUE(IsSame(output[0], 1.0f) && IsSame(output[1], 2.0f));
  EXPECT_TRUE(std::isnan(output[2]) && std::isnan(output[3]));
}

TEST(MaskPitfallsTest, K03CausalAndPaddingTogether) {
  Case c(Allowed(Causal(Scaled(Given(3, 3, 1, 1), 1), 0)));
  c.Set(Stage::kQueries, {1, 1, 1}).Set(Stage::kKeys, {0, 1, 2}).Set(Stage::kValues, {10, 20, 40});
  c.Set(Stage::kAllow, {0, 1, 1, 0, 1, 1, 0, 1, 1}).Run();
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kWeights), std::vector<float>{0, 0, 0, 0, 1, 0, 0, 0.2689414f, 0.7310586f}, kClose));
  EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{0, 20, 34.6211716f}, kClose));
  EXPECT_EQ(c.States(), (std::vector<RowState>{RowState::kEmpty, RowState::kOk, RowState::kOk}));
}

TEST(MaskPitfallsTest, K04AMaskedKeyHasExactlyNoWeight) {
  Case c(Allowed(Given(1, 3, 2, 1)));
  c.Set(Stage::kQueries, {1, 0}).Set(Stage::kKeys, {1, 0, 1, 0, 1, 0}).Set(Stage::kValues, {3, 6, 900});
  c.Set(Stage::kAllow, {1, 1, 0}).Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {0.5f, 0.5f, 0}));
  EXPECT_TRUE(AllSame(c.Output(), {4.5f}));
}

TEST(MaskPitfallsTest, K05AllowMeansMayLook) {
  Case c(Allowed(Given(2, 2, 2, 2)));
  c.Set(Stage::kQueries, {1, 0, 0, 1}).Set(Stage::kKeys, {1, 0, 0, 1}).Set(Stage::kValues, {1, 2, 3, 4});
  c.Set(Stage::kAllow, {1, 0, 1, 1}).Run();
  EXPECT_TRUE(AllNear(c.Read(Stage::kWeights), std::vector<float>{1, 0, 0.3302385f, 0.6697615f}, kClose));
  EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{1, 2, 2.3395231f, 3.3395231f}, kClose));
}

TEST(MaskPitfallsTest, K06AnAdditiveMaskIsAdded) {
  Case c(Added(Scaled(Given(2, 2, 1, 1), 1)));
  c.Set(Stage::kQueries, {1, 1}).Set(Stage::kKeys, {0, 0}).Set(Stage::kValues, {1, 5});
  c.Set(Stage::kAdd, {1, 0, 0, -kInfinity}).Run();
  EXPECT_TRUE(AllNear(c.Read(Stage::kWeights), std::vector<float>{0.7310586f, 0.2689414f, 1, 0}, kClose));
  EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{2.0757657f, 1}, kClose));
}

TEST(MaskPitfallsTest, K07TheOffsetChoosesTheCornerOfTheCausalTriangle) {
  const auto output = [](int offset) {
    Case c(Causal(Given(2, 5, 1, 1), offset));
    c.Set(Stage::kQueries, {1, 1}).SetAll(Stage::kKeys, 0).Set(Stage::kValues, {1, 2, 3, 4, 5});
    return c.Run().Output();
  };
  EXPECT_TRUE(AllNear(output(3), std::vector<float>{2.5f, 3}, kClose)) << "the last query sees the last key";
  EXPECT_TRUE(AllNear(output(0), std::vector<float>{1, 1.5f}, kClose)) << "the first query sees the first key";
  EXPECT_TRUE(AllNear(output(-1), std::vector<float>{0, 1}, kClose)) << "the first query sees nothing";
}

TEST(MaskPitfallsTest, K08ACausalQuerySeesItselfAndNothingLater) {
  Case c(Causal(Given(3, 3, 1, 1), 0));
  c.SetAll(Stage::kQueries, 0).SetAll(Stage::kKeys, 0).Set(Stage::kValues, {3, 6, 12}).Run();
  const float third = 1.0f / 3;
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kWeights), std::vector<float>{1, 0, 0, 0.5f, 0.5f, 0, third, third, third}, kClose));
  EXPECT_TRUE(AllNear(c.Output(), std::vector<float>{3, 4.5f, 7}, kClose));
}

TEST(MaskPitfallsTest, MasksPerHeadBelongToTheirHead) {
  Case c(Added(Allowed(WithHeads(Given(1, 2, 1, 1), 2), 2), 2));
  c.SetAll(Stage::kQueries, 0).SetAll(Stage::kKeys, 0).Set(Stage::kValues, {1, 10, 2, 20});
  c.Set(Stage::kAllow, {1, 0, 1, 1}).Set(Stage::kAdd, {0, 0, 0, -kInfinity}).Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {1, 0, 1, 0}));
  c.Set(Stage::kAllow, {0, 1, 1, 1}).Run();
  EXPECT_TRUE(AllSame(c.Read(Stage::kWeights), {0, 1, 1, 0}));
  EXPECT_TRUE(AllSame(c.Output(), {2, 10}));
}

}  // namespace
}  // namespace loom::test
