// How far float32 may be from the same in double, stage by stage.
#pragma once

#include <algorithm>

#include "attention_case.h"

namespace loom::test {

// 3e-7 · (1 + max|S|) · (1 + max|V|) up to the output of the heads, where the tokens are exact. An error that is there
// before a norm, a product with given weights or a gate is as many times as large behind it as that can magnify it.
class FloatBound {
 public:
  // `base`: all stages in double.
  FloatBound(const Plan& plan, double* base) : plan_(plan), base_(base) {
    const double scores = std::max(Largest(Stage::kScores), Largest(Stage::kShifted));
    start_ = 3e-7 * (1 + scores) * (1 + Largest(Stage::kValues));
  }

  // To be asked in the order of the plan.
  Tolerance Of(Stage stage) {
    const AttentionOptions& o = plan_.options();
    const bool inexact = o.positions != Positions::kNone || o.positions_kv != Positions::kNone ||
                         (o.norm != Norm::kNone && o.norm_first);
    switch (stage) {
      case Stage::kVariance:
        Norm(Stage::kVariance, Stage::kGamma);
        break;
      case Stage::kVariance2:
        Norm(Stage::kVariance2, Stage::kGamma2);
        break;
      case Stage::kQueries:
        if (inexact) Magnify(std::max({Weights(Stage::kWQ), Weights(Stage::kWK), Weights(Stage::kWV)}));
        break;
      case Stage::kScores:
        if (inexact) Magnify(o.d_k * std::max(Largest(Stage::kQueries), Largest(Stage::kKeys)));
        break;
      case Stage::kGated:
        Magnify(Largest(Stage::kGates));
        break;
      case Stage::kProjected:
        Magnify(Weights(Stage::kWO));
        break;
      case Stage::kHidden:
        Magnify(Weights(Stage::kW1));
        break;
      case Stage::kExpanded:
        Magnify(Weights(Stage::kW2));
        break;
      default:
        break;
    }
    return {start_ * magnified_, 1e-6};
  }

 private:
  void Magnify(double by) { magnified_ *= 1 + by; }

  template <class Visit>
  void Each(Stage stage, const Visit& visit) const {
    if (!plan_.Has(stage)) return;
    const Recipe& recipe = plan_.Get(stage);
    EachIndex(recipe, [&](const Index& index) { visit(base_[recipe.PlaceOf(index)]); });
  }
  double Largest(Stage stage) const {
    double largest = 0;
    Each(stage, [&](double x) {
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    });
    return largest;
  }
  // What a product with these weights can make of an error of 1.
  double Weights(Stage stage) const {
    return plan_.Has(stage) ? Largest(stage) * double(plan_.Get(stage).shape[0]) : 0;
  }
  // Mean and variance of large tokens are less exact; the smallest deviation magnifies most.
  void Norm(Stage variance, Stage gamma) {
    double smallest = 1;
    Each(variance, [&](double x) { smallest = std::min(smallest, x); });
    const double deviation = std::sqrt(smallest + double(plan_.options().epsilon));
    Magnify(Largest(plan_.Get(variance).parts[0].operands[0].stage));
    Magnify(4 / deviation);
    Magnify(plan_.Has(gamma) ? Largest(gamma) : 0);
  }

  const Plan& plan_;
  double* base_;
  double start_ = 0;
  double magnified_ = 1;
};

}  // namespace loom::test
