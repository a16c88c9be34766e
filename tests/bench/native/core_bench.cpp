// The core, without a trace.

#include <utility>

#include "shapes.h"
#include "trace/attention.h"

namespace {

void Core(benchmark::State& state) {
  loom::AttentionOptions options;
  options.heads = static_cast<int>(state.range(0));
  options.n_q = options.n_k = static_cast<int>(state.range(1));
  options.d_k = options.d_v = static_cast<int>(state.range(2));
  const loom::Result<loom::Plan> plan = loom::Plan::Create(options);
  if (!plan.ok()) return state.SkipWithError("refused");
  loom::Result<loom::Attention> created = loom::Attention::Create(plan.value());
  if (!created.ok()) return state.SkipWithError("no memory");
  loom::Attention attention = std::move(created.value());
  loom::bench::Numbers next;
  for (const loom::Stage stage : {loom::Stage::kQueries, loom::Stage::kKeys, loom::Stage::kValues}) {
    const loom::MutableView input = attention.Input(stage);
    for (std::size_t i = 0; i < input.rows; ++i) {
      for (std::size_t j = 0; j < input.cols; ++j) input(i, j) = next();
    }
  }
  for (auto _ : state) {
    attention.Run();
    benchmark::DoNotOptimize(attention.base());
    benchmark::ClobberMemory();
  }
  loom::bench::CountFlops(state);
}
BENCHMARK(Core)->Apply(loom::bench::Shapes);

}  // namespace
