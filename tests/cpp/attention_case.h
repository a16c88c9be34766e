// One attention with the plan that it needs, filled from lists.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <utility>

#include "support.h"
#include "trace/attention.h"

namespace loom::test {

// Calls visit(index) for every cell, in the order of the shape.
template <class Visit>
void EachIndex(const Recipe& recipe, const Visit& visit) {
  Index index{};
  for (std::uint64_t cell = 0; cell < recipe.Cells(); ++cell) {
    std::uint64_t rest = cell;
    for (std::size_t axis = recipe.rank; axis-- > 0;) {
      const auto size = static_cast<std::uint64_t>(recipe.shape[axis]);
      index[axis] = static_cast<std::int32_t>(rest % size);
      rest /= size;
    }
    visit(index);
  }
}

inline std::vector<int> ShapeOf(const Plan& plan, Stage stage) {
  const Recipe* recipe = plan.Find(stage);
  if (recipe == nullptr) return {-1};
  return std::vector<int>(recipe->shape.begin(), recipe->shape.begin() + recipe->rank);
}

// Rows of every head and entry of a stage that are given: all, those of the cache, or none.
inline std::size_t GivenRows(const Recipe& recipe) {
  if (recipe.parts[0].operation != Operation::kInput) return 0;
  return std::size_t(recipe.parts[0].end_row);
}

struct Case {
  std::unique_ptr<Plan> plan;
  Attention attention;

  explicit Case(const AttentionOptions& options) : plan(std::make_unique<Plan>()) {
    const Status status = plan->Make(options);
    if (!Ok(status)) {
      ADD_FAILURE() << "plan refused: code " << int(status.code) << ", parameter " << int(status.param);
      std::abort();
    }
    Result<Attention> created = Attention::Create(*plan);
    if (!created.ok()) {
      ADD_FAILURE() << "no memory";
      std::abort();
    }
    attention = std::move(created.value());
  }

  const AttentionOptions& options() const { return plan->options(); }
  std::size_t Entries(Stage stage) const { return std::size_t(plan->Get(stage).Size(Axis::kBatch)); }
  std::size_t Heads(Stage stage) const { return std::size_t(plan->Get(stage).Size(Axis::kHead)); }

  // Row by row, entry by entry, as the public API takes it.
  Case& Set(Stage stage, const std::vector<float>& numbers) {
    std::size_t at = 0;
    for (std::size_t entry = 0; entry < Entries(stage); ++entry) {
      const MutableView input = attention.Input(stage, entry);
      for (std::size_t i = 0; i < input.rows; ++i) {
        for (std::size_t j = 0; j < input.cols; ++j, ++at) {
          if (at < numbers.size()) input(i, j) = numbers[at];
        }
      }
    }
    EXPECT_EQ(numbers.size(), at) << StageName(stage);
    return *this;
  }
  Case& SetAll(Stage stage, float number) {
    for (std::size_t entry = 0; entry < Entries(stage); ++entry) {
      const MutableView input = attention.Input(stage, entry);
      for (std::size_t i = 0; i < input.rows; ++i) {
        for (std::size_t j = 0; j < input.cols; ++j) input(i, j) = number;
      }
    }
    return *this;
  }
  Case& Run() {
    attention.Run();
    return *this;
  }

  // One head and entry of a stage; an axis of entries that has one serves all.
  MutableView Head(Stage stage, std::size_t head, std::size_t entry = 0) const {
    return plan->Matrix(attention.base(), stage, head, std::min(entry, Entries(stage) - 1));
  }
  // All numbers of a stage in the order of its shape.
  std::vector<float> Read(Stage stage) const {
    std::vector<float> numbers;
    EachIndex(plan->Get(stage), [&](const Index& index) { numbers.push_back(attention.At({stage, index})); });
    return numbers;
  }
  std::vector<float> Output() const {
    const ConstView output = attention.Output();
    std::vector<float> numbers;
    for (std::size_t i = 0; i < output.rows; ++i) {
      for (std::size_t j = 0; j < output.cols; ++j) numbers.push_back(output(i, j));
    }
    return numbers;
  }
  std::vector<RowState> States() const {
    const AttentionOptions& o = plan->options();
    std::vector<RowState> states;
    for (int i = 0; i < o.Entries() * o.heads * o.n_q; ++i) states.push_back(RowState(attention.RowStates()[i]));
    return states;
  }
};

// Queries, keys and values given, of one head.
inline AttentionOptions Given(int n_q, int n_k, int d_k, int d_v) {
  AttentionOptions o;
  o.n_q = n_q;
  o.n_new = n_k;
  o.d_k = d_k;
  o.d_v = d_v;
  o.trace = true;
  return o;
}

// Queries, keys and values of n tokens of width d·heads, each projected to it.
inline AttentionOptions Projected(int n, int heads, int d) {
  AttentionOptions o = Given(n, n, d, d);
  o.project = true;
  o.heads = o.kv_heads = heads;
  o.d_model = heads * d;
  return o;
}

inline AttentionOptions WithHeads(AttentionOptions o, int heads) {
  o.heads = o.kv_heads = heads;
  return o;
}

// The same with another factor on the scores than 1/√d_k.
inline AttentionOptions Scaled(AttentionOptions o, float scale) {
  o.default_scale = false;
  o.scale = scale;
  return o;
}

// A yes/no mask, or an additive one: the same for all heads, or each head's own.
inline AttentionOptions Allowed(AttentionOptions o, int heads = 0) {
  o.allow_rank = heads == 0 ? 2 : 3;
  o.allow_heads = heads == 0 ? 1 : heads;
  o.allow_rows = o.n_q;
  return o;
}
inline AttentionOptions Added(AttentionOptions o, int heads = 0) {
  o.add_rank = heads == 0 ? 2 : 3;
  o.add_heads = heads == 0 ? 1 : heads;
  o.add_rows = o.n_q;
  return o;
}

inline AttentionOptions Causal(AttentionOptions o, int offset) {
  o.causal = true;
  o.offset = offset;
  return o;
}

}  // namespace loom::test
