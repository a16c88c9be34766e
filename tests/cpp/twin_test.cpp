#include "trace/twin.h"

#include "attention_case.h"

namespace loom::test {
namespace {

// Nothing is added to a key that no mask touches, whatever stands in the mask's last columns.
TEST(TwinTest, AddsNothingToExtraKeysAsTheCore) {
  AttentionOptions o;
  o.trace = true;
  o.n_q = 1;
  o.n_new = 2;
  o.d_k = o.d_v = 1;
  o.zero_key = true;
  o.add_rank = 2;
  Case c(o);
  c.Set(Stage::kQueries, {1}).Set(Stage::kKeys, {1, 2}).Set(Stage::kValues, {3, 4}).Set(Stage::kAdd, {-1, 0.5f, 7});
  c.Run();
  Result<Twin> twin = Twin::Create(*c.plan);
  ASSERT_TRUE(twin.ok());
  twin.value().Run(c.attention);
  const Recipe& masked = c.plan->Get(Stage::kMasked);
  const double want[] = {0, 2.5, 0};
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(c.attention.base()[masked.offset + j], float(want[j])) << j;
    EXPECT_EQ(twin.value().base()[masked.offset + j], want[j]) << j;
  }
}

}  // namespace
}  // namespace loom::test
