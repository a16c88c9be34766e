// Attention as other implementations lay it out. What stands here renames and lays out; it computes nothing.
#pragma once

#include <functional>

#include "attention_case.h"
#include "conformance.h"

namespace loom::test {

// Calls check for each case of the operator, of which there is at least one. Skips where no cases are at hand.
inline void ForOperator(const char* op, const std::function<void(const OperatorCase&)>& check) {
  if (!HasConformanceCases()) GTEST_SKIP() << "conformance cases skipped: no folder " << LOOM_CONFORMANCE_DIR;
  int checked = 0;
  for (const OperatorCase& c : AllOperatorCases()) {
    if (c.op != op) continue;
    SCOPED_TRACE(c.name);
    check(c);
    ++checked;
  }
  EXPECT_GT(checked, 0) << "no case of " << op << " in " << LOOM_CONFORMANCE_DIR;
  std::printf("%s: %d cases\n", op, checked);
}

// A tensor (batch, heads, n, d) or (batch, n, heads · d).
struct TensorLayout {
  const Tensor* tensor;
  int batch, heads, n, d;

  TensorLayout(const Tensor& t, double heads_of_3d) : tensor(&t), batch(t.Size(0)) {
    const bool split = t.shape.size() == 4;
    heads = split ? t.Size(1) : int(heads_of_3d);
    n = t.Size(split ? 2 : 1);
    d = split ? t.Size(3) : t.Size(2) / heads;
  }
  std::size_t At(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
    const auto sh = std::size_t(heads), sn = std::size_t(n), sd = std::size_t(d);
    return tensor->shape.size() == 4 ? ((b * sh + h) * sn + i) * sd + j : (b * sn + i) * sh * sd + h * sd + j;
  }
};

// Into the rows of a stage from `first` on.
inline void Fill(Case& c, Stage stage, const TensorLayout& from, int first = 0) {
  for (std::size_t b = 0; b < std::size_t(from.batch); ++b) {
    for (std::size_t h = 0; h < std::size_t(from.heads); ++h) {
      const MutableView to = c.Head(stage, h, b);
      for (std::size_t i = 0; i < std::size_t(from.n); ++i) {
        for (std::size_t j = 0; j < std::size_t(from.d); ++j) {
          to(std::size_t(first) + i, j) = from.tensor->data[from.At(b, h, i, j)];
        }
      }
    }
  }
}

// A stage [batch, heads, n, d] as `key` has it: 4D, or 3D with the heads side by side.
inline void ExpectStage(const OperatorCase& o, std::string_view key, const Case& c, Stage stage, int heads) {
  if (o.Output(key) == nullptr) return;
  const TensorLayout want(*o.Output(key), heads);
  std::vector<float> got(want.tensor->data.size());
  for (std::size_t b = 0; b < std::size_t(want.batch); ++b) {
    for (std::size_t h = 0; h < std::size_t(want.heads); ++h) {
      const ConstView from = c.Head(stage, h, b);
      ASSERT_EQ(from.rows, std::size_t(want.n)) << key;
      ASSERT_EQ(from.cols, std::size_t(want.d)) << key;
      for (std::size_t i = 0; i < from.rows; ++i) {
        for (std::size_t j = 0; j < from.cols; ++j) got[want.At(b, h, i, j)] = from(i, j);
      }
    }
  }
  ExpectTensor(o, key, [&](std::size_t at) { return got[at]; });
}

// A mask that broadcasts from the right: its own axes, each full or 1.
inline void AskForMask(AttentionOptions& o, const Tensor& mask, bool numbers) {
  const std::size_t rank = mask.shape.size();
  ASSERT_GE(rank, 2u);
  const int rows = mask.Size(rank - 2);
  const int heads = rank > 2 ? mask.Size(rank - 3) : 1;
  const int batch = rank > 3 ? mask.Size(0) : 1;
  (numbers ? o.add_rank : o.allow_rank) = int(rank);
  (numbers ? o.add_batch : o.allow_batch) = batch;
  (numbers ? o.add_heads : o.allow_heads) = heads;
  (numbers ? o.add_rows : o.allow_rows) = rows;
}

// Shorter than the keys: filled up with "blocked"; beyond what masks know of: visible.
inline void FillMask(Case& c, const Tensor& mask, bool numbers, bool one_blocks) {
  const Stage stage = numbers ? Stage::kAdd : Stage::kAllow;
  const std::size_t rank = mask.shape.size();
  const auto cols = std::size_t(mask.Size(rank - 1));
  const auto rows = std::size_t(mask.Size(rank - 2));
  for (std::size_t b = 0; b < c.Entries(stage); ++b) {
    for (std::size_t h = 0; h < c.Heads(stage); ++h) {
      const MutableView to = c.Head(stage, h, b);
      for (std::size_t i = 0; i < to.rows; ++i) {
        for (std::size_t j = 0; j < to.cols; ++j) {
          float number = numbers ? -kInfinity : 0.0f;
          if (j < cols) number = mask.data[((b * c.Heads(stage) + h) * rows + i) * cols + j];
          if (j < cols && one_blocks) number = 1 - number;
          if (int(j) >= c.options().Maskable()) number = numbers ? 0.0f : 1.0f;
          to(i, j) = number;
        }
      }
    }
  }
}

inline Stage StageOfMode(const Case& c, int mode) {
  const Stage capped = c.plan->Has(Stage::kCapped) ? Stage::kCapped : Stage::kScaled;
  if (mode == 0) return Stage::kScaled;
  if (mode == 1) return capped;
  if (mode == 2) return c.plan->Has(Stage::kMasked) ? Stage::kMasked : capped;
  return Stage::kWeights;
}

}  // namespace loom::test
