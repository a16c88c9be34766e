// One attention with the plan that it needs, filled from lists or at random.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <utility>

#include "support.h"
#include "trace/attention.h"

namespace loom::test {

struct Case {
  std::unique_ptr<Plan> plan;
  Attention attention;

  explicit Case(const AttentionOptions& options) {
    Result<Plan> made = Plan::Create(options);
    if (!made.ok()) {
      ADD_FAILURE() << "plan refused: code " << int(made.error().code) << ", parameter " << int(made.error().param);
      std::abort();
    }
    plan = std::make_unique<Plan>(made.value());
    Result<Attention> created = Attention::Create(*plan);
    if (!created.ok()) {
      ADD_FAILURE() << "no memory";
      std::abort();
    }
    attention = std::move(created.value());
  }

  // Row by row, as the public API takes it.
  Case& Set(Stage stage, const std::vector<float>& numbers) {
    const MutableView input = attention.Input(stage);
    EXPECT_EQ(numbers.size(), input.rows * input.cols) << StageName(stage);
    std::size_t at = 0;
    for (const float x : numbers) {
      input(at / input.cols, at % input.cols) = x;
      ++at;
    }
    return *this;
  }
  Case& SetAll(Stage stage, float number) {
    const MutableView input = attention.Input(stage);
    for (std::size_t i = 0; i < input.rows; ++i) {
      for (std::size_t j = 0; j < input.cols; ++j) input(i, j) = number;
    }
    return *this;
  }
  Case& Run() {
    attention.Run();
    return *this;
  }

  // All numbers of a stage in the order of its shape.
  std::vector<float> Read(Stage stage) const {
    const Recipe& recipe = plan->Get(stage);
    const std::size_t heads = recipe.rank == 3 ? std::size_t(recipe.shape[0]) : 1;
    std::vector<float> numbers;
    for (std::size_t h = 0; h < heads; ++h) {
      const ConstView matrix = attention.Stage3(stage, h);
      for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j < matrix.cols; ++j) numbers.push_back(matrix(i, j));
      }
    }
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
    for (int i = 0; i < o.heads * o.n_q; ++i) states.push_back(RowState(attention.RowStates()[i]));
    return states;
  }
};

inline constexpr Stage kAllInputs[] = {Stage::kX,     Stage::kXKv, Stage::kWQ,      Stage::kWK,   Stage::kWV,
                                       Stage::kAllow, Stage::kAdd, Stage::kQueries, Stage::kKeys, Stage::kValues};

inline bool IsInput(const Plan& plan, Stage stage) {
  const Recipe* recipe = plan.Find(stage);
  return recipe != nullptr && recipe->operation == Operation::kInput;
}

// Any switch in any position; lengths up to `longest`, widths up to `widest`, 0 included.
inline AttentionOptions RandomOptions(Random& random, int longest, int widest) {
  AttentionOptions o;
  o.project = random.Chance(0.5);
  o.crossed = o.project && random.Chance(0.5);
  o.n_q = random.Whole(0, longest);
  o.n_k = o.project && !o.crossed ? o.n_q : random.Whole(0, longest);
  o.heads = random.Whole(1, 3);
  o.d_k = random.Whole(0, widest);
  o.d_v = random.Whole(0, widest);
  o.d_model = random.Whole(0, widest);
  o.d_kv = random.Whole(0, widest);
  const auto mask_heads = [&] { return random.Chance(0.5) ? 0 : random.Chance(0.5) ? 1 : o.heads; };
  o.allow_heads = mask_heads();
  o.add_heads = mask_heads();
  o.causal = random.Chance(0.4);
  o.causal_offset = random.Whole(-2, longest / 2);
  o.default_scale = random.Chance(0.5);
  o.scale = 0.5f * random.Normal();
  constexpr float kTemperatures[] = {1, 1, 1, 0.5f, 2.5f, 0};
  o.temperature = kTemperatures[random.Whole(0, 5)];
  o.trace = true;
  return o;
}

// Normal numbers, in masks some blocked cells.
inline void FillRandom(Case& c, Random& random) {
  for (const Stage stage : kAllInputs) {
    if (!IsInput(*c.plan, stage)) continue;
    const MutableView input = c.attention.Input(stage);
    for (std::size_t i = 0; i < input.rows; ++i) {
      for (std::size_t j = 0; j < input.cols; ++j) {
        float number = random.Normal();
        if (stage == Stage::kAllow) number = random.Chance(0.7) ? 1.0f : 0.0f;
        if (stage == Stage::kAdd && random.Chance(0.2)) number = -kInfinity;
        input(i, j) = number;
      }
    }
  }
}

// Queries, keys and values given, of one head.
inline AttentionOptions Given(int n_q, int n_k, int d_k, int d_v) {
  AttentionOptions o;
  o.n_q = n_q;
  o.n_k = n_k;
  o.d_k = d_k;
  o.d_v = d_v;
  o.trace = true;
  return o;
}

// The same with another factor on the scores than 1/√d_k.
inline AttentionOptions Scaled(AttentionOptions o, float scale) {
  o.default_scale = false;
  o.scale = scale;
  return o;
}

inline AttentionOptions Allowed(AttentionOptions o) {
  o.allow_heads = 1;
  return o;
}

inline AttentionOptions Causal(AttentionOptions o, int offset) {
  o.causal = true;
  o.causal_offset = offset;
  return o;
}

}  // namespace loom::test
