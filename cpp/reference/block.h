// A whole layer of a transformer, from tokens to tokens: heads, projections, and what stands around them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "reference/add.h"
#include "reference/alibi.h"
#include "reference/attention.h"
#include "reference/gelu.h"
#include "reference/mean_square.h"
#include "reference/normalise.h"
#include "reference/relu.h"
#include "reference/rotate.h"
#include "reference/row_mean.h"
#include "reference/row_variance.h"
#include "reference/visible.h"

namespace loom::reference {

template <class S>
using Heads = std::vector<Matrix<S>>;
template <class S>
using Maybe = std::optional<Matrix<S>>;
template <class S>
using MaybeColumn = std::optional<Column<S>>;

enum class NormKind { kNone, kLayer, kRms };
enum class ActivationKind { kGelu, kGeluTanh, kRelu };

// x·W + b, the bias where there is one.
template <class S>
struct Linear {
  Matrix<S> w;
  MaybeColumn<S> b;

  Matrix<S> operator()(const Matrix<S>& x) const {
    Matrix<S> out(x.rows(), w.cols());
    Matmul<S>(x, w, out);
    if (b) AddRow<S>(Matrix<S>(out), *b, out);
    return out;
  }
};

// Everything that is given, for one sequence. What is absent is left out of the layer.
template <class S>
struct Given {
  // Tokens [n_q, d_model], and a second sequence that is asked instead of the first; or, without projections, queries,
  // keys and values of each head.
  Matrix<S> x;
  Maybe<S> x_kv, positions, positions_kv;
  std::optional<Linear<S>> to_queries, to_keys, to_values;
  Heads<S> queries, keys, values;
  Heads<S> past_keys, past_values;        // of each key/value head, in front of the new ones
  MaybeColumn<S> extra_key, extra_value;  // one more behind them, all heads side by side
  bool zero_key = false;                  // and one of zeros
  Eigen::Index heads = 1, kv_heads = 1, d_k = 0, d_v = 0;

  struct Rotary {
    Matrix<S> cosines, sines;  // a row for each position
    bool halves = false;
    Eigen::Index offset = 0;  // the position of query 0; key 0 stands at 0
  };
  std::optional<Rotary> rotary;
  Softness<S> soft;
  MaybeColumn<S> slopes;  // of linear biases, one for each head
  std::function<Visible<S>(Eigen::Index head)> visible;
  MaybeColumn<S> gates;  // one for each head
  std::optional<Linear<S>> out;

