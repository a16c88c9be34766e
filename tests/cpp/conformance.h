// Cases that other implementations computed, where they lie beside the project.
#pragma once

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "json.h"
#include "support.h"

namespace loom::test {

// Numbers with a shape, the last axis fastest.
struct Tensor {
  std::string dtype;
  std::vector<int> shape;
  std::vector<float> data;

  int Size(std::size_t axis) const { return shape[axis]; }
  // Product of the axes [begin, end).
  std::size_t Product(std::size_t begin, std::size_t end) const {
    std::size_t product = 1;
    for (std::size_t axis = begin; axis < end; ++axis) product *= std::size_t(shape[axis]);
    return product;
  }
};

inline float NumberOf(const Json& item) {
  if (item.kind != Json::Kind::kText) return float(item.number);
  if (item.text == "-Infinity") return -kInfinity;
  if (item.text == "Infinity") return kInfinity;
  EXPECT_EQ(item.text, "NaN");
  return kNaN;
}

struct OperatorCase {
  std::string name;
  std::string op;
  Json attributes;
  std::vector<std::pair<std::string, Tensor>> inputs, outputs;
  Tolerance tolerance;

  static const Tensor* Find(const std::vector<std::pair<std::string, Tensor>>& all, std::string_view name) {
    for (const auto& [key, tensor] : all) {
      if (key == name) return &tensor;
    }
    return nullptr;
  }
  const Tensor* Input(std::string_view key) const { return Find(inputs, key); }
  const Tensor& Need(std::string_view key) const {
    const Tensor* found = Input(key);
    static const Tensor kNone;
    EXPECT_NE(found, nullptr) << name << " has no " << key;
    return found == nullptr ? kNone : *found;
  }
  const Tensor* Output(std::string_view key) const { return Find(outputs, key); }
};

inline std::vector<std::pair<std::string, Tensor>> TensorsOf(const Json& json) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (std::size_t i = 0; i < json.items.size(); ++i) {
    Tensor tensor;
    tensor.dtype = json.items[i].Find("dtype")->text;
    for (const Json& size : json.items[i].Find("shape")->items) tensor.shape.push_back(int(size.number));
    for (const Json& item : json.items[i].Find("data")->items) tensor.data.push_back(NumberOf(item));
    EXPECT_EQ(tensor.data.size(), tensor.Product(0, tensor.shape.size()));
    tensors.emplace_back(json.names[i], std::move(tensor));
  }
  return tensors;
}

// Half a unit of float16 rounding is 4.9e-4 of the value. A case may ask for less than what is good for all.
inline Tolerance ToleranceOf(const Json& json, const std::vector<std::pair<std::string, Tensor>>& inputs) {
  if (inputs[0].second.dtype == "float16") return {1e-5, 1e-3};
  const Json* own = json.Find("tolerance");
  if (own == nullptr) return {1e-6, 1e-5};
  return {std::min(1e-6, own->NumberOr("atol", 1)), std::min(1e-5, own->NumberOr("rtol", 1))};
}

// The cases lie beside the project, not in it: a clone of its own has none, and says so by a skip. A folder that is
// there but lacks the cases of an operator is a fault.
inline bool HasConformanceCases() { return std::filesystem::is_directory(LOOM_CONFORMANCE_DIR); }

// All cases, in the order of their names; nothing where the folder is absent.
inline std::vector<OperatorCase> AllOperatorCases() {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const char* part : {"onnx", "torch"}) {
    std::error_code error;
    for (const fs::directory_entry& file : fs::directory_iterator(fs::path(LOOM_CONFORMANCE_DIR) / part, error)) {
      if (file.path().extension() == ".json") files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<OperatorCase> cases;
  for (const fs::path& file : files) {
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    Json json;
    if (!JsonReader(text).Read(json)) {
      ADD_FAILURE() << file << " is no JSON";
      continue;
    }
    OperatorCase c;
    c.name = json.Find("name")->text;
    c.op = json.Find("op")->text;
    c.attributes = *json.Find("attributes");
    c.inputs = TensorsOf(*json.Find("inputs"));
    c.outputs = TensorsOf(*json.Find("outputs"));
    c.tolerance = ToleranceOf(json, c.inputs);
    cases.push_back(std::move(c));
  }
  return cases;
}

// An output that the case checks: number(flat index) is ours.
template <class Number>
void ExpectTensor(const OperatorCase& c, std::string_view key, const Number& number) {
  const Tensor* want = c.Output(key);
  if (want == nullptr) return;
  std::vector<float> got;
  for (std::size_t at = 0; at < want->data.size(); ++at) got.push_back(number(at));
  EXPECT_TRUE(AllNear(got, want->data, c.tolerance)) << c.name << ", " << key;
}

}  // namespace loom::test
