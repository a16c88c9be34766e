// Attention as one writes it first: four loops and three arrays. Heads side by side, as the inputs come.

function attend(q, k, v, heads, tokens, d, causal) {
  const width = heads * d;
  const output = new Float32Array(tokens * width);
  const scale = 1 / Math.sqrt(d);
  const weights = new Array(tokens).fill(0);
  for (let h = 0; h < heads; h++) {
    const left = h * d;
    for (let i = 0; i < tokens; i++) {
      const seen = causal ? i + 1 : tokens;
      const query = i * width + left;
      let most = -Infinity;
      for (let j = 0; j < seen; j++) {
        const key = j * width + left;
        let sum = 0;
        for (let t = 0; t < d; t++) sum += q[query + t] * k[key + t];
        weights[j] = sum * scale;
        if (weights[j] > most) most = weights[j];
      }
      let total = 0;
      for (let j = 0; j < seen; j++) {
        weights[j] = Math.exp(weights[j] - most);
        total += weights[j];
      }
      for (let c = 0; c < d; c++) {
        let sum = 0;
        for (let j = 0; j < seen; j++) sum += weights[j] * v[j * width + left + c];
        output[query + c] = sum / total;
      }
    }
  }
  return output;
}

/** @type {import("./index.mjs").Contestant} */
export const naive = {
  name: "plain JS, naive",
  kind: "plain",
  layout: "rows",
  prepare: ({ rows: { q, k, v }, heads, tokens, d, causal }) => ({
    run: () => attend(q, k, v, heads, tokens, d, causal),
  }),
};
