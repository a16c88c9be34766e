// The plain sequential loop in float32: one rounding after each multiplication and one after each addition, every sum
// from +0 in its natural order. The core promises these very bits. The exponential is the core's own polynomial, so the
// loop is handed the core's exp values and checks everything before and after them.

const f = Math.fround;

/** [rows, width]·[width, columns], terms ascending. */
export function product(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  rows: number,
  width: number,
  columns: number,
): Float32Array {
  const result = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < columns; c++) {
      let sum = 0;
      for (let t = 0; t < width; t++)
        sum = f(sum + f((left[i * width + t] as number) * (right[t * columns + c] as number)));
      result[i * columns + c] = sum;
    }
  }
  return result;
}

/** [n, h·d] → [h, n, d]. */
export function splitHeads(matrix: ArrayLike<number>, heads: number, n: number, d: number): Float32Array {
  const result = new Float32Array(heads * n * d);
  for (let g = 0; g < heads; g++)
    for (let i = 0; i < n; i++)
      for (let c = 0; c < d; c++) result[(g * n + i) * d + c] = matrix[i * heads * d + g * d + c] as number;
  return result;
}

/** [h, n, d] → [n, h·d]. */
export function joinHeads(stage: ArrayLike<number>, heads: number, n: number, d: number): Float32Array {
  const result = new Float32Array(heads * n * d);
  for (let g = 0; g < heads; g++)
    for (let i = 0; i < n; i++)
      for (let c = 0; c < d; c++) result[i * heads * d + g * d + c] = stage[(g * n + i) * d + c] as number;
  return result;
}

/** Sizes of one computation. */
export interface Sizes {
  readonly heads: number;
  readonly nQ: number;
  readonly nK: number;
  readonly dK: number;
  readonly dV: number;
}

/** What the plain loop needs beside queries, keys and values, which come per head: [h, n, d]. */
export interface PlainInput extends Sizes {
  readonly queries: ArrayLike<number>;
  readonly keys: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly scale: number;
  readonly temperature: number;
  /** May query i of head g look at key j? −∞ in the additive mask counts as no. */
  readonly visible: (g: number, i: number, j: number) => boolean;
  /** The number that the additive mask adds there, or undefined where there is no such mask. */
  readonly added: ((g: number, i: number, j: number) => number) | undefined;
  /** The core's exp values, [h, n_q, n_k]. */
  readonly exp: ArrayLike<number>;
  /** The core's capped scores, [h, n_q, n_k]: tanh is its own, too. */
  readonly capped?: ArrayLike<number> | undefined;
}

/** The stages as the plain loop computes them. `masked` equals `scaled` where nothing is masked. */
export interface PlainStages {
  readonly scores: Float32Array;
  readonly scaled: Float32Array;
  readonly masked: Float32Array;
  readonly rowmax: Float32Array;
  readonly shifted: Float32Array;
  readonly rowsum: Float32Array;
  readonly weights: Float32Array;
  /** [h, n_q, d_v] */
  readonly output: Float32Array;
}

/** Runs the loop. */
export function plainAttention(input: PlainInput): PlainStages {
  const { heads, nQ, nK, dK, dV, queries, keys, values, visible, added, exp, capped } = input;
  const scale = f(input.scale);
  const temperature = f(input.temperature);
  const cells = heads * nQ * nK;
  const scores = new Float32Array(cells);
  const scaled = new Float32Array(cells);
  const masked = new Float32Array(cells);
  const rowmax = new Float32Array(heads * nQ).fill(-Infinity);
  const shifted = new Float32Array(cells).fill(-Infinity);
  const rowsum = new Float32Array(heads * nQ);
  const weights = new Float32Array(cells);
  const output = new Float32Array(heads * nQ * dV);
  for (let g = 0; g < heads; g++) {
    for (let i = 0; i < nQ; i++) {
      const row = g * nQ + i;
      for (let j = 0; j < nK; j++) {
        const cell = row * nK + j;
        let sum = 0;
        for (let t = 0; t < dK; t++) {
          sum = f(sum + f((queries[row * dK + t] as number) * (keys[(g * nK + j) * dK + t] as number)));
        }
        scores[cell] = sum;
        scaled[cell] = f(sum * scale);
        if (visible(g, i, j)) {
          const before = (capped ?? scaled)[cell] as number;
          masked[cell] = added === undefined ? before : f(before + f(added(g, i, j)));
          rowmax[row] = Math.max(rowmax[row] as number, masked[cell] as number);
        } else {
          masked[cell] = -Infinity;
        }
      }
      let total = 0;
      for (let j = 0; j < nK; j++) {
        const cell = row * nK + j;
        if (!visible(g, i, j)) continue;
        shifted[cell] = f(f((masked[cell] as number) - (rowmax[row] as number)) / temperature);
        total = f(total + (exp[cell] as number));
      }
      rowsum[row] = total;
      for (let j = 0; j < nK; j++) {
        const cell = row * nK + j;
        weights[cell] = visible(g, i, j) ? f((exp[cell] as number) / total) : 0;
      }
      for (let c = 0; c < dV; c++) {
        let sum = 0;
        for (let j = 0; j < nK; j++) {
          if (!visible(g, i, j)) continue;
          sum = f(sum + f((weights[row * nK + j] as number) * (values[(g * nK + j) * dV + c] as number)));
        }
        output[row * dV + c] = sum;
      }
    }
  }
  return { scores, scaled, masked, rowmax, shifted, rowsum, weights, output };
}
