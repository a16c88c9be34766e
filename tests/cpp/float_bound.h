// How far float32 may be from the same in double, stage by stage.
#pragma once

#include <algorithm>

#include "attention_case.h"

namespace loom::test {

// Up to the output of the heads 3e-7 · (1 + max|S|) · (1 + max|V|), where queries, keys and values are given. Elsewhere
// an error that is there before a norm, a product with given weights or a gate is as many times as large behind it as
// that can magnify it, and what those round themselves comes on top.
class FloatBound {
 public:
  // `base`: all stages in double.
  FloatBound(const Plan& plan, double* base) : plan_(plan), base_(base) {}

  // To be asked in the order of the plan.
  Tolerance Of(Stage stage) {
    const AttentionOptions& o = plan_.options();
    switch (stage) {
      case Stage::kPositioned:
      case Stage::kPositionedKv:
        error_ += kRounding * Largest(stage);
        break;
      case Stage::kMean:
      case Stage::kMean2:
        error_ += kRounding * Largest(plan_.Get(stage).parts[0].operands[0].stage);
        break;
      case Stage::kVariance:
      case Stage::kVariance2:
        error_ += kRounding * Largest(plan_.Get(stage).parts[0].operands[0].stage);
        error_ *= 1 + 2 * std::sqrt(Largest(stage));
        break;
      case Stage::kNormed:
        Norm(Stage::kVariance, Stage::kGamma);
        break;
      case Stage::kNormed2:
        Norm(Stage::kVariance2, Stage::kGamma2);
        break;
      case Stage::kQueries:
        if (o.project) Product(Tokens(), std::max({Weights(Stage::kWQ), Weights(Stage::kWK), Weights(Stage::kWV)}));
        break;
      case Stage::kRotatedQueries:
        error_ = 2 * error_ + kRounding * std::max(Largest(Stage::kQueries), Largest(Stage::kKeys));
        break;
      case Stage::kScores:
        Attention();
        break;
      case Stage::kExp:
      case Stage::kRowSum:
        // What is wrong with x is wrong with e^x many times over.
        if (!o.shift) return {error_, error_};
        break;
      case Stage::kOutput:
        // Weights of a row that are no shares: as many as there are keys, each as large as any.
        if (o.softmax != Softmax::kRows) error_ *= std::max(1, o.Keys());
        break;
      case Stage::kGated:
        error_ *= 1 + Largest(Stage::kGates);
        break;
      case Stage::kProjected:
        Product(Largest(Stage::kConcat), Weights(Stage::kWO));
        break;
      case Stage::kHidden:
        Product(Largest(plan_.Get(stage).parts[0].operands[0].stage), Weights(Stage::kW1));
        break;
      case Stage::kExpanded:
        Product(Largest(Stage::kActivated), Weights(Stage::kW2));
        break;
      default:
        break;
    }
    return {error_, 1e-6};
  }

 private:
  static constexpr double kRounding = 3e-7;

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
  double Tokens() const {
    double largest = 0;
    for (const Stage stage : {Stage::kX, Stage::kXKv, Stage::kPositioned, Stage::kPositionedKv, Stage::kNormed}) {
      if (stage != Stage::kNormed || plan_.options().norm_first) largest = std::max(largest, Largest(stage));
    }
    return largest;
  }
  // What a product with these weights can make of an error of 1.
  double Weights(Stage stage) const { return Largest(stage) * double(plan_.Get(stage).shape[0]); }

  void Product(double largest, double weights) { error_ = (1 + weights) * (error_ + kRounding * largest); }
  // The smallest deviation magnifies most.
  void Norm(Stage variance, Stage gamma) {
    double smallest = 1;
    Each(variance, [&](double x) { smallest = std::min(smallest, x); });
    error_ *= 4 / std::sqrt(smallest + double(plan_.options().epsilon)) * (1 + Largest(gamma));
    error_ += kRounding;
  }
  void Attention() {
    const AttentionOptions& o = plan_.options();
    double scores = std::max(Largest(Stage::kScores), Largest(Stage::kShifted));
    if (!plan_.Has(Stage::kRowMax)) scores = std::max(scores, Largest(Stage::kMasked));
    const double width = o.d_k * std::max(Largest(Stage::kQueries), Largest(Stage::kKeys));
    const double sharpness =
        std::max({1.0, double(std::abs(o.scale)), o.temperature == 0 ? 1 : 1 / double(o.temperature)});
    error_ = (kRounding * (1 + scores) + error_ * (1 + width) * sharpness) * (1 + Largest(Stage::kValues));
  }

  const Plan& plan_;
  double* base_;
  double error_ = 0;
};

}  // namespace loom::test
