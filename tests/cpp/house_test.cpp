// The canonical example: four French words ask, five English ones answer, three numbers wide.
#include "house.h"

#include <algorithm>

#include "attention_case.h"

namespace loom::test {
namespace {

// Published to four decimals: half a unit of the last, and float32's own error.
constexpr Tolerance kFourDecimals{5e-5 + 1e-6, 0};

AttentionOptions HouseOptions() {
  AttentionOptions o;
  o.project = true;
  o.crossed = true;
  o.n_q = 4;
  o.n_new = 5;
  o.d_k = o.d_v = o.d_model = o.d_kv = 3;
  o.trace = true;
  return o;
}

Case House(const AttentionOptions& options) {
  Case c(options);
  c.Set(Stage::kX, house::x);
  c.Set(Stage::kXKv, house::xKv);
  c.Set(Stage::kWQ, house::wQ);
  c.Set(Stage::kWK, house::wK);
  c.Set(Stage::kWV, house::wV);
  return c;
}

TEST(HouseTest, QueriesKeysValuesAndScoresAreTheWholeNumbersOfTheTable) {
  const Case c = std::move(House(HouseOptions()).Run());
  EXPECT_TRUE(AllNear(c.Read(Stage::kQueries), std::vector<float>{-1, 0, 2, 2, -1, -1, 0, 2, 2, 1, 1, 0}, kExact));
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kKeys), std::vector<float>{-1, -1, 1, 2, -1, -1, 2, 2, 0, 1, 2, 1, 0, 1, 0}, kExact));
  EXPECT_TRUE(
      AllNear(c.Read(Stage::kValues), std::vector<float>{1, 1, 1, -1, 3, 0, 0, 2, 2, 1, 2, 3, 0, -1, 0}, kExact));
  EXPECT_TRUE(AllNear(c.Read(Stage::kScores),
                      std::vector<float>{3, -4, -2, 1, 0, -2, 6, 2, -1, -1, 0, -4, 4, 6, 2, -2, 1, 4, 3, 1}, kExact));
}

TEST(HouseTest, SoftmaxAndOutputAreThoseOfTheTable) {
  const Case c = std::move(House(HouseOptions()).Run());
  EXPECT_TRUE(AllNear(c.Read(Stage::kRowMax), std::vector<double>{1.7321, 3.4641, 3.4641, 2.3094}, kFourDecimals));
  EXPECT_TRUE(AllNear(c.Read(Stage::kRowSum), std::vector<double>{1.5654, 1.1443, 1.4489, 1.9465}, kFourDecimals));
  std::vector<float> first_row = c.Read(Stage::kExp);
  first_row.resize(5);
  EXPECT_TRUE(AllNear(first_row, std::vector<double>{1, .0176, .0558, .3152, .1769}, kFourDecimals));
  EXPECT_TRUE(AllNear(c.Read(Stage::kWeights),
                      std::vector<double>{.6388, .0112, .0356, .2013, .1130, .0086, .8739, .0868, .0154, .0154,
                                          .0216, .0021, .2175, .6902, .0685, .0161, .0909, .5137, .2884, .0909},
                      kFourDecimals));
  EXPECT_TRUE(AllNear(
      c.Output(),
      std::vector<double>{.8289, 1.0334, 1.3140, -.8499, 2.8192, .2283, .7096, 1.7749, 2.5272, .2136, 1.8021, 1.9088},
      kFourDecimals));
}

std::vector<float> RowMaximaOfWeights(float scale) {
  Case c = House(Scaled(HouseOptions(), scale));
  const std::vector<float> weights = c.Run().Read(Stage::kWeights);
  std::vector<float> maxima;
  for (std::size_t i = 0; i < 4; ++i) maxima.push_back(*std::max_element(&weights[5 * i], &weights[5 * i] + 5));
  return maxima;
}

TEST(HouseTest, AnotherScaleGivesAnotherSharpness) {
  EXPECT_TRUE(AllNear(RowMaximaOfWeights(1.0f / 3), std::vector<double>{.4614, .6549, .5133, .3865}, kFourDecimals));
  EXPECT_TRUE(AllNear(RowMaximaOfWeights(1), std::vector<double>{.8384, .9799, .8649, .6803}, kFourDecimals));
}

TEST(HouseTest, UniformWeightsGiveTheMeanOfTheValues) {
  Case c = House(Scaled(HouseOptions(), 0));
  EXPECT_TRUE(AllNear(c.Run().Output(), std::vector<double>{.2, 1.4, 1.2, .2, 1.4, 1.2, .2, 1.4, 1.2, .2, 1.4, 1.2},
                      {1e-6, 0}));
}

TEST(HouseTest, WithoutItsLastKeyTheFirstRowSharesAnew) {
  Case c = House(Allowed(HouseOptions()));
  c.Set(Stage::kAllow, {1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0}).Run();
  std::vector<float> weights = c.Read(Stage::kWeights);
  weights.resize(5);
  EXPECT_TRUE(AllNear(weights, std::vector<double>{.7202, .0127, .0402, .2270, 0}, kFourDecimals));
  EXPECT_TRUE(IsSame(weights[4], 0.0f));
  std::vector<float> output = c.Output();
  output.resize(3);
  EXPECT_TRUE(AllNear(output, std::vector<double>{.9345, 1.2924, 1.4815}, kFourDecimals));
}

}  // namespace
}  // namespace loom::test
