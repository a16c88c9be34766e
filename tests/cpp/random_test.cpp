#include "kernels/random.h"

#include <set>

#include "support.h"

namespace loom::test {
namespace {

// Of Ettinger's program in C.
TEST(RandomTest, TheFirstNumbersOfSeed1) {
  kernels::Mulberry32 random(1);
  EXPECT_EQ(random.Next(), 2693262067u);
  EXPECT_EQ(random.Next(), 11749833u);
  EXPECT_EQ(random.Next(), 2265367787u);
  kernels::Mulberry32 again(1);
  EXPECT_EQ(again.Uniform(), 2693262067.0 / 4294967296.0);
}

// Cells seen by 64 tokens of which each sees those up to `window` away and 3 random ones.
std::size_t CellsWithRandom(std::size_t window, std::uint32_t seed) {
  constexpr std::size_t kTokens = 64;
  Guarded keys(kTokens, 3);
  kernels::RandomKeys(seed, kTokens, keys.view());
  EXPECT_TRUE(keys.Intact());
  std::size_t cells = 0;
  for (std::size_t i = 0; i < kTokens; ++i) {
    std::set<std::size_t> seen;
    for (std::size_t j = 0; j < kTokens; ++j) {
      if (j + window >= i && j <= i + window) seen.insert(j);
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const float key = keys.view()(i, c);
      EXPECT_TRUE(key >= 0 && key < float(kTokens) && key == std::floor(key)) << key;
      seen.insert(std::size_t(key));
    }
    cells += seen.size();
  }
  return cells;
}

// Counted by a program of its own in Python.
TEST(RandomTest, CellsOfWindowAndRandomKeysAt64TokensSeed3) {
  EXPECT_EQ(CellsWithRandom(1, 3), 370u);
  EXPECT_EQ(CellsWithRandom(0, 3), 252u);
}

TEST(RandomTest, OneKeyIsAlwaysDrawn) {
  Guarded keys(5, 2);
  kernels::RandomKeys(7, 1, keys.view());
  for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(keys.view()(i, 0) == 0 && keys.view()(i, 1) == 0);
}

}  // namespace
}  // namespace loom::test
