#include "trace/stage.h"

namespace loom {
namespace {

// In the order of Stage. The array's size makes the compiler count.
constexpr std::array<const char*, kStageCount> kStageNames = {
    "x",      "xKv",    "wQ",     "wK",     "wV",      "allow", "add",    "queries", "keys",   "values",
    "scores", "scaled", "masked", "rowmax", "shifted", "exp",   "rowsum", "weights", "output", "concat"};
constexpr std::array<const char*, static_cast<std::size_t>(Operation::kCount)> kOperationNames = {
    "input", "dot", "scale", "mask", "max", "shift", "exp", "sum", "divide", "copy"};
constexpr std::array<const char*, static_cast<std::size_t>(Axis::kCount)> kAxisNames = {
    "head", "row", "column", "term", "headColumn", "columnHead", "columnInHead"};

template <std::size_t N>
const char* NameOf(const std::array<const char*, N>& names, std::size_t i) {
  return i < N ? names[i] : "";
}

}  // namespace

const char* StageName(Stage stage) { return NameOf(kStageNames, static_cast<std::size_t>(stage)); }
const char* OperationName(Operation operation) { return NameOf(kOperationNames, static_cast<std::size_t>(operation)); }
const char* AxisName(Axis axis) { return NameOf(kAxisNames, static_cast<std::size_t>(axis)); }

}  // namespace loom
