// The wasm's own heap, on a piece of this program's memory.
#include "matrix/heap.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "support.h"

namespace loom::test {
namespace {

constexpr std::size_t kArena = 64 * 1024;
alignas(kAlignment) char arena[kArena];

struct ReachInArena {
  bool operator()(const char* end) const { return end <= arena + kArena; }
};
using ArenaHeap = Heap<ReachInArena>;

struct Taken {
  char* memory;
  std::size_t bytes;
  int mark;
  bool Holds() const {
    for (std::size_t i = 0; i < bytes; ++i) {
      if (memory[i] != static_cast<char>(mark)) return false;
    }
    return true;
  }
};

TEST(HeapTest, BlocksAreAlignedApartAndKeepTheirBytes) {
  Random random(20);
  ArenaHeap heap(arena, {});
  std::vector<Taken> taken;
  int refused = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random.Chance(0.5)) {
      const auto bytes = static_cast<std::size_t>(random.Whole(1, random.Chance(0.1) ? 20000 : 500));
      auto* memory = static_cast<char*>(heap.Take(bytes));
      if (memory == nullptr) {
        ++refused;
        continue;
      }
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(memory) % kAlignment, 0u);
      ASSERT_TRUE(memory >= arena && memory + bytes <= arena + kArena);
      taken.push_back({memory, bytes, step % 127});
      std::memset(memory, step % 127, bytes);
    } else if (!taken.empty()) {
      std::swap(taken[static_cast<std::size_t>(random.Whole(0, int(taken.size()) - 1))], taken.back());
      ASSERT_TRUE(taken.back().Holds());
      heap.GiveBack(taken.back().memory);
      taken.pop_back();
    }
  }
  for (const Taken& block : taken) ASSERT_TRUE(block.Holds());
  EXPECT_GT(refused, 0);
}

TEST(HeapTest, AllMemoryIsThereAgainWhenAllIsGivenBack) {
  ArenaHeap heap(arena, {});
  const std::size_t all = kArena - kAlignment;
  for (int order = 0; order < 2; ++order) {
    void* first = heap.Take(1000);
    void* second = heap.Take(10);
    void* third = heap.Take(30000);
    EXPECT_EQ(heap.Take(all), nullptr);
    heap.GiveBack(order == 0 ? first : third);
    heap.GiveBack(second);
    heap.GiveBack(order == 0 ? third : first);
    void* whole = heap.Take(all);
    EXPECT_EQ(whole, arena + kAlignment);
    heap.GiveBack(whole);
  }
  EXPECT_EQ(heap.Take(all + 1), nullptr);
}

// One result after the other, the old one given back when the new one is there: memory must not grow with each.
TEST(HeapTest, AGapThatFitsIsTakenAgain) {
  ArenaHeap heap(arena, {});
  void* old = heap.Take(20000);
  for (int i = 0; i < 100; ++i) {
    void* next = heap.Take(20000);
    ASSERT_NE(next, nullptr) << i;
    heap.GiveBack(old);
    old = next;
  }
}

}  // namespace
}  // namespace loom::test
