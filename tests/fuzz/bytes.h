// Bytes as questions and answers: a fuzzer's input read as options and numbers. Behind the last byte everything is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "trace/attention.h"

namespace loom::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  std::uint8_t Byte() { return at_ < end_ ? *at_++ : 0; }
  bool Bit() { return (Byte() & 1) != 0; }
  // Both ends included.
  int Whole(int low, int high) { return low + Byte() % (high - low + 1); }
  bool empty() const { return at_ == end_; }

  // Mostly of the size of 1; now and then what breaks arithmetic.
  float Number() {
    constexpr float kOdd[] = {0.0f,   -0.0f,  1e-40f, -1e-40f, 1e38f, -1e38f, 3.4e38f, 1e-30f,
                              -88.0f, 104.0f, 1e19f,  -1e19f,  1e4f,  -1e4f,  1e-20f,  5000.0f};
    const std::uint8_t byte = Byte();
    if (byte >= 240) return kOdd[byte - 240];
    return (float(byte) - 120.0f) / 32.0f;
  }
  // Also NaN and infinities, rarely.
  float AnyNumber() {
    const std::uint8_t byte = Byte();
    if (byte == 255) return std::numeric_limits<float>::quiet_NaN();
    if (byte == 254) return std::numeric_limits<float>::infinity();
    if (byte == 253) return -std::numeric_limits<float>::infinity();
    return Number();
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

// Small sizes and every switch; often consistent, so that what lies behind the checks is reached.
AttentionOptions OptionsFrom(Bytes& bytes);

// Every number that is given.
void Fill(Attention& attention, Bytes& bytes);

}  // namespace loom::fuzz
