// "Where does this number come from?" and "what does it feed?", for every cell of every stage, from the recipes alone.
#pragma once

#include <cstdint>

#include "matrix/buffer.h"
#include "matrix/error.h"
#include "trace/attention.h"

namespace loom {

// One operand of one term, with its number.
struct OperandValue {
  Cell cell;
  float value = 0;
};

// One step in the making of a cell.
struct OriginTerm {
  std::uint8_t operand_count = 0;
  std::array<OperandValue, kMaxOperands> operands{};
  float value = 0;    // the product, summand or candidate; the result itself for a single step; the divisor of a mean
  float partial = 0;  // the running result after this term, by the kernel's own arithmetic
  bool left_out = false;  // a blocked key: changes nothing
};

// Reasons for a blocked cell of `masked`; more than one may hold.
inline constexpr std::uint8_t kBlockedByAllow = 1;
inline constexpr std::uint8_t kBlockedByCausal = 2;
inline constexpr std::uint8_t kBlockedByAdd = 4;
inline constexpr std::uint8_t kBlockedByPattern = 8;
inline constexpr std::uint8_t kBlockedByPadding = 16;

// Where one cell of a traced run comes from.
class Origin {
 public:
  Origin() = default;
  // Fails with kNoCell where the stage is not in the plan or the index outside its shape, kNotReady without a trace, or
  // kNoMemory. Reads `attention`, keeps nothing of it.
  static Result<Origin> Of(const Attention& attention, const Cell& cell);

  Operation operation() const { return operation_; }
  float value() const { return value_; }
  // The factor of a scale, the temperature of a shift, the soft cap, the ε of a norm, else 0.
  float constant() const { return constant_; }
  std::uint8_t blocked_by() const { return blocked_by_; }
  std::size_t term_count() const { return term_count_; }
  const OriginTerm& term(std::size_t t) const { return static_cast<const OriginTerm*>(terms_.data())[t]; }

 private:
  Operation operation_ = Operation::kInput;
  float value_ = 0;
  float constant_ = 0;
  std::uint8_t blocked_by_ = 0;
  std::size_t term_count_ = 0;
  Buffer terms_;
};

// The cells that have one cell among their operands.
class Feeds {
 public:
  Feeds() = default;
  // Fails as Origin::Of does.
  static Result<Feeds> Of(const Attention& attention, const Cell& cell);

  std::size_t count() const { return count_; }
  const Cell& cell(std::size_t i) const { return static_cast<const Cell*>(cells_.data())[i]; }

 private:
  std::size_t count_ = 0;
  Buffer cells_;
};

}  // namespace loom
