// The same input through every vector target and the twin: the same refusals, the same states of rows, the same bits.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "one_target.h"

namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fault: %s\n", what);
  std::abort();
}

bool SameBits(float a, float b) { return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const TargetResult emu128 = RunEmu128(data, size);
  Require(emu128.twin_is_near, "near the twin");
  for (const OneTarget run : {RunSse4, RunAvx2}) {
    const TargetResult other = run(data, size);
    Require(other.code == emu128.code && other.param == emu128.param, "the same refusal");
    Require(other.finite == emu128.finite, "the same view of the inputs");
    Require(other.states == emu128.states, "the same states of rows");
    Require(other.output.size() == emu128.output.size(), "the same size");
    for (std::size_t i = 0; i < other.output.size(); ++i) {
      Require(SameBits(other.output[i], emu128.output[i]), "the same bits");
    }
  }
  return 0;
}
