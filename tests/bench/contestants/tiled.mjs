// Plain JavaScript written for speed: doubles in scratch that is kept, K and V of a head packed once, blocks of 4 rows,
// tiles of 4 rows × 2 columns in local variables (8 sums; V8 has 16 registers for them and their factors).

const ROWS = 4;

let scratch = { q: new Float64Array(0), k: new Float64Array(0), v: new Float64Array(0), p: new Float64Array(0) };

function reserve(tokens, d) {
  const padded = tokens + (tokens & 1);
  if (scratch.q.length >= ROWS * d && scratch.k.length >= padded * d && scratch.p.length >= ROWS * padded) return;
  scratch = {
    q: new Float64Array(ROWS * d),
    k: new Float64Array(padded * d),
    v: new Float64Array(padded * (d + (d & 1))),
    p: new Float64Array(ROWS * padded),
  };
}

/** Pairs of keys, their numbers alternating: [pair][t][2]. */
function packKeys(to, k, from, width, tokens, d) {
  for (let j = 0; j < tokens; j += 2) {
    const a = j * width + from;
    const b = j + 1 < tokens ? a + width : a;
    for (let t = 0, at = j * d; t < d; t++, at += 2) {
      to[at] = k[a + t];
      to[at + 1] = k[b + t];
    }
  }
}

/** Pairs of columns: [pair][token][2]. */
function packValues(to, v, from, width, tokens, d) {
  for (let c = 0; c < d; c += 2) {
    const second = c + 1 < d ? 1 : 0;
    for (let j = 0, at = c * tokens, value = from + c; j < tokens; j++, at += 2, value += width) {
      to[at] = v[value];
      to[at + 1] = v[value + second];
    }
  }
}

/** Sums of `count` products: 4 rows, interleaved in `left`, with 2 columns, interleaved in `right`. To p[at …]. */
function scoresTile(left, right, start, count, to, at) {
  let a0 = 0;
  let a1 = 0;
  let b0 = 0;
  let b1 = 0;
  let c0 = 0;
  let c1 = 0;
  let d0 = 0;
  let d1 = 0;
  for (let t = 0, l = 0, r = start; t < count; t++, l += 4, r += 2) {
    const x = right[r];
    const y = right[r + 1];
    const a = left[l];
    const b = left[l + 1];
    const c = left[l + 2];
    const d = left[l + 3];
    a0 += a * x;
    a1 += a * y;
    b0 += b * x;
    b1 += b * y;
    c0 += c * x;
    c1 += c * y;
    d0 += d * x;
    d1 += d * y;
  }
  to[at] = a0;
  to[at + 1] = b0;
  to[at + 2] = c0;
  to[at + 3] = d0;
  to[at + 4] = a1;
  to[at + 5] = b1;
  to[at + 6] = c1;
  to[at + 7] = d1;
}

const tile = new Float64Array(8);
const parts = new Float64Array(4);

function attend(q, k, v, heads, tokens, d, causal) {
  reserve(tokens, d);
  const { q: queries, k: keys, v: values, p: powers } = scratch;
  const width = heads * d;
  const scale = 1 / Math.sqrt(d);
  const output = new Float32Array(tokens * width);
  for (let h = 0; h < heads; h++) {
    const left = h * d;
    packKeys(keys, k, left, width, tokens, d);
    packValues(values, v, left, width, tokens, d);
    for (let i = 0; i < tokens; i += ROWS) {
      const rows = Math.min(ROWS, tokens - i);
      const seen = causal ? Math.min(tokens, i + rows) : tokens;
      for (let r = 0; r < ROWS; r++) {
        const query = (i + Math.min(r, rows - 1)) * width + left;
        for (let t = 0; t < d; t++) queries[t * ROWS + r] = q[query + t] * scale;
      }
      for (let j = 0; j < seen; j += 2) scoresTile(queries, keys, j * d, d, powers, j * ROWS);
      for (let r = 0; r < ROWS; r++) {
        const visible = causal ? Math.min(seen, i + r + 1) : seen;
        const end = visible * ROWS;
        let most = -Infinity;
        for (let at = r; at < end; at += ROWS) if (powers[at] > most) most = powers[at];
        let total = 0;
        for (let at = r; at < end; at += ROWS) {
          const power = Math.exp(powers[at] - most);
          powers[at] = power;
          total += power;
        }
        for (let at = end + r; at < seen * ROWS; at += ROWS) powers[at] = 0;
        parts[r] = 1 / total;
      }
      for (let c = 0; c < d; c += 2) {
        scoresTile(powers, values, c * tokens, seen, tile, 0);
        for (let r = 0; r < rows; r++) {
          const cell = (i + r) * width + left + c;
          output[cell] = tile[r] * parts[r];
          if (c + 1 < d) output[cell + 1] = tile[4 + r] * parts[r];
        }
      }
    }
  }
  return output;
}

/** @type {import("./index.mjs").Contestant} */
export const tiled = {
  name: "plain JS, tiled",
  kind: "plain",
  layout: "rows",
  prepare: ({ rows: { q, k, v }, heads, tokens, d, causal }) => ({
    run: () => attend(q, k, v, heads, tokens, d, causal),
  }),
};
