// The twin in float32, vectorised by Eigen.

#include <cmath>
#include <vector>

#include "reference/attention.h"
#include "shapes.h"

namespace {

using Matrix = loom::reference::Matrix<float>;
using Column = loom::reference::Column<float>;

void Twin(benchmark::State& state) {
  const Eigen::Index h = state.range(0);
  const Eigen::Index n = state.range(1);
  const Eigen::Index d = state.range(2);
  loom::bench::Numbers next;
  const auto make = [&] { return Matrix(Matrix::NullaryExpr(n, h * d, [&] { return next(); })); };
  const Matrix queries = make();
  const Matrix keys = make();
  const Matrix values = make();
  Matrix scores(n, n), scaled(n, n), masked(n, n), shifted(n, n), exp(n, n), weights(n, n), output(n, h * d);
  Column rowmax(n), rowsum(n);
  const auto blocked = [](Eigen::Index, Eigen::Index) { return false; };
  const auto add = [](Eigen::Index, Eigen::Index) { return 0.0f; };
  for (auto _ : state) {
    for (Eigen::Index head = 0; head < h; ++head) {
      loom::reference::Stages<float> to = {
          scores, scaled, masked, rowmax, shifted, exp, rowsum, weights, output.middleCols(head * d, d)};
      loom::reference::Attend<float>(queries.middleCols(head * d, d), keys.middleCols(head * d, d),
                                     values.middleCols(head * d, d), 1.0f / std::sqrt(static_cast<float>(d)), blocked,
                                     add, 1.0f, to);
    }
    benchmark::DoNotOptimize(output.data());
    benchmark::ClobberMemory();
  }
  loom::bench::CountFlops(state);
}
BENCHMARK(Twin)->Apply(loom::bench::Shapes);

// What Eigen alone makes of the formula: two products and a softmax in array expressions.
void EigenOnly(benchmark::State& state) {
  const Eigen::Index h = state.range(0);
  const Eigen::Index n = state.range(1);
  const Eigen::Index d = state.range(2);
  loom::bench::Numbers next;
  const auto make = [&] { return Matrix(Matrix::NullaryExpr(n, h * d, [&] { return next(); })); };
  const Matrix queries = make();
  const Matrix keys = make();
  const Matrix values = make();
  Matrix weights(n, n);
  Matrix output(n, h * d);
  const float scale = 1.0f / std::sqrt(static_cast<float>(d));
  for (auto _ : state) {
    for (Eigen::Index head = 0; head < h; ++head) {
      const auto block = [&](const Matrix& all) { return all.middleCols(head * d, d); };
      weights.noalias() = (block(queries) * scale) * block(keys).transpose();
      const Column most = weights.rowwise().maxCoeff();
      weights = (weights.colwise() - most).array().exp();
      const Column total = weights.rowwise().sum();
      weights.array().colwise() /= total.array();
      output.middleCols(head * d, d).noalias() = weights * block(values);
    }
    benchmark::DoNotOptimize(output.data());
    benchmark::ClobberMemory();
  }
  loom::bench::CountFlops(state);
}
BENCHMARK(EigenOnly)->Apply(loom::bench::Shapes);

}  // namespace
