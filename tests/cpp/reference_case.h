// A case's inputs and tables as reference/ takes them, and where it keeps each stage.
#pragma once

#include "attention_case.h"
#include "eigen_support.h"
#include "reference/block.h"

namespace loom::test {

// The numbers of one batch entry, given and drawn; what is computed from them is reference/'s own.
class ReferenceCase {
 public:
  ReferenceCase(const Case& c, std::size_t entry) : c_(c), o_(c.options()), entry_(entry) {}

  reference::Given<double> Given() const {
    reference::Given<double> g;
    if (o_.project) GiveTokens(g);
    g.heads = o_.heads;
    g.kv_heads = o_.kv_heads;
    g.d_k = o_.d_k;
    g.d_v = o_.d_v;
    if (!o_.project) g.queries = HeadsOf(Stage::kQueries, o_.heads, 0, o_.n_q);
    const int given_end = o_.project ? o_.n_past : o_.Maskable();
    g.past_keys = HeadsOf(Stage::kKeys, o_.kv_heads, 0, o_.n_past);
    g.past_values = HeadsOf(Stage::kValues, o_.kv_heads, 0, o_.n_past);
    g.keys = HeadsOf(Stage::kKeys, o_.kv_heads, o_.n_past, given_end);
    g.values = HeadsOf(Stage::kValues, o_.kv_heads, o_.n_past, given_end);
    g.extra_key = VectorOf(Stage::kBiasK);
    g.extra_value = VectorOf(Stage::kBiasV);
    g.zero_key = o_.zero_key;
    if (o_.rotary != Rotary::kNone) {
      g.rotary = {Whole(Stage::kCosines), Whole(Stage::kSines), o_.rotary == Rotary::kHalf, o_.rotary_offset};
    }
    g.soft.scale = o_.default_scale && o_.d_k > 0 ? 1 / std::sqrt(double(o_.d_k)) : double(o_.scale);
    g.soft.cap = double(o_.cap);
    g.soft.temperature = double(o_.temperature);
    g.soft.along = reference::Along(int(o_.softmax));
    g.soft.shift = o_.shift;
    if (o_.alibi != Alibi::kNone) g.slopes = PerHead(Stage::kSlopes);
    if (o_.gates) g.gates = PerHead(Stage::kGates);
    g.visible = [this](Eigen::Index head) { return VisibleTo(std::size_t(head)); };
    if (o_.project_out) g.out = LinearOf(Stage::kWO, Stage::kBO);
    g.norm = reference::NormKind(int(o_.norm));
    g.norm_first = o_.norm_first;
    g.epsilon = double(o_.epsilon);
    g.gamma = VectorOf(Stage::kGamma);
    g.beta = VectorOf(Stage::kBeta);
    g.gamma_2 = VectorOf(Stage::kGamma2);
    g.beta_2 = VectorOf(Stage::kBeta2);
    g.residual = o_.residual;
    if (o_.d_ff > 0) {
      g.expand = LinearOf(Stage::kW1, Stage::kB1);
      g.contract = LinearOf(Stage::kW2, Stage::kB2);
      g.activation = reference::ActivationKind(int(o_.activation));
    }
    return g;
  }

