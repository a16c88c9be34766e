// The stages of attention and how a cell of each arises, as data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace loom {

// Every stage, once: X(enumerator, public name). Inputs and what is drawn or tabulated first. The order in which stages
// are computed is the plan's. How to add one: docs/add-a-kernel.md.
// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define LOOM_STAGES(X)                 \
  X(kX, "x")                           \
  X(kXKv, "xKv")                       \
  X(kWQ, "wQ")                         \
  X(kWK, "wK")                         \
  X(kWV, "wV")                         \
  X(kBQ, "bQ")                         \
  X(kBK, "bK")                         \
  X(kBV, "bV")                         \
  X(kWO, "wO")                         \
  X(kBO, "bO")                         \
  X(kBiasK, "biasK")                   \
  X(kBiasV, "biasV")                   \
  X(kAllow, "allow")                   \
  X(kAdd, "add")                       \
  X(kKeyCounts, "keyCounts")           \
  X(kGlobal, "global")                 \
  X(kRandom, "random")                 \
  X(kSlopes, "slopes")                 \
  X(kGates, "gates")                   \
  X(kGamma, "gamma")                   \
  X(kBeta, "beta")                     \
  X(kGamma2, "gamma2")                 \
  X(kBeta2, "beta2")                   \
  X(kW1, "w1")                         \
  X(kB1, "b1")                         \
  X(kW2, "w2")                         \
  X(kB2, "b2")                         \
  X(kPositions, "positions")           \
  X(kPositionsKv, "positionsKv")       \
  X(kCosines, "cosines")               \
  X(kSines, "sines")                   \
  X(kPositioned, "positioned")         \
  X(kPositionedKv, "positionedKv")     \
  X(kMean, "mean")                     \
  X(kVariance, "variance")             \
  X(kNormed, "normed")                 \
  X(kQueries, "queries")               \
  X(kKeys, "keys")                     \
  X(kValues, "values")                 \
  X(kRotatedQueries, "rotatedQueries") \
  X(kRotatedKeys, "rotatedKeys")       \
  X(kScores, "scores")                 \
  X(kScaled, "scaled")                 \
  X(kCapped, "capped")                 \
  X(kBias, "bias")                     \
  X(kMasked, "masked")                 \
  X(kRowMax, "rowmax")                 \
  X(kShifted, "shifted")               \
  X(kExp, "exp")                       \
  X(kRowSum, "rowsum")                 \
  X(kWeights, "weights")               \
  X(kOutput, "output")                 \
  X(kGated, "gated")                   \
  X(kConcat, "concat")                 \
  X(kProjected, "projected")           \
  X(kResidual, "residual")             \
  X(kMean2, "mean2")                   \
  X(kVariance2, "variance2")           \
  X(kNormed2, "normed2")               \
  X(kHidden, "hidden")                 \
  X(kActivated, "activated")           \
  X(kExpanded, "expanded")             \
  X(kResidual2, "residual2")

// How a cell of a stage arises from its operands: X(enumerator, public name).
#define LOOM_OPERATIONS(X)                                                                \
  X(kInput, "input")           /* given */                                                \
  X(kDot, "dot")               /* Σ over terms of first · second (+ addend) */          \
  X(kScale, "scale")           /* first × scale */                                       \
  X(kCap, "cap")               /* cap · tanh(first / cap) */                             \
  X(kAlibi, "alibi")           /* −slope · distance */                                 \
  X(kMask, "mask")             /* first (+ bias) (+ add), or −∞ where blocked */      \
  X(kMax, "max")               /* the largest over terms */                               \
  X(kShift, "shift")           /* (first (− second)) / temperature */                   \
  X(kExp, "exp")               /* e to the first */                                       \
  X(kSum, "sum")               /* Σ over terms */                                        \
  X(kDivide, "divide")         /* first / second */                                       \
  X(kUnmask, "unmask")         /* first, or 0 where blocked */                            \
  X(kCopy, "copy")             /* the first, put in its place */                          \
  X(kZero, "zero")             /* 0 */                                                    \
  X(kMultiply, "multiply")     /* first × second */                                      \
  X(kAdd, "add")               /* first + second */                                       \
  X(kRotate, "rotate")         /* own · cosine ∓ partner · sine */                    \
  X(kMean, "mean")             /* Σ over terms, by their number */                       \
  X(kVariance, "variance")     /* Σ over terms of (first − mean)², by their number */ \
  X(kMeanSquare, "meanSquare") /* Σ over terms of first², by their number */            \
  X(kLayerNorm, "layerNorm")   /* (first − mean) / √(variance + ε) · γ + β */     \
  X(kRmsNorm, "rmsNorm")       /* first / √(mean square + ε) · γ */                  \
  X(kGelu, "gelu")             /* x/2 · (1 + erf(x/√2)) */                             \
  X(kGeluTanh, "geluTanh")     /* its form with tanh */                                   \
  X(kRelu, "relu")             /* the larger of x and 0 */                                \
  X(kSinusoid, "sinusoid")     /* sine or cosine of position / base^… */                \
  X(kCosine, "cosine")         /* of position · base^… */                              \
  X(kSine, "sine")                                                                        \
  X(kSlope, "slope") /* 2^(−8·(head + 1)/h) */                                         \
  X(kDraw, "draw")   /* drawn from the seed */

