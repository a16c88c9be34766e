// Random numbers that are the same everywhere, from a seed.
#pragma once

#include <cmath>
#include <cstdint>

#include "matrix/view.h"

namespace loom::kernels {

// mulberry32 (Tommy Ettinger, 2017): 32 bits of state, repeats after 2^32 draws.
class Mulberry32 {
 public:
  explicit Mulberry32(std::uint32_t seed) : state_(seed) {}

  std::uint32_t Next() {
    state_ += 0x6D2B79F5u;
    std::uint32_t t = state_;
    t = (t ^ (t >> 15)) * (t | 1u);
    t = (t + (t ^ (t >> 7)) * (t | 61u)) ^ t;
    return t ^ (t >> 14);
  }
  // 0 ≤ value < 1.
  double Uniform() { return Next() * 0x1p-32; }

 private:
  std::uint32_t state_;
};

// out [n_q, count]: for each query in order, `count` draws of ⌊uniform · n_k⌋, n_k ≥ 1. The same key may be drawn
// twice, and may be one that the query sees anyway.
inline void RandomKeys(std::uint32_t seed, std::size_t n_k, const MutableView& out) {
  Mulberry32 random(seed);
  for (std::size_t i = 0; i < out.rows; ++i) {
    for (std::size_t c = 0; c < out.cols; ++c) {
      out(i, c) = static_cast<float>(std::floor(random.Uniform() * static_cast<double>(n_k)));
    }
  }
}

}  // namespace loom::kernels
