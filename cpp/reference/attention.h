// Scaled dot-product attention of one head, from top to bottom.
#pragma once

#include "reference/cap.h"
#include "reference/divide.h"
#include "reference/exp.h"
#include "reference/mask.h"
#include "reference/matmul.h"
#include "reference/rowmax.h"
#include "reference/rowsum.h"
#include "reference/scale.h"
#include "reference/shift.h"
#include "reference/weighted_values.h"

namespace loom::reference {

// The stages of one head. All [n_q, n_k], but rowmax and rowsum [n_q], and output [n_q, d_v].
template <class S>
struct Stages {
  Matrix<S> scores, scaled, capped, bias, masked;
  Column<S> rowmax;
  Matrix<S> shifted, exp;
  Column<S> rowsum;
  Matrix<S> weights, output;

  Stages(Eigen::Index n_q, Eigen::Index n_k, Eigen::Index d_v)
      : scores(n_q, n_k),
        scaled(n_q, n_k),
        capped(n_q, n_k),
        bias(Matrix<S>::Zero(n_q, n_k)),
        masked(n_q, n_k),
        rowmax(n_q),
        shifted(n_q, n_k),
        exp(n_q, n_k),
        rowsum(n_q),
        weights(n_q, n_k),
        output(n_q, d_v) {}
};

// What turns a score into an exponent: its factor, the soft cap (0: none) and the temperature.
template <class S>
struct Softness {
  S scale = 1;
  S cap = 0;
  S temperature = 1;
};

// Attention(Q, K, V) = softmax(mask(cap(Q·Kᵀ · scale) + bias) / temperature) · V, for queries [n_q, d_k], keys [n_k,
// d_k], values [n_k, d_v] (Vaswani et al. 2017, eq. 1). `to.bias` is there before; `blocked(i, j)` tells whether query
// i may not look at key j; `add(i, j)` is added to the score.
template <class S, class Blocked, class Add>
void Attend(const In<S>& queries, const In<S>& keys, const In<S>& values, const Softness<S>& soft,
            const Blocked& blocked, const Add& add, Stages<S>& to) {
  Scores<S>(queries, keys, to.scores);
  Scale<S>(to.scores, soft.scale, to.scaled);
  to.capped = to.scaled;
  if (soft.cap > 0) Cap<S>(to.scaled, soft.cap, to.capped);
  Mask<S>(
      to.capped, blocked, [&](Eigen::Index i, Eigen::Index j) { return to.bias(i, j) + add(i, j); }, to.masked);
  RowMax<S>(to.masked, to.rowmax);
  Shift<S>(to.masked, to.rowmax, soft.temperature, to.shifted);
  Exp<S>(to.shifted, to.exp);
  RowSum<S>(to.exp, to.rowsum);
  Divide<S>(to.exp, to.rowsum, to.weights);
  WeightedValues<S>(to.weights, values, blocked, to.output);
}

}  // namespace loom::reference
