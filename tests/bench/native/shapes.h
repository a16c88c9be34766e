// The shapes, and numbers to fill them.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

namespace loom::bench {

// (heads, tokens, width of one head), as in tests/bench/shapes.mjs.
inline void Shapes(::benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"heads", "tokens", "d"})->Unit(::benchmark::kMicrosecond);
  benchmark->Args({1, 8, 16})->Args({4, 64, 32})->Args({12, 128, 64});
  benchmark->Args({12, 512, 64})->Args({12, 1024, 64})->Args({1, 2048, 64})->Args({1, 4096, 64});
}

// 4·h·n·n·d floating-point operations per run, as a rate.
inline void CountFlops(::benchmark::State& state) {
  const double h = static_cast<double>(state.range(0));
  const double n = static_cast<double>(state.range(1));
  const double d = static_cast<double>(state.range(2));
  state.counters["FLOP/s"] = ::benchmark::Counter(4.0 * h * n * n * d, ::benchmark::Counter::kIsIterationInvariantRate);
}

// Numbers from −1 to 1 by a linear congruential generator (Numerical Recipes, 1992).
class Numbers {
 public:
  float operator()() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 8) / 8388608.0f - 1.0f;
  }

 private:
  std::uint32_t state_ = 1;
};

}  // namespace loom::bench
