// The operands of a cell are enough to make it again, bit for bit.
#include "origin_case.h"

namespace loom::test {
namespace {

class Again {
 public:
  Again(const Case& c, const Cell& cell, const Origin& origin) : c_(c), o_(c.options()), cell_(cell), origin_(origin) {}

  // The cell from its operands' numbers alone, in plain float arithmetic. False where that is e^x, tanh, erf or a
  // table.
  bool Make(float& value) const {
    value = origin_.operation() == Operation::kMax ? -kInfinity : 0.0f;
    for (std::size_t t = 0; t < origin_.term_count(); ++t) {
      if (!Step(t, value)) return false;
    }
    // The largest is never −0; elsewhere the sign of zero is the arithmetic's own.
    if (origin_.operation() == Operation::kMax) value += 0.0f;
    return true;
  }

 private:
  float In(std::size_t t, std::size_t operand) const { return origin_.term(t).operands[operand].value; }
  std::int32_t Along(Axis axis) const {
    const Recipe& recipe = c_.plan->Get(cell_.stage);
    for (std::size_t a = 0; a < recipe.rank; ++a) {
      if (recipe.axes[a] == axis) return cell_.index[a];
    }
    return 0;
  }

  bool Step(std::size_t t, float& value) const {
    const std::size_t operands = origin_.term(t).operand_count;
    switch (origin_.operation()) {
      case Operation::kDot: {
        const float summand = operands == 1 ? In(t, 0) : In(t, 0) * In(t, 1);
        if (!origin_.term(t).left_out) value += summand;
        return true;
      }
      case Operation::kSum:
        value += In(t, 0);
        return true;
      case Operation::kMax:
        if (In(t, 0) > value) value = In(t, 0);
        return true;
      case Operation::kScale:
        value = In(t, 0) * origin_.constant();
        return true;
      case Operation::kShift:
        if (operands == 1) {
          value = In(t, 0) / origin_.constant();
        } else if (In(t, 1) == -kInfinity) {
          value = -kInfinity;
        } else if (origin_.constant() == 0) {
          value = In(t, 0) == In(t, 1) ? 0.0f : -kInfinity;
        } else {
          value = (In(t, 0) - In(t, 1)) / origin_.constant();
        }
        return true;
      case Operation::kDivide:
        value = In(t, 0) == 0 || In(t, 1) == 0 ? 0.0f : In(t, 0) / In(t, 1);
        return true;
      case Operation::kUnmask:
        // Nothing but a mask makes −∞ of such small numbers.
        value = In(t, 0) == -kInfinity ? 0.0f : In(t, 0);
        return true;
      case Operation::kCopy:
        value = In(t, 0);
        return true;
      case Operation::kZero:
        EXPECT_EQ(operands, 0u);
        value = 0;
        return true;
      case Operation::kMultiply:
        value = In(t, 0) * In(t, 1);
        return true;
      case Operation::kAdd:
        value = In(t, 0) + In(t, 1);
        return true;
      case Operation::kRelu:
        value = In(t, 0) > 0 ? In(t, 0) : 0.0f;
        return true;
      case Operation::kMask:
        value = In(t, 0);
        // Nothing is added for keys that no mask touches, not even 0 to −0.
        for (std::size_t o = 1; o < operands && Along(Axis::kColumn) < o_.Maskable(); ++o) {
          if (origin_.term(t).operands[o].cell.stage != Stage::kAllow) value += In(t, o);
        }
        if (origin_.blocked_by() != 0) value = -kInfinity;
        return true;
      case Operation::kAlibi:
        value = Alibi(In(t, 0));
        return true;
      case Operation::kMean:
      case Operation::kVariance:
      case Operation::kMeanSquare: {
        if (operands == 0) {
          value /= float(o_.d_model);
          return true;
        }
        const float x = origin_.operation() == Operation::kVariance ? In(t, 0) - In(t, 1) : In(t, 0);
        value += origin_.operation() == Operation::kMean ? x : x * x;
        return true;
      }
      case Operation::kLayerNorm:
      case Operation::kRmsNorm:
        value = Normed(t, operands);
        return true;
      case Operation::kRotate: {
        const float product = In(t, 0) * In(t, 1);
        const int column = Along(Axis::kColumn);
        const bool first = o_.rotary == Rotary::kHalf ? column < o_.rotary_width / 2 : column % 2 == 0;
        value = t == 0 ? product : first ? value - product : value + product;
        return true;
      }
      default:
        return false;
    }
  }
  float Alibi(float slope) const {
    std::int64_t offset = o_.offset;
    if (o_.offset_from_count) {
      offset = std::int64_t(c_.Head(Stage::kKeyCounts, 0)(0, std::size_t(Along(Axis::kBatch)))) - o_.n_q;
    }
    if (Along(Axis::kColumn) >= o_.Maskable()) return 0;
    return 0.0f - slope * std::abs(float(Along(Axis::kRow) + offset - Along(Axis::kColumn)));
  }
  float Normed(std::size_t t, std::size_t operands) const {
    const bool layer = origin_.operation() == Operation::kLayerNorm;
    const std::size_t spread = layer ? 2 : 1;
    const float root = std::sqrt(In(t, spread) + origin_.constant());
    float normed = (layer ? In(t, 0) - In(t, 1) : In(t, 0)) / (root == 0 ? 1 : root);
    for (std::size_t o = spread + 1; o < operands; ++o) {
      const Stage stage = origin_.term(t).operands[o].cell.stage;
      const bool factor = stage == Stage::kGamma || stage == Stage::kGamma2;
      normed = factor ? normed * In(t, o) : normed + In(t, o);
    }
    return normed;
  }

