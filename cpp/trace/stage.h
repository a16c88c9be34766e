// The stages of attention and how a cell of each arises, as data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace loom {

// Inputs first, then the stages in the order in which they are computed. How to add one: docs/add-a-kernel.md.
enum class Stage : std::uint8_t {
  kX,
  kXKv,
  kWQ,
  kWK,
  kWV,
  kAllow,
  kAdd,
  kQueries,
  kKeys,
  kValues,
  kScores,
  kScaled,
  kMasked,
  kRowMax,
  kShifted,
  kExp,
  kRowSum,
  kWeights,
  kOutput,
  kConcat,
  kCount,
};

inline constexpr std::size_t kStageCount = static_cast<std::size_t>(Stage::kCount);

// The name of design and API, for instance "rowmax". Lives as long as the program.
const char* StageName(Stage stage);

// How a cell of a stage arises from its operands.
enum class Operation : std::uint8_t {
  kInput,   // given
  kDot,     // Σ over terms of first · second
  kScale,   // first × scale
  kMask,    // first (+ add), or −∞ where blocked
  kMax,     // the largest over terms
  kShift,   // (first − second) / temperature
  kExp,     // e to the first
  kSum,     // Σ over terms
  kDivide,  // first / second
  kCopy,    // the first, put in its place
  kCount,
};

const char* OperationName(Operation operation);

// What an axis of an operand runs along, seen from the cell (head, row, column) that is being made and the term that is
// being added.
enum class Axis : std::uint8_t {
  kHead,
  kRow,
  kColumn,
  kTerm,
  kHeadColumn,    // head · width + column
  kColumnHead,    // column div width
  kColumnInHead,  // column mod width
  kCount,
};

const char* AxisName(Axis axis);

inline constexpr std::size_t kMaxRank = 3;
inline constexpr std::size_t kMaxOperands = 3;

struct Operand {
  Stage stage = Stage::kCount;
  std::uint8_t rank = 0;
  std::array<Axis, kMaxRank> axes{};
};

// One stage of one plan: its shape and the recipe for every cell of it.
struct Recipe {
  Stage stage = Stage::kCount;
  Operation operation = Operation::kInput;
  // [heads, rows, cols] or [rows, cols] or, for rowmax and rowsum, [heads, rows].
  std::uint8_t rank = 0;
  std::array<std::int32_t, kMaxRank> shape{};
  std::uint8_t operand_count = 0;
  std::array<Operand, kMaxOperands> operands{};
  std::int32_t terms = 0;  // products, summands or candidates that make one cell; 1 for a single step; 0 for an input
  std::int32_t head_width = 0;  // columns of one head, where an axis needs it
  bool per_head = false;        // the first axis is the head
  bool over_keys = false;       // terms are keys: those that the mask blocks are left out

  // Where the numbers lie in the workspace, in elements of it. Cell (a, b, c) of rank 3 stands at
  // offset + a · strides[0] + b · strides[1] + c · strides[2].
  std::size_t offset = 0;
  std::array<std::size_t, kMaxRank> strides{};

  // In 64 bits: what a plan asks for may be more than an address of wasm can count.
  std::uint64_t Cells() const {
    std::uint64_t cells = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) cells *= static_cast<std::uint64_t>(shape[axis]);
    return cells;
  }
};

using Index = std::array<std::int32_t, kMaxRank>;

// One cell of one stage. Entries of `index` beyond the stage's rank are 0.
struct Cell {
  Stage stage = Stage::kCount;
  Index index{};
  bool operator==(const Cell& other) const { return stage == other.stage && index == other.index; }
};

}  // namespace loom
