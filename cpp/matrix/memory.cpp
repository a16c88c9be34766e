#include "matrix/memory.h"

#include <cstdlib>
#include <limits>

#include "matrix/heap.h"

#ifdef __EMSCRIPTEN__
extern "C" {
extern char __heap_base;  // NOLINT(bugprone-reserved-identifier): the linker's name for where free memory begins
void emscripten_notify_memory_growth(std::size_t memory);
}
#endif

namespace loom {
namespace {

LiveMemory live;
std::size_t refuse_in = 0;

#ifdef __EMSCRIPTEN__
constexpr std::size_t kPage = 65536;

struct ReachInWasm {
  bool operator()(char* end) const {
    const std::size_t pages = (reinterpret_cast<std::size_t>(end) + kPage - 1) / kPage;
    const std::size_t there = __builtin_wasm_memory_size(0);
    if (pages <= there) return true;
    if (__builtin_wasm_memory_grow(0, pages - there) == std::numeric_limits<std::size_t>::max()) return false;
    emscripten_notify_memory_growth(0);  // JavaScript's views of the old memory are void
    return true;
  }
};

Heap<ReachInWasm> heap(&__heap_base + (0 - reinterpret_cast<std::size_t>(&__heap_base)) % kAlignment, {});

void* Take(std::size_t bytes) { return heap.Take(bytes); }
void GiveBack(void* memory) { heap.GiveBack(memory); }
#else
void* Take(std::size_t bytes) {
  return std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}
void GiveBack(void* memory) { std::free(memory); }
#endif

}  // namespace

void* Allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (refuse_in > 0 && --refuse_in == 0) return nullptr;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
  void* memory = Take(bytes);
  if (memory == nullptr) return nullptr;
  ++live.buffers;
  live.bytes += bytes;
  return memory;
}

void Free(void* memory, std::size_t bytes) {
  if (memory == nullptr) return;
  --live.buffers;
  live.bytes -= bytes;
  GiveBack(memory);
}

LiveMemory Live() { return live; }

void RefuseAllocation(std::size_t countdown) { refuse_in = countdown; }

}  // namespace loom
