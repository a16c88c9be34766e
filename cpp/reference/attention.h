// Scaled dot-product attention of one head, from top to bottom.
#pragma once

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

// Where the stages of one head go. All [n_q, n_k], but rowmax and rowsum [n_q], and output [n_q, d_v].
template <class S>
struct Stages {
  Out<S> scores;
  Out<S> scaled;
  Out<S> masked;
  ColumnOut<S> rowmax;
  Out<S> shifted;
  Out<S> exp;
  ColumnOut<S> rowsum;
  Out<S> weights;
  Out<S> output;
};

// Attention(Q, K, V) = softmax(Q·Kᵀ · scale + mask) · V, for queries [n_q, d_k], keys [n_k, d_k], values [n_k, d_v].
// `blocked(i, j)` tells whether query i may not look at key j; `add(i, j)` is added to the scaled score.
template <class S, class Blocked, class Add>
void Attend(const In<S>& queries, const In<S>& keys, const In<S>& values, S scale, const Blocked& blocked,
            const Add& add, S temperature, Stages<S>& to) {
  Scores<S>(queries, keys, to.scores);
  Scale<S>(to.scores, scale, to.scaled);
  Mask<S>(to.scaled, blocked, add, to.masked);
  RowMax<S>(to.masked, to.rowmax);
  Shift<S>(to.masked, to.rowmax, temperature, to.shifted);
  Exp<S>(to.shifted, to.exp);
  RowSum<S>(to.exp, to.rowsum);
  Divide<S>(to.exp, to.rowsum, to.weights);
  WeightedValues<S>(to.weights, values, blocked, to.output);
}

}  // namespace loom::reference
