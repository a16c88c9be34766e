// A matrix that lies somewhere: data, sizes and the distance between rows. Owns nothing. Functions take it by
// reference: by value, each call would copy it in memory first (wasm passes no structs in registers), 1.6 kB of the
// download.
#pragma once

#include <cassert>
#include <cstddef>
#include <type_traits>

namespace loom {

template <class T>
struct View {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;  // elements from one row to the next

  View() = default;
  View(T* d, std::size_t r, std::size_t c, std::size_t s) : data(d), rows(r), cols(c), stride(s) {}
  View(T* d, std::size_t r, std::size_t c) : View(d, r, c, c) {}
  // A view that may write is also a view that may read.
  template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
  View(const View<std::remove_const_t<T>>& other)  // NOLINT(google-explicit-constructor)
      : View(other.data, other.rows, other.cols, other.stride) {}

  // Null where there is nothing to point at: adding to a null pointer is undefined.
  T* row(std::size_t i) const { return data == nullptr ? nullptr : data + i * stride; }
  T& operator()(std::size_t i, std::size_t j) const {
    assert(i < rows && j < cols);
    return data[i * stride + j];
  }
  // Rows [begin, end).
  View Rows(std::size_t begin, std::size_t end) const {
    assert(begin <= end && end <= rows);
    return View(row(begin), end - begin, cols, stride);
  }
  // Columns [begin, end).
  View Columns(std::size_t begin, std::size_t end) const {
    assert(begin <= end && end <= cols);
    return View(data == nullptr ? nullptr : data + begin, rows, end - begin, stride);
  }
};

using ConstView = View<const float>;
using MutableView = View<float>;

}  // namespace loom
