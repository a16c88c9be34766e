#include "matrix/buffer.h"

#include "support.h"

namespace loom::test {
namespace {

TEST(BufferTest, TheCounterFollowsWhatIsGivenOutAndBack) {
  const LiveMemory before = Live();
  {
    Result<Buffer> a = Buffer::Create(100);
    ASSERT_TRUE(a.ok());
    EXPECT_EQ(a.value().bytes(), 100u);
    EXPECT_EQ(Live().buffers, before.buffers + 1);
    EXPECT_EQ(Live().bytes, before.bytes + 100);
    Result<Buffer> b = Buffer::Create(1);
    EXPECT_EQ(Live().buffers, before.buffers + 2);
    EXPECT_EQ(Live().bytes, before.bytes + 101);
  }
  EXPECT_EQ(Live().buffers, before.buffers);
  EXPECT_EQ(Live().bytes, before.bytes);
}

TEST(BufferTest, MemoryIsAlignedTo64AndWritableToItsEnd) {
  for (std::size_t bytes = 1; bytes <= 130; ++bytes) {
    Result<Buffer> buffer = Buffer::Create(bytes);
    ASSERT_TRUE(buffer.ok());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.value().data()) % 64, 0u);
    auto* byte = static_cast<unsigned char*>(buffer.value().data());
    for (std::size_t i = 0; i < bytes; ++i) byte[i] = 1;
  }
}

TEST(BufferTest, NoBytesAreNoRefusal) {
  const LiveMemory before = Live();
  Result<Buffer> empty = Buffer::Create(0);
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty.value().data(), nullptr);
  EXPECT_EQ(empty.value().bytes(), 0u);
  EXPECT_EQ(Live().buffers, before.buffers);
}

TEST(BufferTest, ARefusalIsAnErrorWithTheBytesAskedFor) {
  RefuseAllocation(1);
  const Result<Buffer> refused = Buffer::Create(12345);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kNoMemory);
  EXPECT_EQ(refused.error().param, Param::kTotalBytes);
  EXPECT_EQ(refused.error().value, 12345);
  EXPECT_TRUE(Buffer::Create(12345).ok()) << "one refusal only";
}

TEST(BufferTest, TheCountdownCountsAllocations) {
  RefuseAllocation(3);
  EXPECT_TRUE(Buffer::Create(8).ok());
  EXPECT_TRUE(Buffer::Create(0).ok()) << "nothing to allocate, nothing counted";
  EXPECT_TRUE(Buffer::Create(8).ok());
  EXPECT_FALSE(Buffer::Create(8).ok());
  EXPECT_TRUE(Buffer::Create(8).ok());
  RefuseAllocation(1);
  RefuseAllocation(0);
  EXPECT_TRUE(Buffer::Create(8).ok()) << "switched off";
}

TEST(BufferTest, MovingKeepsTheMemoryAndEmptiesTheSource) {
  const LiveMemory before = Live();
  {
    Buffer first = std::move(Buffer::Create(64).value());
    void* memory = first.data();
    static_cast<char*>(memory)[63] = 'x';
    Buffer second(std::move(first));
    EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move): what is left is the point
    EXPECT_EQ(first.bytes(), 0u);
    EXPECT_EQ(second.data(), memory);
    EXPECT_EQ(second.bytes(), 64u);
    Buffer third;
    third = std::move(second);
    EXPECT_EQ(third.data(), memory);
    EXPECT_EQ(static_cast<char*>(third.data())[63], 'x');
    EXPECT_EQ(Live().buffers, before.buffers + 1);
  }
  EXPECT_EQ(Live().buffers, before.buffers);
}

TEST(BufferTest, AssigningOverABufferLosesNeither) {
  const LiveMemory before = Live();
  {
    Buffer a = std::move(Buffer::Create(10).value());
    {
      Buffer b = std::move(Buffer::Create(20).value());
      a = std::move(b);
      EXPECT_EQ(a.bytes(), 20u);
    }
    EXPECT_EQ(Live().buffers, before.buffers + 1);
    EXPECT_EQ(Live().bytes, before.bytes + 20);
    Buffer& same = a;
    a = std::move(same);
    EXPECT_EQ(a.bytes(), 20u);
    EXPECT_NE(a.data(), nullptr);
  }
  EXPECT_EQ(Live().buffers, before.buffers);
  EXPECT_EQ(Live().bytes, before.bytes);
}

TEST(BufferTest, MoreThanTheMachineHasIsRefusedNotCrashed) {
  const LiveMemory before = Live();
  // The rounding up to whole 64 bytes would overflow.
  const Result<Buffer> refused = Buffer::Create(std::numeric_limits<std::size_t>::max() - 8);
  EXPECT_FALSE(refused.ok());
  EXPECT_EQ(Live().buffers, before.buffers);
}

}  // namespace
}  // namespace loom::test
