// Cases that PyTorch computed, where they lie beside the project. Its softmax case is with those of ONNX.
#include "conformance_case.h"

namespace loom::test {
namespace {

TEST(TorchTest, ScaledDotProductAttention) {
  ForOperator("scaled_dot_product_attention", [](const OperatorCase& s) {
    const TensorLayout q(s.Need("query"), 0), k(s.Need("key"), 0), v(s.Need("value"), 0);
    const Tensor* mask = s.Input("attn_mask");
    const bool numbers = mask != nullptr && mask->dtype != "bool";
    AttentionOptions o = Given(q.n, k.n, q.d, v.d);
    o.batch = q.batch;
    o.heads = q.heads;
    o.kv_heads = k.heads;
    o.causal = s.attributes.NumberOr("is_causal", 0) != 0;
    if (mask != nullptr) AskForMask(o, *mask, numbers);
    Case c(o);
    Fill(c, Stage::kQueries, q);
    Fill(c, Stage::kKeys, k);
    Fill(c, Stage::kValues, v);
    if (mask != nullptr) FillMask(c, *mask, numbers, false);
    c.Run();
    ExpectStage(s, "scaled_scores", c, Stage::kScaled, 0);
    ExpectStage(s, "masked_scores", c, StageOfMode(c, 2), 0);
    ExpectStage(s, "attn_weights", c, Stage::kWeights, 0);
    ExpectStage(s, "output", c, Stage::kOutput, 0);
  });
}

// Columns [first, first + cols) of `stage` from rows [row, row + cols) of a weight of PyTorch, which stands transposed,
// below `above` rows of zeros.
void FillWeight(Case& c, Stage stage, const Tensor& weight, int row, int above) {
  const MutableView to = c.Head(stage, 0);
  const auto inputs = std::size_t(weight.Size(1));
  for (std::size_t i = 0; i < to.rows; ++i) {
    for (std::size_t j = 0; j < to.cols; ++j) {
      const std::size_t from = i - std::size_t(above);
      const bool inside = i >= std::size_t(above) && from < inputs;
      to(i, j) = inside ? weight.data[(std::size_t(row) + j) * inputs + from] : 0.0f;
    }
  }
}

void FillVector(Case& c, Stage stage, const Tensor& from, int first) {
  const MutableView to = c.Head(stage, 0);
  for (std::size_t j = 0; j < to.cols; ++j) to(0, j) = from.data[std::size_t(first) + j];
}

// Keys and values come from two tensors: side by side they are one second sequence, and each weight passes over the
// columns of the other.
TEST(TorchTest, MultiheadAttention) {
  ForOperator("MultiheadAttention", [](const OperatorCase& m) {
    const TensorLayout q(m.Need("query"), 1), k(m.Need("key"), 1), v(m.Need("value"), 1);
    const int width = q.d;
    const int heads = int(m.attributes.NumberOr("num_heads", 1));
    const Tensor* joined = m.Input("in_proj_weight");
    const Tensor* bias = m.Input("in_proj_bias");
    const Tensor* out_bias = m.Input("out_proj_bias");
    const Tensor* extra = m.Input("bias_k");
    const Tensor* mask = m.Input("attn_mask");
    const Tensor* padding = m.Input("key_padding_mask");
    AttentionOptions o = WithHeads(Given(q.n, k.n, width / heads, width / heads), heads);
    o.batch = q.batch;
    o.project = o.crossed = true;
    o.d_model = width;
    o.d_kv = k.d + v.d;
    o.bias_q = o.bias_k = o.bias_v = bias != nullptr;
    o.project_out = true;
    o.bias_o = out_bias != nullptr;
    o.d_out = width;
    o.extra_key = extra != nullptr;
    o.zero_key = m.attributes.NumberOr("add_zero_attn", 0) != 0;
    ASSERT_TRUE(mask == nullptr || padding == nullptr);
    Tensor blocked;
    if (mask != nullptr) blocked = *mask;
    if (mask != nullptr && mask->shape.size() == 3) blocked.shape = {q.batch, heads, q.n, k.n};
    if (padding != nullptr) {
      blocked = *padding;
      blocked.shape = {q.batch, 1, 1, k.n};
    }
    const bool numbers = blocked.dtype != "bool";
    if (!blocked.shape.empty()) AskForMask(o, blocked, numbers);
    Case c(o);
    Fill(c, Stage::kX, q);
    for (std::size_t b = 0; b < std::size_t(q.batch); ++b) {
      const MutableView both = c.Head(Stage::kXKv, 0, b);
      for (std::size_t i = 0; i < both.rows; ++i) {
        for (std::size_t j = 0; j < both.cols; ++j) {
          const auto kd = std::size_t(k.d);
          both(i, j) = j < kd ? k.tensor->data[k.At(b, 0, i, j)] : v.tensor->data[v.At(b, 0, i, j - kd)];
        }
      }
    }
    FillWeight(c, Stage::kWQ, joined != nullptr ? *joined : m.Need("q_proj_weight"), 0, 0);
    FillWeight(c, Stage::kWK, joined != nullptr ? *joined : m.Need("k_proj_weight"), joined != nullptr ? width : 0, 0);
    FillWeight(c, Stage::kWV, joined != nullptr ? *joined : m.Need("v_proj_weight"), joined != nullptr ? 2 * width : 0,
               k.d);
    FillWeight(c, Stage::kWO, m.Need("out_proj_weight"), 0, 0);
    if (bias != nullptr) {
      FillVector(c, Stage::kBQ, *bias, 0);
      FillVector(c, Stage::kBK, *bias, width);
      FillVector(c, Stage::kBV, *bias, 2 * width);
    }
    if (out_bias != nullptr) FillVector(c, Stage::kBO, *out_bias, 0);
    if (extra != nullptr) {
      FillVector(c, Stage::kBiasK, *extra, 0);
      FillVector(c, Stage::kBiasV, m.Need("bias_v"), 0);
    }
    if (!blocked.shape.empty()) FillMask(c, blocked, numbers, !numbers);
    c.Run();
    ExpectStage(m, "q_heads", c, Stage::kQueries, heads);
    ExpectStage(m, "k_heads", c, Stage::kKeys, heads);
    ExpectStage(m, "v_heads", c, Stage::kValues, heads);
    ExpectStage(m, "scaled_scores", c, Stage::kScaled, heads);
    ExpectStage(m, "masked_scores", c, StageOfMode(c, 2), heads);
    ExpectStage(m, "head_weights", c, Stage::kWeights, heads);
    ExpectStage(m, "context", c, Stage::kOutput, heads);
    ExpectStage(m, "output", c, Stage::kProjected, 1);
  });
}

}  // namespace
}  // namespace loom::test
