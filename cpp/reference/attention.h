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
#include "reference/unmask.h"
#include "reference/weighted_values.h"

namespace loom::reference {

// The stages of one head. All [n_q, n_k], but rowmax and rowsum [n_q], along columns [n_k], and output [n_q, d_v].
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

// Whose shares sum to 1: those of a query, those of a key, or nobody's.
enum class Along { kRows, kColumns, kNothing };

// What turns a score into a weight: its factor, the soft cap (0: none), the temperature, and how shares are taken.
template <class S>
struct Softness {
  S scale = 1;
  S cap = 0;
  S temperature = 1;
  Along along = Along::kRows;
  bool shift = true;  // the largest is subtracted before e^x
};

// softmax(in / temperature) of each row (Vaswani et al. 2017, eq. 1). Without the shift e^x overflows where x is large.
template <class S>
void Softmax(const Matrix<S>& in, const Softness<S>& soft, Column<S>& rowmax, Matrix<S>& shifted, Matrix<S>& exp,
             Column<S>& rowsum, Matrix<S>& weights) {
  if (soft.shift) {
    RowMax<S>(in, rowmax);
    Shift<S>(in, rowmax, soft.temperature, shifted);
  } else {
    shifted = in / soft.temperature;
  }
  Exp<S>(shifted, exp);
  RowSum<S>(exp, rowsum);
  Divide<S>(exp, rowsum, weights);
}

// The softmax along the wrong axis: each column sums to 1, a row to whatever comes of it. What is said of rows above
// holds for columns.
template <class S>
void SoftmaxOfColumns(const Matrix<S>& in, const Softness<S>& soft, Column<S>& max, Matrix<S>& shifted, Matrix<S>& exp,
                      Column<S>& sum, Matrix<S>& weights) {
  const Matrix<S> turned = in.transpose();
  Matrix<S> turned_shifted = turned, turned_exp = turned, turned_weights = turned;
  max.resize(turned.rows());
  sum.resize(turned.rows());
  Softmax<S>(turned, soft, max, turned_shifted, turned_exp, sum, turned_weights);
  shifted = turned_shifted.transpose();
  exp = turned_exp.transpose();
  weights = turned_weights.transpose();
}

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
  switch (soft.along) {
    case Along::kRows:
      Softmax<S>(to.masked, soft, to.rowmax, to.shifted, to.exp, to.rowsum, to.weights);
      break;
    case Along::kColumns:
      SoftmaxOfColumns<S>(to.masked, soft, to.rowmax, to.shifted, to.exp, to.rowsum, to.weights);
      break;
    case Along::kNothing:
      Unmask<S>(to.masked, blocked, to.weights);
      break;
  }
  WeightedValues<S>(to.weights, values, blocked, to.output);
}

}  // namespace loom::reference
