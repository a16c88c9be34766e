// Highway takes a smaller target without a word where a compiler flag is missing; then no vector code would be tested.
#include "kernels/target.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace loom::kernels {
namespace {

TEST(TargetTest, KernelsAreCompiledForTheTargetOfThisProgram) { EXPECT_STREQ(TargetName(), LOOM_EXPECTED_TARGET); }

TEST(TargetTest, HighwayVersionHasThreeNumbers) {
  int numbers[3] = {};
  EXPECT_EQ(std::sscanf(HighwayVersion(), "%d.%d.%d", &numbers[0], &numbers[1], &numbers[2]), 3) << HighwayVersion();
}

}  // namespace
}  // namespace loom::kernels
