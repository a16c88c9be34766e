// The numbers that go in, and the truth that what comes out is held against.

import { mulberry32 } from "./random.mjs";

/**
 * One attention to compute. Queries, keys and values have the same sizes. Each is there in two layouts, as contestants
 * differ in what they take: `rows` [tokens, heads·d], all heads side by side, and `blocks` [heads, tokens, d].
 * @typedef {{ heads: number, tokens: number, d: number, causal: boolean, rows: Inputs, blocks: Inputs }} Task
 * @typedef {{ q: Float32Array, k: Float32Array, v: Float32Array }} Inputs
 */

/** 4·h·n·n·d: two products, a multiplication and an addition each; the same for causal, where half of them are needed. */
export const flops = (/** @type {{ heads: number, tokens: number, d: number }} */ { heads, tokens, d }) =>
  4 * heads * tokens * tokens * d;

/** Normally distributed numbers, mean 0 and variance 1 (Box and Muller 1958). */
export function normal(next, count) {
  const unit = () => (next() + 1) / 4294967297;
  return Float32Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit()));
}

/** From [tokens, heads·d] to [heads, tokens, d]. */
export function toBlocks(rows, { heads, tokens, d }) {
  const blocks = new rows.constructor(rows.length);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < tokens; i++) {
      const from = (i * heads + h) * d;
      blocks.set(rows.subarray(from, from + d), (h * tokens + i) * d);
    }
  }
  return blocks;
}

/** @returns {Task} always the same numbers for the same sizes */
export function makeTask({ heads, tokens, d, causal = false }) {
  const next = mulberry32(1);
  const size = { heads, tokens, d };
  const make = () => normal(next, heads * tokens * d);
  const rows = { q: make(), k: make(), v: make() };
  const blocks = { q: toBlocks(rows.q, size), k: toBlocks(rows.k, size), v: toBlocks(rows.v, size) };
  return { ...size, causal, rows, blocks };
}

/** softmax(Q·Kᵀ/√d)·V in double precision. @returns {Float64Array} [heads, tokens, d] */
export function truth({ heads, tokens, d, causal, blocks }) {
  const [q, k, v] = [blocks.q, blocks.k, blocks.v].map((data) => Float64Array.from(data));
  const output = new Float64Array(q.length);
  const powers = new Float64Array(tokens);
  for (let h = 0; h < heads; h++) {
    const top = h * tokens * d;
    for (let i = 0; i < tokens; i++) {
      const row = top + i * d;
      const seen = causal ? i + 1 : tokens;
      let most = Number.NEGATIVE_INFINITY;
      for (let j = 0; j < seen; j++) {
        let sum = 0;
        for (let t = 0, key = top + j * d; t < d; t++) sum += q[row + t] * k[key + t];
        powers[j] = sum / Math.sqrt(d);
        most = Math.max(most, powers[j]);
      }
      let total = 0;
      for (let j = 0; j < seen; j++) {
        powers[j] = Math.exp(powers[j] - most);
        total += powers[j];
      }
      for (let j = 0; j < seen; j++) {
        const weight = powers[j] / total;
        for (let c = 0, value = top + j * d; c < d; c++) output[row + c] += weight * v[value + c];
      }
    }
  }
  return output;
}

/** Largest |got − want| as a multiple of 1 + |want|; infinite for NaN or a wrong length. */
export function largestError(got, want) {
  if (got.length !== want.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < want.length; i++) {
    const off = Math.abs(got[i] - want[i]) / (1 + Math.abs(want[i]));
    if (Number.isNaN(off)) return Number.POSITIVE_INFINITY;
    if (off > most) most = off;
  }
  return most;
}
