// A block of memory that knows its owner.
#pragma once

#include <cstddef>
#include <utility>

#include "matrix/error.h"
#include "matrix/memory.h"

namespace loom {

// Owns `bytes` bytes from Allocate. Moves, does not copy.
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { Free(data_, bytes_); }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Fails only where the allocator refuses (kNoMemory, value = bytes). Contents are not set.
  static Result<Buffer> Create(std::size_t bytes) {
    Buffer buffer;
    buffer.data_ = Allocate(bytes);
    if (buffer.data_ == nullptr && bytes > 0) {
      return Error{ErrorCode::kNoMemory, Param::kTotalBytes, static_cast<double>(bytes)};
    }
    buffer.bytes_ = bytes;
    return buffer;
  }

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace loom
