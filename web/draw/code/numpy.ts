// The short program in NumPy. It needs `numpy as np`, and with a mask `allow`, true where a query may look at a key.

import { pythonNumber } from "./literal.ts";
import { exponentials, mixture, projections, type StepPrinter, unmasked } from "./steps.ts";

const lastAxis = (heads: number) => (heads > 1 ? "-1" : "1");

export const numpy: StepPrinter = {
  project: projections,
  // The blocks of columns one behind another: [heads, rows, columns].
  split: ({ heads }) => [
    ["Q, K, V = ("],
    [`m.reshape(len(m), ${heads}, -1).swapaxes(0, 1)`, "queries", "keys", "values"],
    [" for m in (Q, K, V))"],
  ],
  scores: ({ heads, scale }) => [
    ["S = "],
    [heads > 1 ? "Q @ K.swapaxes(1, 2)" : "Q @ K.T", "scores"],
    ["width" in scale ? ` / np.sqrt(${scale.width})` : ` * ${pythonNumber(scale.factor)}`, "scaled"],
  ],
  cap: ({ softCap = 1 }) => {
    const cap = pythonNumber(softCap);
    return [["C = "], [`${cap} * np.tanh(S / ${cap})`, "capped"]];
  },
  mask: (scene) => [["M = "], [`np.where(allow, ${unmasked(scene)}, -np.inf)`, "masked"]],
  exponentials: (scene) =>
    exponentials(scene, `*.max(${lastAxis(scene.heads)}, keepdims=True)`, {
      exp: "np.exp",
      lowest: "-np.inf",
      number: pythonNumber,
    }),
  weights: ({ heads, hasEmptyRows }) => {
    const sum = [`E.sum(${lastAxis(heads)}, keepdims=True)`, "rowsum", "weights"] as const;
    // 0/0 is no number in NumPy; a row that may look at nothing has weights of 0.
    return hasEmptyRows
      ? [["A = "], ["np.nan_to_num(E / ", "weights"], sum, [")", "weights"]]
      : [["A = "], ["E / ", "weights"], sum];
  },
  output: () => [["output = "], ["A @ V", "output"]],
  join: () => [["concat = "], ["output.swapaxes(0, 1).reshape(Q.shape[1], -1)", "concat"]],
  mix: mixture,
};
