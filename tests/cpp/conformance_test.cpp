// The node test data of ONNX and cases that PyTorch computed, where they lie beside the project. What stands here
// renames and lays out; it computes nothing.
#include "conformance.h"

#include <functional>

#include "attention_case.h"
#include "trace/standalone.h"

namespace loom::test {
namespace {

// Calls check for each case of the operator.
void ForOperator(const char* op, const std::function<void(const OperatorCase&)>& check) {
  int checked = 0;
  for (const OperatorCase& c : AllOperatorCases()) {
    if (c.op != op) continue;
    SCOPED_TRACE(c.name);
    check(c);
    ++checked;
  }
  if (checked == 0) GTEST_SKIP() << "conformance cases skipped: no folder " << LOOM_CONFORMANCE_DIR;
  std::printf("%s: %d cases\n", op, checked);
}

// A tensor (batch, heads, n, d) or (batch, n, heads · d).
struct Layout {
  const Tensor* tensor;
  int batch, heads, n, d;

  Layout(const Tensor& t, double heads_of_3d) : tensor(&t), batch(t.Size(0)) {
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
void Fill(Case& c, Stage stage, const Layout& from, int first = 0) {
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
void ExpectStage(const OperatorCase& o, std::string_view key, const Case& c, Stage stage, int heads) {
  if (o.Output(key) == nullptr) return;
  const Layout want(*o.Output(key), heads);
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
void AskForMask(AttentionOptions& o, const Tensor& mask, bool numbers) {
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
void FillMask(Case& c, const Tensor& mask, bool numbers, bool one_blocks) {
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

Stage StageOfMode(const Case& c, int mode) {
  const Stage capped = c.plan->Has(Stage::kCapped) ? Stage::kCapped : Stage::kScaled;
  if (mode == 0) return Stage::kScaled;
  if (mode == 1) return capped;
  if (mode == 2) return c.plan->Has(Stage::kMasked) ? Stage::kMasked : capped;
  return Stage::kWeights;
}

void CheckAttention(const OperatorCase& a) {
  const Layout q(a.Need("Q"), a.attributes.NumberOr("q_num_heads", 0));
  const double kv_heads = a.attributes.NumberOr("kv_num_heads", 0);
  const Layout k(a.Need("K"), kv_heads), v(a.Need("V"), kv_heads);
  const Tensor* mask = a.Input("attn_mask");
  const Tensor* past_key = a.Input("past_key");
  const Tensor* counts = a.Input("nonpad_kv_seqlen");
  const bool numbers = mask != nullptr && mask->dtype != "bool";
  AttentionOptions o = Given(q.n, k.n, q.d, v.d);
  o.batch = q.batch;
  o.heads = q.heads;
  o.kv_heads = k.heads;
  if (past_key != nullptr) o.n_past = past_key->Size(2);
  if (const Json* scale = a.attributes.Find("scale")) o = Scaled(o, float(scale->number));
  o.cap = float(a.attributes.NumberOr("softcap", 0));
  o.causal = a.attributes.NumberOr("is_causal", 0) != 0;
  o.offset = o.n_past;
  o.key_counts = counts != nullptr;
  o.offset_from_count = o.key_counts && past_key == nullptr;
  if (mask != nullptr) AskForMask(o, *mask, numbers);
  for (const bool trace : {true, false}) {
    o.trace = trace;
    Case c(o);
    Fill(c, Stage::kQueries, q);
    if (past_key != nullptr) {
      Fill(c, Stage::kKeys, Layout(*past_key, 0));
      Fill(c, Stage::kValues, Layout(a.Need("past_value"), 0));
    }
    Fill(c, Stage::kKeys, k, o.n_past);
    Fill(c, Stage::kValues, v, o.n_past);
    if (mask != nullptr) FillMask(c, *mask, numbers, false);
    if (counts != nullptr) c.Set(Stage::kKeyCounts, counts->data);
    c.Run();
    ExpectStage(a, "Y", c, Stage::kOutput, q.heads);
    ExpectStage(a, "present_key", c, Stage::kKeys, k.heads);
    ExpectStage(a, "present_value", c, Stage::kValues, k.heads);
    if (!trace) continue;
    const int mode = int(a.attributes.NumberOr("qk_matmul_output_mode", 0));
    ExpectStage(a, "qk_matmul_output", c, StageOfMode(c, mode), q.heads);
  }
}

TEST(ConformanceTest, OnnxAttention) { ForOperator("Attention", CheckAttention); }
TEST(ConformanceTest, OnnxFlexAttention) { ForOperator("FlexAttention", CheckAttention); }

// [outer, length, inner] along an axis; `last`: all axes from there on.
struct Split {
  std::size_t outer, length, inner;
  Split(const Tensor& t, int axis, bool last) {
    const std::size_t rank = t.shape.size();
    const auto at = std::size_t(axis < 0 ? axis + int(rank) : axis);
    outer = t.Product(0, at);
    length = last ? t.Product(at, rank) : std::size_t(t.shape[at]);
    inner = last ? 1 : t.Product(at + 1, rank);
  }
};

void CheckSoftmax(const OperatorCase& c, bool log) {
  std::vector<float> data = c.Need("input").data;
  const Split split(c.Need("input"), int(c.attributes.NumberOr("axis", -1)), false);
  ASSERT_TRUE(Ok(SoftmaxAlong(data.data(), split.outer, split.length, split.inner, log)));
  ExpectTensor(c, "output", [&](std::size_t at) { return data[at]; });
}

TEST(ConformanceTest, OnnxAndTorchSoftmax) {
  ForOperator("Softmax", [](const OperatorCase& c) { CheckSoftmax(c, false); });
}
TEST(ConformanceTest, OnnxLogSoftmax) {
  ForOperator("LogSoftmax", [](const OperatorCase& c) { CheckSoftmax(c, true); });
}

void CheckNorm(const OperatorCase& c, bool rms) {
  const Split split(c.Need("X"), int(c.attributes.NumberOr("axis", -1)), true);
  const auto epsilon = float(c.attributes.NumberOr("epsilon", 1e-5));
  const std::size_t rows = split.outer, cols = split.length;
  std::vector<float> data((rows + 2) * cols + 2 * rows, 0.0f);
  std::copy(c.Need("X").data.begin(), c.Need("X").data.end(), data.begin());
  const Tensor& gamma = c.Need(rms ? "scale" : "Scale");
  const auto behind = data.begin() + std::ptrdiff_t(rows * cols);
  std::copy(gamma.data.begin(), gamma.data.end(), behind);
  if (const Tensor* beta = c.Input("B")) std::copy(beta->data.begin(), beta->data.end(), behind + std::ptrdiff_t(cols));
  ASSERT_TRUE(Ok(NormaliseRows(data.data(), rows, cols, rms, epsilon)));
  const float* means = data.data() + (rows + 2) * cols;
  ExpectTensor(c, "Y", [&](std::size_t at) { return data[at]; });
  ExpectTensor(c, "Mean", [&](std::size_t at) { return means[at]; });
  ExpectTensor(c, "InvStdDev", [&](std::size_t at) { return 1 / std::sqrt(means[rows + at] + epsilon); });
}

TEST(ConformanceTest, OnnxLayerNormalization) {
  ForOperator("LayerNormalization", [](const OperatorCase& c) { CheckNorm(c, false); });
}
TEST(ConformanceTest, OnnxRmsNormalization) {
  ForOperator("RMSNormalization", [](const OperatorCase& c) { CheckNorm(c, true); });
}

TEST(ConformanceTest, OnnxGelu) {
  ForOperator("Gelu", [](const OperatorCase& c) {
    std::vector<float> data = c.Need("X").data;
    const Json* approximate = c.attributes.Find("approximate");
    const bool by_tanh = approximate != nullptr && approximate->text == "tanh";
    ASSERT_TRUE(Ok(ActivateAll(data.data(), data.size(), by_tanh ? Activation::kGeluTanh : Activation::kGelu)));
    ExpectTensor(c, "Y", [&](std::size_t at) { return data[at]; });
  });
}

// Rows in the order (batch, head, place), each with the angles of its position behind.
TEST(ConformanceTest, OnnxRotaryEmbedding) {
  ForOperator("RotaryEmbedding", [](const OperatorCase& c) {
    const Layout x(c.Need("X"), c.attributes.NumberOr("num_heads", 0));
    const Tensor& cosines = c.Need("cos_cache");
    const Tensor& sines = c.Need("sin_cache");
    const Tensor* positions = c.Input("position_ids");
    const auto pairs = std::size_t(cosines.shape.back());
    const auto rows = std::size_t(x.batch * x.heads * x.n);
    std::vector<float> data(rows * (std::size_t(x.d) + 2 * pairs));
    const MutableView turned(data.data(), rows, std::size_t(x.d));
    const MutableView cosine(turned.data + rows * turned.cols, rows, pairs);
    const MutableView sine(cosine.data + rows * pairs, rows, pairs);
    // Row r and where it is in the tensor.
    const auto each = [&](const std::function<void(std::size_t row, std::size_t b, std::size_t h, std::size_t i)>& f) {
      std::size_t row = 0;
      for (std::size_t b = 0; b < std::size_t(x.batch); ++b) {
        for (std::size_t h = 0; h < std::size_t(x.heads); ++h) {
          for (std::size_t i = 0; i < std::size_t(x.n); ++i) f(row++, b, h, i);
        }
      }
    };
    each([&](std::size_t row, std::size_t b, std::size_t h, std::size_t i) {
      for (std::size_t j = 0; j < turned.cols; ++j) turned(row, j) = x.tensor->data[x.At(b, h, i, j)];
      const std::size_t place = b * std::size_t(x.n) + i;
      const std::size_t from = positions == nullptr ? place : std::size_t(positions->data[place]);
      for (std::size_t p = 0; p < pairs; ++p) {
        cosine(row, p) = cosines.data[from * pairs + p];
        sine(row, p) = sines.data[from * pairs + p];
      }
    });
    const bool neighbours = c.attributes.NumberOr("interleaved", 0) != 0;
    ASSERT_TRUE(Ok(RotateRows(data.data(), rows, turned.cols, 2 * pairs, neighbours, true, 10000)));
    std::vector<float> got(x.tensor->data.size());
    each([&](std::size_t row, std::size_t b, std::size_t h, std::size_t i) {
      for (std::size_t j = 0; j < turned.cols; ++j) got[x.At(b, h, i, j)] = turned(row, j);
    });
    ExpectTensor(c, "Y", [&](std::size_t at) { return got[at]; });
  });
}

TEST(ConformanceTest, TorchScaledDotProductAttention) {
  ForOperator("scaled_dot_product_attention", [](const OperatorCase& s) {
    const Layout q(s.Need("query"), 0), k(s.Need("key"), 0), v(s.Need("value"), 0);
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
TEST(ConformanceTest, TorchMultiheadAttention) {
  ForOperator("MultiheadAttention", [](const OperatorCase& m) {
    const Layout q(m.Need("query"), 1), k(m.Need("key"), 1), v(m.Need("value"), 1);
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

// Linear attention keeps a state instead of weights: no part of the core.
TEST(ConformanceTest, EveryOperatorIsCheckedButLinearAttention) {
  int left_out = 0;
  const std::vector<std::string> known = {"Attention",
                                          "FlexAttention",
                                          "Softmax",
                                          "LogSoftmax",
                                          "Gelu",
                                          "LayerNormalization",
                                          "RotaryEmbedding",
                                          "RMSNormalization",
                                          "MultiheadAttention",
                                          "scaled_dot_product_attention"};
  const std::vector<OperatorCase> cases = AllOperatorCases();
  for (const OperatorCase& c : cases) {
    left_out += c.op == "LinearAttention" ? 1 : 0;
    EXPECT_TRUE(c.op == "LinearAttention" || std::count(known.begin(), known.end(), c.op) == 1) << c.name;
  }
  if (cases.empty()) GTEST_SKIP() << "conformance cases skipped: no folder " << LOOM_CONFORMANCE_DIR;
  std::printf("left out: LinearAttention, %d of %zu cases\n", left_out, cases.size());
}

}  // namespace
}  // namespace loom::test
