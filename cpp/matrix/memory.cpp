#include "matrix/memory.h"

#include <cstdlib>
#include <limits>

namespace loom {
namespace {

constexpr std::size_t kAlignment = 64;

LiveMemory live;
std::size_t refuse_in = 0;

}  // namespace

void* Allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (refuse_in > 0 && --refuse_in == 0) return nullptr;
  if (bytes > std::numeric_limits<std::size_t>::max() - kAlignment) return nullptr;
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr) return nullptr;
  ++live.buffers;
  live.bytes += bytes;
  return memory;
}

void Free(void* memory, std::size_t bytes) {
  if (memory == nullptr) return;
  --live.buffers;
  live.bytes -= bytes;
  std::free(memory);
}

LiveMemory Live() { return live; }

void RefuseAllocation(std::size_t countdown) { refuse_in = countdown; }

}  // namespace loom
