#include "trace/twin.h"

#include <cmath>
#include <limits>

#include "kernels/double_math.h"
#include "trace/making.h"

namespace loom {
namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();

// An operand as one cell sees it: its number at each term, or the same at all of them.
struct Numbers {
  const double* first = nullptr;
  std::size_t stride = 0;
  double operator[](std::size_t term) const { return first[term * stride]; }
};

}  // namespace

Result<Twin> Twin::Create(const Plan& plan) {
  if (!plan.options().trace) return Error{ErrorCode::kNotReady, Param::kNone, 0, 0};
  // Never nothing: see Attention::BytesNeeded.
  Result<Buffer> memory = Buffer::Create((plan.elements() + 1) * sizeof(double));
  if (!memory.ok()) return memory.error();
  Twin twin;
  twin.memory_ = std::move(memory.value());
  return twin;
}

void Twin::Run(const Attention& attention) {
  const Plan& plan = attention.plan();
  for (std::size_t s = 0; s < plan.count(); ++s) {
    const Recipe& recipe = plan.at(s);
    Making at;
    for (at.entry = 0; at.entry < recipe.Size(Axis::kBatch); ++at.entry) {
      for (at.head = 0; at.head < recipe.Size(Axis::kHead); ++at.head) {
        const kernels::MaskRule rule = attention.MaskOf(std::size_t(at.head), std::size_t(at.entry));
        for (at.row = 0; at.row < recipe.Size(Axis::kRow); ++at.row) {
          for (at.column = 0; at.column < recipe.Size(Axis::kColumn); ++at.column) {
            const std::size_t place = recipe.PlaceOf(IndexOf(recipe, at));
            base()[place] = Make(attention, recipe, at, rule, place);
          }
        }
      }
    }
  }
}

double Twin::Make(const Attention& attention, const Recipe& recipe, const Making& at, const kernels::MaskRule& rule,
                  std::size_t place) const {
  const AttentionOptions& o = attention.plan().options();
  const Part& part = PartOf(recipe, at.row);
  Numbers in[kMaxOperands];
  // A column that does not turn has no pair.
  const bool stays = part.operation == Operation::kRotate && !Turns(recipe, part, at.column);
  const std::size_t operands = stays ? 1u : part.operand_count;
  for (std::size_t p = 0; p < operands; ++p) {
    const Operand& operand = part.operands[p];
    if (operand.stage == Stage::kAllow) continue;
    const Recipe& from = attention.plan().Get(operand.stage);
    in[p].first = base() + from.PlaceOf(OperandCell(recipe, part, operand, at).index);
    for (std::size_t a = 0; a < operand.rank; ++a) {
      if (operand.axes[a] == Axis::kTerm) in[p].stride = from.strides[a];
    }
  }
  const auto i = std::size_t(at.row);
  const auto j = std::size_t(at.column);
  const auto terms = std::size_t(part.terms);
  const auto sum = [&](const auto& summand) {
    double total = 0;
    for (std::size_t t = 0; t < terms; ++t) {
      if (!LeftOut(part, rule, at, t)) total += summand(t);
    }
    return total;
  };
  const auto mean = [&](const auto& summand) { return terms == 0 ? 0 : sum(summand) / double(terms); };
  const double x = in[0].first == nullptr || (terms == 0 && in[0].stride > 0) ? 0 : in[0][0];
  switch (part.operation) {
    case Operation::kDot: {
      const double dot = sum([&](std::size_t t) { return in[0][t] * in[1][t]; });
      return part.has_addend ? dot + in[2][0] : dot;
    }
    case Operation::kScale:
      return x * (o.default_scale && o.d_k > 0 ? 1 / std::sqrt(double(o.d_k)) : double(o.scale));
    case Operation::kCap:
      return double(o.cap) * kernels::TanhOf(x / double(o.cap));
    case Operation::kAlibi:
      return j < rule.maskable ? -x * std::abs(double(rule.Position(i)) - double(j)) : 0.0;
    case Operation::kMask: {
      if (rule.Blocks(i, j)) return kLowest;
      if (j >= rule.maskable) return x;
      double masked = x;
      if (j >= rule.maskable) return masked;
      for (std::size_t p = 1; p < part.operand_count; ++p) masked += in[p].first == nullptr ? 0 : in[p][0];
      return masked;
    }
    case Operation::kMax: {
      double largest = kLowest;
      for (std::size_t t = 0; t < terms; ++t) largest = in[0][t] > largest ? in[0][t] : largest;
      return largest;
    }
    case Operation::kShift: {
      const double largest = part.operand_count > 1 ? in[1][0] : 0;
      const double below = x - largest;
      if (x != x || largest == kLowest) return x != x ? x : kLowest;
      if (o.temperature == 0) return below == 0 ? 0 : kLowest;
      return below / double(o.temperature);
    }
    case Operation::kExp:
      return kernels::ExpOf(x);
    case Operation::kSum:
      return sum([&](std::size_t t) { return in[0][t]; });
    case Operation::kDivide:
      return x == 0 || in[1][0] == 0 ? 0 : x / in[1][0];
    case Operation::kUnmask:
      return rule.Blocks(i, j) ? 0 : x;
    case Operation::kCopy:
      return x;
    case Operation::kZero:
      return 0;
    case Operation::kMultiply:
      return x * in[1][0];
    case Operation::kAdd:
      return x + in[1][0];
    case Operation::kRotate: {
      if (!Turns(recipe, part, at.column)) return x;
      const double other = in[2][0] * in[3][0];
      return x * in[1][0] + (PartnerOf(recipe, at.column) > at.column ? -other : other);
    }
    case Operation::kMean:
      return mean([&](std::size_t t) { return in[0][t]; });
    case Operation::kVariance:
      return mean([&](std::size_t t) { return (in[0][t] - in[1][0]) * (in[0][t] - in[1][0]); });
    case Operation::kMeanSquare:
      return mean([&](std::size_t t) { return in[0][t] * in[0][t]; });
    case Operation::kLayerNorm:
    case Operation::kRmsNorm: {
      const std::size_t spread = part.operation == Operation::kLayerNorm ? 2 : 1;
      const double root = std::sqrt(in[spread][0] + double(o.epsilon));
      double normed = (spread == 2 ? x - in[1][0] : x) / (root == 0 ? 1 : root);
      for (std::size_t p = spread + 1; p < part.operand_count; ++p) {
        const bool is_factor = part.operands[p].stage == Stage::kGamma || part.operands[p].stage == Stage::kGamma2;
        normed = is_factor ? normed * in[p][0] : normed + in[p][0];
      }
      return normed;
    }
    case Operation::kGelu:
      return x * (1 + kernels::ErfOf(x / std::sqrt(2.0))) / 2;
    case Operation::kGeluTanh:
      return x * (1 + kernels::TanhOf(0.79788456080286536 * (x + 0.044715 * x * x * x))) / 2;
    case Operation::kRelu:
      return x > 0 ? x : 0;
    case Operation::kInput:
    case Operation::kDraw:
    case Operation::kSlope:
    case Operation::kSinusoid:
    case Operation::kCosine:
    case Operation::kSine:
    case Operation::kCount:
      break;
  }
  // Given, or from a table: as it is.
  return double(attention.base()[place]);
}

}  // namespace loom
