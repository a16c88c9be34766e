// Every product of attention: rows of the left factor ask, columns of the right one answer.
#pragma once

#include "reference/matrices.h"

namespace loom::reference {

// out = left · right, for left [n, d], right [d, m].
// Queries = X·W_Q, keys = X·W_K, values = X·W_V, output = weights·V (Vaswani et al., Attention Is All You Need, 2017,
// §3.2).
template <class S>
void Matmul(const In<S>& left, const In<S>& right, Out<S> out) {
  out = left.lazyProduct(right);
}

// scores = Q·Kᵀ, for queries [n_q, d], keys [n_k, d] (the same, §3.2.1).
template <class S>
void Scores(const In<S>& queries, const In<S>& keys, Out<S> scores) {
  scores = queries.lazyProduct(keys.transpose());
}

}  // namespace loom::reference
