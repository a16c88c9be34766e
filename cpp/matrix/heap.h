// Where the wasm's memory comes from: blocks one behind the other, the first that fits is taken. The core has a handful
// of them at a time; the C library's smallest allocator, with what it needs in JavaScript, was 1 kB of the download.
#pragma once

#include <cassert>
#include <cstddef>

namespace loom {

inline constexpr std::size_t kAlignment = 64;

// `Reach` makes memory usable: bool operator()(char* end), false where there is no more.
template <class Reach>
class Heap {
 public:
  // `begin` is aligned to 64; from there on all memory is the heap's, as far as `reach` goes.
  Heap(char* begin, Reach reach) : begin_(begin), end_(begin), reach_(reach) {}

  // `bytes` bytes aligned to 64, or null.
  void* Take(std::size_t bytes) {
    const std::size_t size = sizeof(Block) + (bytes + kAlignment - 1) / kAlignment * kAlignment;
    char* at = begin_;
    for (; at < end_; at += BlockAt(at).size) {
      Block& block = BlockAt(at);
      if (block.taken) continue;
      while (at + block.size < end_ && !BlockAt(at + block.size).taken) block.size += BlockAt(at + block.size).size;
      if (block.size >= size) break;
      if (at + block.size == end_) end_ = at;
      if (at == end_) break;
    }
    if (at == end_) {
      if (!reach_(at + size)) return nullptr;
      end_ = at + size;
      BlockAt(at).size = size;
    }
    Block& block = BlockAt(at);
    if (block.size > size) BlockAt(at + size) = {block.size - size, false};
    block = {size, true};
    return at + sizeof(Block);
  }

  // What Take gave.
  void GiveBack(void* memory) {
    Block& block = BlockAt(static_cast<char*>(memory) - sizeof(Block));
    assert(block.taken);
    block.taken = false;
  }

 private:
  struct alignas(kAlignment) Block {
    std::size_t size;  // with this head, to the next block
    bool taken;
  };
  static Block& BlockAt(char* at) { return *reinterpret_cast<Block*>(at); }

  char* begin_;
  char* end_;
  Reach reach_;
};

}  // namespace loom