 private:
  reference::Matrix<double> Whole(Stage stage, std::size_t head = 0) const {
    return MatrixOf<double>(c_.Head(stage, head, entry_));
  }
  reference::MaybeColumn<double> VectorOf(Stage stage) const {
    if (!c_.plan->Has(stage)) return std::nullopt;
    return ColumnOf<double>(c_.Head(stage, 0, entry_));
  }
  reference::Column<double> PerHead(Stage stage) const {
    reference::Column<double> column(o_.heads);
    for (int h = 0; h < o_.heads; ++h) column(h) = double(c_.Head(stage, std::size_t(h))(0, 0));
    return column;
  }
  reference::Linear<double> LinearOf(Stage weights, Stage bias) const { return {Whole(weights), VectorOf(bias)}; }
  reference::Heads<double> HeadsOf(Stage stage, int heads, int begin, int end) const {
    reference::Heads<double> all;
    for (int h = 0; h < heads; ++h) {
      all.push_back(MatrixOf<double>(
          c_.Head(stage, std::size_t(h), entry_).Rows(std::size_t(begin), std::size_t(std::max(begin, end)))));
    }
    return all;
  }
  void GiveTokens(reference::Given<double>& g) const {
    g.x = Whole(Stage::kX);
    if (o_.crossed) g.x_kv = Whole(Stage::kXKv);
    if (o_.positions != Positions::kNone) g.positions = Whole(Stage::kPositions);
    if (o_.positions_kv != Positions::kNone) g.positions_kv = Whole(Stage::kPositionsKv);
    g.to_queries = LinearOf(Stage::kWQ, Stage::kBQ);
    g.to_keys = LinearOf(Stage::kWK, Stage::kBK);
    g.to_values = LinearOf(Stage::kWV, Stage::kBV);
  }
  // Whatever its rank: axes of 1 serve all.
  reference::Matrix<double> MaskOf(Stage stage, std::size_t head) const {
    return Whole(stage, std::min(head, c_.Heads(stage) - 1));
  }
  reference::Visible<double> VisibleTo(std::size_t head) const {
    reference::Visible<double> v;
    v.maskable = o_.Maskable();
    v.offset = double(o_.offset);
    v.causal = o_.causal;
    if (o_.key_counts) {
      const auto count = Eigen::Index(c_.Head(Stage::kKeyCounts, 0)(0, entry_));
      v.key_count = count;
      if (o_.offset_from_count) v.offset = double(count - o_.n_q);
    }
    if (o_.allow_rank > 0) v.allow = MaskOf(Stage::kAllow, head);
    if (o_.add_rank > 0) v.add = MaskOf(Stage::kAdd, head);
    if (o_.window) v.window = {double(o_.before), double(o_.after)};
    v.block = o_.block_size;
    if (o_.global) {
      v.global.emplace();
      for (int j = 0; j < o_.Maskable(); ++j) v.global->push_back(c_.Head(Stage::kGlobal, 0)(0, std::size_t(j)) != 0);
    }
    if (o_.random_count > 0) v.random = Whole(Stage::kRandom);
    return v;
  }

  const Case& c_;
  const AttentionOptions& o_;
  std::size_t entry_;
};

// Where reference/ has put a stage.
class Found {
 public:
  explicit Found(const reference::Block<double>& block) : block_(block) {}

  // A matrix [rows, cols], or a column as one row.
  View<const double> Of(Stage stage, std::size_t head) const {
    switch (stage) {
      case Stage::kPositioned:
        return ViewOf(*block_.positioned);
      case Stage::kPositionedKv:
        return ViewOf(*block_.positioned_kv);
      case Stage::kMean:
        return ViewOf(block_.normed->mean);
      case Stage::kVariance:
        return ViewOf(block_.normed->variance);
      case Stage::kNormed:
        return ViewOf(block_.normed->out);
      case Stage::kMean2:
        return ViewOf(block_.normed_2->mean);
      case Stage::kVariance2:
        return ViewOf(block_.normed_2->variance);
      case Stage::kNormed2:
        return ViewOf(block_.normed_2->out);
      case Stage::kQueries:
        return ViewOf(block_.queries[head]);
      case Stage::kKeys:
        return ViewOf(block_.keys[head]);
      case Stage::kValues:
        return ViewOf(block_.values[head]);
      case Stage::kRotatedQueries:
        return ViewOf(block_.rotated_queries[head]);
      case Stage::kRotatedKeys:
        return ViewOf(block_.rotated_keys[head]);
      case Stage::kScores:
        return ViewOf(block_.head[head].scores);
      case Stage::kScaled:
        return ViewOf(block_.head[head].scaled);
      case Stage::kCapped:
        return ViewOf(block_.head[head].capped);
      case Stage::kBias:
        return ViewOf(block_.head[head].bias);
      case Stage::kMasked:
        return ViewOf(block_.head[head].masked);
      case Stage::kRowMax:
        return ViewOf(block_.head[head].rowmax);
      case Stage::kShifted:
        return ViewOf(block_.head[head].shifted);
      case Stage::kExp:
        return ViewOf(block_.head[head].exp);
      case Stage::kRowSum:
        return ViewOf(block_.head[head].rowsum);
      case Stage::kWeights:
        return ViewOf(block_.head[head].weights);
      case Stage::kOutput:
        return ViewOf(block_.head[head].output);
      case Stage::kGated:
        return ViewOf(block_.gated[head]);
      case Stage::kConcat:
        return ViewOf(block_.concat);
      case Stage::kProjected:
        return ViewOf(*block_.projected);
      case Stage::kResidual:
        return ViewOf(*block_.residual);
      case Stage::kHidden:
        return ViewOf(*block_.hidden);
      case Stage::kActivated:
        return ViewOf(*block_.activated);
      case Stage::kExpanded:
        return ViewOf(*block_.expanded);
      case Stage::kResidual2:
        return ViewOf(*block_.residual_2);
      default:
        return {};
    }
  }
  // Inputs and tables come before what is computed from them.
  static bool Has(Stage stage) { return stage >= Stage::kPositioned; }

 private:
  const reference::Block<double>& block_;
};

}  // namespace loom::test
