// Pitfall K05: a yes/no mask whose sense is easily inverted. What the installed package must answer.

/** A program that computes K05 with `loadLoom` in scope as `loom` and leaves plain numbers in `result`. */
export const k05Program = `
const loom = await loadLoom();
const { output, trace } = loom.attend({
  q: [[1, 0], [0, 1]],
  k: [[1, 0], [0, 1]],
  v: [[1, 2], [3, 4]],
  allow: [[true, false], [true, true]],
  trace: true,
});
const result = { weights: [...trace.stage("weights").data], output: [...output.data] };
loom.dispose();
`;

export const k05Weights = [1, 0, 0.3302385, 0.6697615];
export const k05Output = [1, 2, 2.3395231, 3.3395231];

/** Whether each number lies within the tolerance that the house rules state for numbers of this size. */
export const areClose = (got: readonly number[], expected: readonly number[]): boolean =>
  got.length === expected.length &&
  expected.every((value, i) => Math.abs((got[i] ?? Number.NaN) - value) <= 2e-6 * (1 + Math.abs(value)));