  const Case& c_;
  const AttentionOptions& o_;
  const Cell& cell_;
  const Origin& origin_;
};

// Operations that a plain loop does not repeat.
bool IsFunction(Operation operation) {
  switch (operation) {
    case Operation::kInput:
    case Operation::kExp:
    case Operation::kCap:
    case Operation::kGelu:
    case Operation::kGeluTanh:
    case Operation::kSinusoid:
    case Operation::kCosine:
    case Operation::kSine:
    case Operation::kSlope:
    case Operation::kDraw:
      return true;
    default:
      return false;
  }
}

TEST(OriginRecomputeTest, TheLastPartialIsTheCellBitForBitAndFollowsFromTheOperands) {
  std::array<int, std::size_t(Operation::kCount)> seen{};
  for (std::uint64_t seed = 3000; seed < 3150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = RandomCase(seed);
    for (const Cell& cell : AllCells(*c.plan)) {
      const Result<Origin> found = Origin::Of(c.attention, cell);
      ASSERT_TRUE(found.ok()) << Text(cell);
      const Origin& origin = found.value();
      ++seen[std::size_t(origin.operation())];
      ASSERT_TRUE(IsSame(origin.value(), c.attention.At(cell))) << Text(cell);
      if (origin.operation() == Operation::kInput) {
        ASSERT_EQ(origin.term_count(), 0u);
        continue;
      }
      if (origin.term_count() > 0) {
        ASSERT_TRUE(IsSame(origin.term(origin.term_count() - 1).partial, origin.value())) << Text(cell);
      }
      for (std::size_t t = 0; t < origin.term_count(); ++t) {
        const OriginTerm& term = origin.term(t);
        for (std::size_t o = 0; o < term.operand_count; ++o) {
          ASSERT_TRUE(IsSame(term.operands[o].value, c.attention.At(term.operands[o].cell))) << Text(cell);
        }
      }
      float value = 0;
      const bool made = Again(c, cell, origin).Make(value);
      ASSERT_EQ(made, !IsFunction(origin.operation()) || origin.term_count() == 0) << Text(cell);
      if (!made) continue;
      ASSERT_TRUE(IsSame(value, origin.value())) << Text(cell) << ": " << value << ", " << origin.value();
    }
  }
  for (std::size_t operation = 0; operation < seen.size(); ++operation) {
    EXPECT_GT(seen[operation], 0) << OperationName(Operation(operation));
  }
}

}  // namespace
}  // namespace loom::test
