// The one allocator of the core. It does not throw: refusal is a null pointer, which callers turn into an Error.
#pragma once

#include <cstddef>

namespace loom {

// What the allocator has given out and not got back.
struct LiveMemory {
  std::size_t buffers = 0;
  std::size_t bytes = 0;
};

// `bytes` bytes aligned to 64, or null. 0 bytes give null, and that is not a refusal.
void* Allocate(std::size_t bytes);

// Gives back what Allocate gave, with the same `bytes`. Null is allowed.
void Free(void* memory, std::size_t bytes);

LiveMemory Live();

// For tests: the `countdown`-th allocation from now on is refused, once. 0 switches it off.
void RefuseAllocation(std::size_t countdown);

}  // namespace loom
