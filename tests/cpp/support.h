// What every test needs: random numbers from a seed that is printed, comparisons that NaN cannot slip through, and
// matrices with guards around them.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/view.h"

namespace loom::test {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// How much a test does: `change` on every run, `release` with LOOM_SIZE=release.
template <class T>
T Amount(T change, T release) {
  const char* size = std::getenv("LOOM_SIZE");
  return size != nullptr && std::string_view(size) == "release" ? release : change;
}

// Every length from 0 to two vectors and one more (8 lanes at most), and odd sizes beyond.
inline constexpr std::size_t kLengths[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 33, 65};
// Whole groups of four rows, and every remainder.
inline constexpr std::size_t kMaxRows = 9;

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0 ≤ value < 1.
  double Uniform() { return double(Next() >> 11) * 0x1p-53; }
  // Mean 0, standard deviation 1, within ±6: twelve uniform numbers.
  float Normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += Uniform();
    return float(sum);
  }
  // Both ends included.
  int Whole(int low, int high) { return low + int(Uniform() * double(high - low + 1)); }
  bool Chance(double probability) { return Uniform() < probability; }

 private:
  std::uint64_t state_;
};

// |got − want| ≤ absolute + relative · |want|. All zero: the same number, where −0 is 0.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};
inline constexpr Tolerance kExact{};

// False where either is NaN; infinities are near themselves only.
inline bool IsNear(double got, double want, Tolerance tolerance) {
  if (std::isnan(got) || std::isnan(want)) return false;
  if (std::isinf(got) || std::isinf(want)) return got == want;
  return std::abs(got - want) <= tolerance.absolute + tolerance.relative * std::abs(want);
}

// Bit for bit, but that every NaN is the same: the bits of NaN are promised nowhere.
inline bool IsSame(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// Cell by cell; `same(got, want)` decides. Different sizes fail.
template <class A, class B, class Same>
testing::AssertionResult Compare(View<A> got, View<B> want, const Same& same) {
  if (got.rows != want.rows || got.cols != want.cols) {
    return testing::AssertionFailure() << "sizes differ: got " << got.rows << " x " << got.cols << ", want "
                                       << want.rows << " x " << want.cols;
  }
  for (std::size_t i = 0; i < got.rows; ++i) {
    for (std::size_t j = 0; j < got.cols; ++j) {
      if (same(got(i, j), want(i, j))) continue;
      testing::AssertionResult failure = testing::AssertionFailure();
      failure << std::hexfloat << "[" << i << "][" << j << "]: got " << got(i, j) << ", want " << want(i, j);
      return failure << std::defaultfloat << " (" << got(i, j) << ", " << want(i, j) << "), in " << got.rows << " x "
                     << got.cols;
    }
  }
  return testing::AssertionSuccess();
}

template <class A, class B>
testing::AssertionResult AllNear(View<A> got, View<B> want, Tolerance tolerance) {
  return Compare(got, want, [&](double a, double b) { return IsNear(a, b, tolerance); });
}

template <class A, class B>
testing::AssertionResult AllSame(View<A> got, View<B> want) {
  return Compare(got, want, IsSame);
}

// A list as one row.
template <class T>
View<const T> RowOf(const std::vector<T>& numbers) {
  return View<const T>(numbers.data(), 1, numbers.size());
}

template <class A, class B>
testing::AssertionResult AllNear(const std::vector<A>& got, const std::vector<B>& want, Tolerance tolerance) {
  return AllNear(RowOf(got), RowOf(want), tolerance);
}

inline testing::AssertionResult AllSame(const std::vector<float>& got, const std::vector<float>& want) {
  return AllSame(RowOf(got), RowOf(want));
}

// How a matrix lies in memory: floats between rows, before the first and behind the last.
struct Layout {
  std::size_t gap = 0;
  std::size_t before = 0;
  std::size_t behind = 0;
};
// Tight: the address sanitiser sees a float too many. Strided and unaligned: guards tell.
inline constexpr Layout kLayouts[] = {{0, 0, 0}, {3, 1, 16}, {1, 6, 16}};

// A matrix among guards: all floats around it are NaN of one pattern, so that a read spoils results and a write shows.
class Guarded {
 public:
  Guarded(std::size_t rows, std::size_t cols, Layout layout = {0, 0, 16})
      : rows_(rows),
        cols_(cols),
        before_(layout.before),
        stride_(cols + layout.gap),
        floats_(layout.before + rows * (cols + layout.gap) + layout.behind, std::bit_cast<float>(kGuard)) {}

  MutableView view() { return MutableView(data(), rows_, cols_, stride_); }
  ConstView view() const { return ConstView(const_cast<Guarded*>(this)->data(), rows_, cols_, stride_); }
  float* data() { return floats_.data() == nullptr ? nullptr : floats_.data() + before_; }

  template <class F>
  Guarded& Fill(const F& number) {
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < cols_; ++j) view()(i, j) = number(i, j);
    }
    return *this;
  }
  Guarded& FillNormal(Random& random) {
    return Fill([&](std::size_t, std::size_t) { return random.Normal(); });
  }
  Guarded& CopyFrom(ConstView from) {
    return Fill([&](std::size_t i, std::size_t j) { return from(i, j); });
  }

  // No guard was overwritten.
  testing::AssertionResult Intact() const {
    for (std::size_t at = 0; at < floats_.size(); ++at) {
      const bool inside =
          at >= before_ && stride_ > 0 && (at - before_) / stride_ < rows_ && (at - before_) % stride_ < cols_;
      if (!inside && std::bit_cast<std::uint32_t>(floats_[at]) != kGuard) {
        return testing::AssertionFailure()
               << "overwritten: float " << at << " of " << floats_.size() << " around " << rows_ << " x " << cols_;
      }
    }
    return testing::AssertionSuccess();
  }

 private:
  // A signalling NaN: arithmetic makes it a quiet one, so that a result written behind the end shows even where it is
  // NaN.
  static constexpr std::uint32_t kGuard = 0x7fa0dead;

  std::size_t rows_;
  std::size_t cols_;
  std::size_t before_;
  std::size_t stride_;
  std::vector<float> floats_;
};

// Calls test(rows, cols, layout) for every size and layout; a failure names them.
template <class Test>
void EachSizeAndLayout(const Test& test) {
  for (const Layout& layout : kLayouts) {
    for (std::size_t rows = 0; rows <= kMaxRows; ++rows) {
      for (const std::size_t cols : kLengths) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) + ", " + std::to_string(layout.gap) +
                     " between rows, " + std::to_string(layout.before) + " before");
        test(rows, cols, layout);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

}  // namespace loom::test