// What an axis runs along, seen from the cell (batch, head, row, column) that is being made and the term that is being
// added: X(enumerator, public name).
#define LOOM_AXES(X)                                                               \
  X(kBatch, "batch")                                                               \
  X(kHead, "head")                                                                 \
  X(kRow, "row")                                                                   \
  X(kRowInPart, "rowInPart") /* row − the first row of the part */               \
  X(kColumn, "column")                                                             \
  X(kTerm, "term")                                                                 \
  X(kFirst, "first")               /* always 0: the operand is the same for all */ \
  X(kKvHead, "kvHead")             /* head div group: heads that share keys */     \
  X(kHeadColumn, "headColumn")     /* head · width + column */                    \
  X(kColumnHead, "columnHead")     /* column div width */                          \
  X(kColumnInHead, "columnInHead") /* column mod width */                          \
  X(kPosition, "position")         /* row + the rotary offset */                   \
  X(kPair, "pair")                 /* the pair that the column turns in */         \
  X(kPartner, "partner")           /* the other column of that pair */
// NOLINTEND(cppcoreguidelines-macro-usage)

#define LOOM_ENUMERATOR(id, name) id,
enum class Stage : std::uint8_t { LOOM_STAGES(LOOM_ENUMERATOR) kCount };
enum class Operation : std::uint8_t { LOOM_OPERATIONS(LOOM_ENUMERATOR) kCount };
enum class Axis : std::uint8_t { LOOM_AXES(LOOM_ENUMERATOR) kCount };
#undef LOOM_ENUMERATOR

inline constexpr std::size_t kStageCount = static_cast<std::size_t>(Stage::kCount);

// The names of design and API, for instance "rowmax". They live as long as the program; "" behind the last.
const char* StageName(Stage stage);
const char* OperationName(Operation operation);
const char* AxisName(Axis axis);

inline constexpr std::size_t kMaxRank = 4;
inline constexpr std::size_t kMaxOperands = 5;
inline constexpr std::size_t kMaxParts = 4;

using Axes = std::array<Axis, kMaxRank>;
using Index = std::array<std::int32_t, kMaxRank>;

struct Operand {
  Stage stage = Stage::kCount;
  std::uint8_t rank = 0;
  Axes axes{};
};

// What the terms of a part run over: those that the mask blocks are left out.
enum class Over : std::uint8_t {
  kOther,
  kKeys,     // that the query of the cell may look at
  kQueries,  // that may look at the key of the cell
};

// Rows [first_row, end_row) of a stage, that arise in one way.
struct Part {
  std::int32_t first_row = 0;
  std::int32_t end_row = 0;
  Operation operation = Operation::kInput;
  // Products, summands or candidates that make one cell, without a last step (the addend of a dot product, the division
  // of a mean); 1 for a single step; 0 where there is nothing to come from.
  std::int32_t terms = 0;
  Over over = Over::kOther;
  bool has_addend = false;  // of a dot product: the last operand is added to the sum
  std::uint8_t operand_count = 0;
  std::array<Operand, kMaxOperands> operands{};
};

// One stage of one plan: its shape, its place and how its cells arise.
struct Recipe {
  Stage stage = Stage::kCount;
  std::uint8_t rank = 0;
  Axes axes{};  // what the own axes are: kBatch, kHead, kRow, kColumn
  std::array<std::int32_t, kMaxRank> shape{};
  std::uint8_t part_count = 0;
  std::array<Part, kMaxParts> parts{};

  std::int32_t head_width = 0;  // columns of one head, for kHeadColumn, kColumnHead and kColumnInHead
  std::int32_t group = 1;       // heads that share one of the operand's, for kKvHead
  std::int32_t shift = 0;       // for kPosition
  std::int32_t turning = 0;     // columns that turn, for kPair and kPartner
  bool neighbours = false;      // pairs are (2p, 2p + 1), else (p, p + turning/2)
  // One of the [n_q, n_k] stages and their row numbers: without a trace a few rows of them at a time, in a block.
  bool by_block = false;

  // Where the numbers lie in the workspace, in elements of it: offset + Σ index · stride.
  std::size_t offset = 0;
  std::array<std::size_t, kMaxRank> strides{};

  // In 64 bits: what a plan asks for may be more than an address of wasm can count.
  std::uint64_t Cells() const {
    std::uint64_t cells = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) cells *= static_cast<std::uint64_t>(shape[axis]);
    return cells;
  }
  // Size along one of the own axes, 1 where there is none.
  std::int32_t Size(Axis axis) const {
    for (std::size_t a = 0; a < rank; ++a) {
      if (axes[a] == axis) return shape[a];
    }
    return 1;
  }
  bool HasAxis(Axis axis) const {
    for (std::size_t a = 0; a < rank; ++a) {
      if (axes[a] == axis) return true;
    }
    return false;
  }
  // Element of the workspace that holds a cell, which must exist.
  std::size_t PlaceOf(const Index& index) const {
    std::size_t place = offset;
    for (std::size_t a = 0; a < rank; ++a) place += static_cast<std::size_t>(index[a]) * strides[a];
    return place;
  }
  // Given as a whole.
  bool Given() const { return part_count == 1 && parts[0].operation == Operation::kInput; }
};

// One cell of one stage. Entries of `index` beyond the stage's rank are 0.
struct Cell {
  Stage stage = Stage::kCount;
  Index index{};
  bool operator==(const Cell& other) const { return stage == other.stage && index == other.index; }
};

}  // namespace loom
