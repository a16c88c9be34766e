// Highway takes a smaller target without a word where a compiler flag is missing; then no vector code would be tested.
#include "kernels/target.h"

#include <gtest/gtest.h>

namespace loom::kernels {
namespace {

TEST(TargetTest, KernelsAreCompiledForTheTargetOfThisProgram) { EXPECT_STREQ(TargetName(), LOOM_EXPECTED_TARGET); }

}  // namespace
}  // namespace loom::kernels
