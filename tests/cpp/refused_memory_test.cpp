// The k-th allocation of a call is refused, for every k: an error value, nothing leaked, and the next call is right.
#include <functional>

#include "matrix/memory.h"
#include "random_case.h"
#include "trace/origin.h"
#include "trace/standalone.h"
#include "trace/twin.h"

namespace loom::test {
namespace {

// `call` gives back all memory before it returns.
void ExpectEachRefusalIsClean(std::size_t allocations, const std::function<Status()>& call) {
  const LiveMemory before = Live();
  std::size_t refused = 0;
  for (std::size_t k = 1; k < 100; ++k) {
    RefuseAllocation(k);
    const Status status = call();
    RefuseAllocation(0);
    EXPECT_EQ(Live().buffers, before.buffers) << k;
    EXPECT_EQ(Live().bytes, before.bytes) << k;
    if (Ok(status)) break;
    ++refused;
    EXPECT_EQ(status.code, ErrorCode::kNoMemory) << k;
    EXPECT_EQ(status.param, Param::kTotalBytes) << k;
    EXPECT_GT(status.value, 0) << k;
    EXPECT_TRUE(Ok(call())) << "the call after refusal " << k;
    EXPECT_EQ(Live().buffers, before.buffers) << k;
  }
  EXPECT_EQ(refused, allocations);
}

template <class T>
Status StatusOf(const Result<T>& result) {
  return result.error();
}

AttentionOptions Masked() { return Allowed(Given(3, 4, 2, 2)); }

TEST(RefusedMemoryTest, AttentionReservesOnceAndFailsCleanly) {
  for (const bool trace : {true, false}) {
    AttentionOptions o = Masked();
    o.trace = trace;
    const Plan plan = Plan::Create(o).value();
    ExpectEachRefusalIsClean(1, [&] { return StatusOf(Attention::Create(plan)); });
    RefuseAllocation(1);
    const Result<Attention> refused = Attention::Create(plan);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().value, double(Attention::BytesNeeded(plan)));
  }
}

TEST(RefusedMemoryTest, APlanReservesNothing) {
  RefuseAllocation(1);
  EXPECT_TRUE(Plan::Create(Masked()).ok());
  RefuseAllocation(0);
}

TEST(RefusedMemoryTest, ARunReservesNothing) {
  for (const bool trace : {true, false}) {
    AttentionOptions o = Masked();
    o.trace = trace;
    Case c(o);
    Random random(131);
    FillRandom(c, random);
    const std::vector<float> want = c.Run().Output();
    RefuseAllocation(1);
    EXPECT_TRUE(AllSame(c.Run().Output(), want));
    EXPECT_FALSE(Buffer::Create(1).ok()) << "the refusal is still to come: the run asked for nothing";
  }
}

TEST(RefusedMemoryTest, TheTwinReservesOnceAndFailsCleanly) {
  for (const AttentionOptions& o : {Masked(), Given(3, 4, 2, 2)}) {
    Case c(o);
    Random random(132);
    FillRandom(c, random);
    c.Run();
    ExpectEachRefusalIsClean(1, [&] {
      Result<Twin> twin = Twin::Create(*c.plan);
      if (twin.ok()) twin.value().Run(c.attention);
      return StatusOf(twin);
    });
  }
}

TEST(RefusedMemoryTest, TheTwinNeedsAPlanWithATrace) {
  AttentionOptions o = Masked();
  o.trace = false;
  const LiveMemory before = Live();
  const Result<Twin> twin = Twin::Create(Plan::Create(o).value());
  ASSERT_FALSE(twin.ok());
  EXPECT_EQ(twin.error().code, ErrorCode::kNotReady);
  EXPECT_EQ(Live().buffers, before.buffers);
}

TEST(RefusedMemoryTest, OriginAndFeedsFailCleanly) {
  Case c(Masked());
  Random random(133);
  FillRandom(c, random);
  c.Run();
  const Cell cell{Stage::kOutput, {0, 1, 1, 0}};
  ExpectEachRefusalIsClean(1, [&] { return StatusOf(Origin::Of(c.attention, cell)); });
  const Cell fed{Stage::kValues, {0, 2, 1, 0}};
  ExpectEachRefusalIsClean(1, [&] { return StatusOf(Feeds::Of(c.attention, fed)); });
  // An input comes from nothing, the output feeds nothing: no memory is needed.
  ExpectEachRefusalIsClean(0, [&] { return StatusOf(Origin::Of(c.attention, fed)); });
  ExpectEachRefusalIsClean(0, [&] { return StatusOf(Feeds::Of(c.attention, cell)); });
}

TEST(RefusedMemoryTest, SoftmaxFailsCleanlyAndLeavesItsDataAlone) {
  for (const std::size_t inner : {1u, 2u}) {
    const std::vector<float> start{1, 2, 3, 4, 5, 6};
    std::vector<float> data = start;
    ExpectEachRefusalIsClean(1, [&] {
      data = start;
      const Status status = SoftmaxAlong(data.data(), 1, 6 / inner, inner, false);
      if (!Ok(status)) EXPECT_TRUE(AllSame(data, start));
      return status;
    });
    EXPECT_FALSE(AllSame(data, start));
  }
}

TEST(RefusedMemoryTest, ManyCallsLeaveTheCountersWhereTheyWere) {
  const LiveMemory before = Live();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    Case c(RandomOptions(random, 6, 5));
    FillRandom(c, random);
    c.Run();
    Result<Twin> twin = Twin::Create(*c.plan);
    ASSERT_TRUE(twin.ok());
    twin.value().Run(c.attention);
    if (c.plan->Get(Stage::kOutput).Cells() > 0) {
      EXPECT_TRUE(Origin::Of(c.attention, {Stage::kOutput, {}}).ok());
    }
    // One attention after another in the same place, as a session has it.
    Attention attention;
    for (int i = 0; i < 3; ++i) attention = std::move(Attention::Create(*c.plan).value());
  }
  EXPECT_EQ(Live().buffers, before.buffers);
  EXPECT_EQ(Live().bytes, before.bytes);
}

}  // namespace
}  // namespace loom::test
