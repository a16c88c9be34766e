// The node test data of ONNX, where it lies beside the project.
#include "conformance_case.h"
#include "trace/standalone.h"

namespace loom::test {
namespace {

void CheckAttention(const OperatorCase& a) {
  const TensorLayout q(a.Need("Q"), a.attributes.NumberOr("q_num_heads", 0));
  const double kv_heads = a.attributes.NumberOr("kv_num_heads", 0);
  const TensorLayout k(a.Need("K"), kv_heads), v(a.Need("V"), kv_heads);
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
      Fill(c, Stage::kKeys, TensorLayout(*past_key, 0));
      Fill(c, Stage::kValues, TensorLayout(a.Need("past_value"), 0));
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

TEST(OnnxTest, Attention) { ForOperator("Attention", CheckAttention); }
TEST(OnnxTest, FlexAttention) { ForOperator("FlexAttention", CheckAttention); }

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

TEST(OnnxTest, SoftmaxAndThatOfTorch) {
  ForOperator("Softmax", [](const OperatorCase& c) { CheckSoftmax(c, false); });
}
TEST(OnnxTest, LogSoftmax) {
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

TEST(OnnxTest, LayerNormalization) {
  ForOperator("LayerNormalization", [](const OperatorCase& c) { CheckNorm(c, false); });
}
TEST(OnnxTest, RmsNormalization) {
  ForOperator("RMSNormalization", [](const OperatorCase& c) { CheckNorm(c, true); });
}

TEST(OnnxTest, Gelu) {
  ForOperator("Gelu", [](const OperatorCase& c) {
    std::vector<float> data = c.Need("X").data;
    const Json* approximate = c.attributes.Find("approximate");
    const bool by_tanh = approximate != nullptr && approximate->text == "tanh";
    ASSERT_TRUE(Ok(ActivateAll(data.data(), data.size(), by_tanh ? Activation::kGeluTanh : Activation::kGelu)));
    ExpectTensor(c, "Y", [&](std::size_t at) { return data[at]; });
  });
}

// Rows in the order (batch, head, place), each with the angles of its position behind.
TEST(OnnxTest, RotaryEmbedding) {
  ForOperator("RotaryEmbedding", [](const OperatorCase& c) {
    const TensorLayout x(c.Need("X"), c.attributes.NumberOr("num_heads", 0));
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

// Linear attention keeps a state instead of weights: no part of the core.
TEST(OnnxTest, EveryOperatorIsCheckedButLinearAttention) {
  if (!HasConformanceCases()) GTEST_SKIP() << "conformance cases skipped: no folder " << LOOM_CONFORMANCE_DIR;
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
  EXPECT_FALSE(cases.empty()) << LOOM_CONFORMANCE_DIR;
  std::printf("left out: LinearAttention, %d of %zu cases\n", left_out, cases.size());
}

}  // namespace
}  // namespace loom::test