  NormKind norm = NormKind::kNone;
  bool norm_first = true;
  S epsilon = 0;
  MaybeColumn<S> gamma, beta, gamma_2, beta_2;
  bool residual = false;
  std::optional<Linear<S>> expand, contract;  // of the feed-forward part
  ActivationKind activation = ActivationKind::kGelu;
};

template <class S>
struct Normed {
  Column<S> mean, variance;
  Matrix<S> out;
};

// All that is computed.
template <class S>
struct Block {
  Maybe<S> positioned, positioned_kv;
  std::optional<Normed<S>> normed, normed_2;
  Heads<S> queries, keys, values, rotated_queries, rotated_keys;
  std::vector<Stages<S>> head;
  Heads<S> gated;
  Matrix<S> concat;
  Maybe<S> projected, residual, hidden, activated, expanded, residual_2;
};

// Each token evened out to mean 0 and variance 1, or to mean square 1.
template <class S>
Normed<S> Normalised(const Matrix<S>& x, NormKind kind, S epsilon, const MaybeColumn<S>& gamma,
                     const MaybeColumn<S>& beta) {
  const Column<S> ones = Column<S>::Ones(x.cols());
  const Column<S> zeros = Column<S>::Zero(x.cols());
  Normed<S> normed{Column<S>::Zero(x.rows()), Column<S>(x.rows()), Matrix<S>(x.rows(), x.cols())};
  if (kind == NormKind::kLayer) {
    RowMean<S>(x, normed.mean);
    RowVariance<S>(x, normed.mean, normed.variance);
    LayerNorm<S>(x, normed.mean, normed.variance, epsilon, gamma ? *gamma : ones, beta ? *beta : zeros, normed.out);
  } else {
    RowMeanSquare<S>(x, normed.variance);
    RmsNorm<S>(x, normed.variance, epsilon, gamma ? *gamma : ones, normed.out);
  }
  return normed;
}

// Columns h·d … h·d + d − 1 are head h (Vaswani et al. 2017, §3.2.2: W_Q of each head, side by side).
template <class S>
Heads<S> Split(const Matrix<S>& joined, Eigen::Index heads, Eigen::Index d) {
  Heads<S> split;
  for (Eigen::Index h = 0; h < heads; ++h) split.push_back(joined.middleCols(h * d, d));
  return split;
}

// Concat(head_1, …, head_h) (the same, §3.2.2).
template <class S>
Matrix<S> Join(const Heads<S>& heads) {
  Matrix<S> joined(heads[0].rows(), heads[0].cols() * Eigen::Index(heads.size()));
  for (std::size_t h = 0; h < heads.size(); ++h) {
    joined.middleCols(Eigen::Index(h) * heads[h].cols(), heads[h].cols()) = heads[h];
  }
  return joined;
}

// Rows of `past`, then `fresh`, then the extra ones: bias_k and bias_v, and zeros (PyTorch, MultiheadAttention).
template <class S>
Matrix<S> Lengthened(const Matrix<S>& past, const Matrix<S>& fresh, const MaybeColumn<S>& extra, bool zero,
                     Eigen::Index head) {
  const Eigen::Index d = fresh.cols();
  const Eigen::Index behind = past.rows() + fresh.rows();
  Matrix<S> all = Matrix<S>::Zero(behind + (extra ? 1 : 0) + (zero ? 1 : 0), d);
  all.topRows(past.rows()) = past;
  all.middleRows(past.rows(), fresh.rows()) = fresh;
  if (extra) all.row(behind) = extra->segment(head * d, d).transpose();
  return all;
}

// The first `turning` rows stand at positions `first`, `first` + 1, …; the others are not turned.
template <class S>
Matrix<S> Rotated(const Matrix<S>& in, const typename Given<S>::Rotary& rotary, Eigen::Index first,
                  Eigen::Index turning) {
  Matrix<S> out = in;
  const Matrix<S> rows = in.topRows(turning);
  const Matrix<S> cosines = rotary.cosines.middleRows(first, turning);
  const Matrix<S> sines = rotary.sines.middleRows(first, turning);
  Matrix<S> turned(turning, in.cols());
  Rotate<S>(rows, cosines, sines, rotary.halves, turned);
  out.topRows(turning) = turned;
  return out;
}

// From tokens (or given queries, keys and values) to what each head says, side by side (the same, §3.2.2). Neighbouring
// query heads share a key/value head (Ainslie et al., GQA, 2023, §2.2).
template <class S>
void MultiHead(const Given<S>& given, const Matrix<S>& asking, const Matrix<S>& answering, Block<S>& to) {
  const bool projects = given.to_queries.has_value();
  to.queries = projects ? Split<S>((*given.to_queries)(asking), given.heads, given.d_k) : given.queries;
  const Heads<S> keys = projects ? Split<S>((*given.to_keys)(answering), given.kv_heads, given.d_k) : given.keys;
  const Heads<S> values = projects ? Split<S>((*given.to_values)(answering), given.kv_heads, given.d_v) : given.values;
  Eigen::Index maskable = 0;
  for (Eigen::Index g = 0; g < given.kv_heads; ++g) {
    const auto at = std::size_t(g);
    maskable = given.past_keys[at].rows() + keys[at].rows();
    to.keys.push_back(Lengthened<S>(given.past_keys[at], keys[at], given.extra_key, given.zero_key, g));
    to.values.push_back(Lengthened<S>(given.past_values[at], values[at], given.extra_value, given.zero_key, g));
  }
  to.rotated_queries = to.queries;
  to.rotated_keys = to.keys;
  if (given.rotary) {
    // Positions turn queries and keys, so that a score depends on their distance (Su et al., RoFormer, 2021, §3.2).
    for (Matrix<S>& q : to.rotated_queries) q = Rotated<S>(q, *given.rotary, given.rotary->offset, q.rows());
    for (Matrix<S>& k : to.rotated_keys) k = Rotated<S>(k, *given.rotary, 0, maskable);
  }
  const Eigen::Index group = given.heads / given.kv_heads;
  for (Eigen::Index h = 0; h < given.heads; ++h) {
    const auto g = std::size_t(h / group);
    const Visible<S> visible = given.visible(h);
    const Matrix<S>& q = to.rotated_queries[std::size_t(h)];
    Stages<S> stages(q.rows(), to.keys[g].rows(), given.d_v);
    if (given.slopes) Alibi<S>((*given.slopes)(h), visible.offset, visible.maskable, stages.bias);
    Attend<S>(
        q, to.rotated_keys[g], to.values[g], given.soft,
        [&](Eigen::Index i, Eigen::Index j) { return visible.Blocked(i, j); },
        [&](Eigen::Index i, Eigen::Index j) { return visible.Added(i, j); }, stages);
    to.gated.push_back(stages.output * (given.gates ? (*given.gates)(h) : S(1)));
    to.head.push_back(std::move(stages));
  }
  to.concat = Join<S>(to.gated);
}

// activation(x·W₁ + b₁)·W₂ + b₂ (the same, §3.3).
template <class S>
Matrix<S> FeedForward(const Given<S>& given, const Matrix<S>& x, Block<S>& to) {
  to.hidden = (*given.expand)(x);
  to.activated = *to.hidden;
  if (given.activation == ActivationKind::kGelu) Gelu<S>(*to.hidden, *to.activated);
  if (given.activation == ActivationKind::kGeluTanh) GeluTanh<S>(*to.hidden, *to.activated);
  if (given.activation == ActivationKind::kRelu) Relu<S>(*to.hidden, *to.activated);
  to.expanded = (*given.contract)(*to.activated);
  return *to.expanded;
}

// One layer: x' = x + Attention(Norm(x)), x'' = x' + FeedForward(Norm(x')) with the norm in front (Xiong et al., On
// Layer Normalization in the Transformer Architecture, 2020, fig. 1b); Norm(x + Attention(x)) and so on with the norm
// behind (Vaswani et al. 2017, §3.1).
template <class S>
Block<S> Layer(const Given<S>& given) {
  Block<S> to;
  const bool normed = given.norm != NormKind::kNone;
  const auto sum = [](const Matrix<S>& a, const Matrix<S>& b) {
    Matrix<S> out(a.rows(), a.cols());
    Add<S>(a, b, out);
    return out;
  };
  const auto norm = [&](const Matrix<S>& x, std::optional<Normed<S>>& keep, const MaybeColumn<S>& gamma,
                        const MaybeColumn<S>& beta) {
    keep = Normalised<S>(x, given.norm, given.epsilon, gamma, beta);
    return keep->out;
  };

  Matrix<S> x = given.x;
  if (given.positions) x = *(to.positioned = sum(x, *given.positions));
  Matrix<S> asking = x;
  if (normed && given.norm_first) asking = norm(x, to.normed, given.gamma, given.beta);
  Matrix<S> answering = given.x_kv ? *given.x_kv : asking;
  if (given.positions_kv) answering = *(to.positioned_kv = sum(answering, *given.positions_kv));

  MultiHead<S>(given, asking, answering, to);
  Matrix<S> said = to.concat;
  if (given.out) said = *(to.projected = (*given.out)(said));
  if (given.residual) said = *(to.residual = sum(x, said));
  if (normed && !given.norm_first) said = norm(said, to.normed, given.gamma, given.beta);
  if (!given.expand) return to;

  Matrix<S> inside = said;
  if (normed && given.norm_first) inside = norm(said, to.normed_2, given.gamma_2, given.beta_2);
  inside = FeedForward<S>(given, inside, to);
  if (given.residual) inside = *(to.residual_2 = sum(said, inside));
  if (normed && !given.norm_first) norm(inside, to.normed_2, given.gamma_2, given.beta_2);
  return to;
}

}  // namespace loom::reference
