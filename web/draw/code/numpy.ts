// The short program in NumPy. It needs `numpy as np`, and with a mask `allow`, true where a query may look at a key.

import { pythonNumber } from "./literal.ts";
import {
  axisOf,
  type CodeScene,
  exponentials,
  mixture,
  projections,
  type StepPrinter,
  unmasked,
  visible,
} from "./steps.ts";

/** Of a matrix the axes are 0 and 1. */
const axis = (scene: CodeScene) => axisOf(scene) + (scene.heads > 1 ? 0 : 2);

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
    exponentials(scene, `*.max(${axis(scene)}, keepdims=True)`, {
      exp: "np.exp",
      lowest: "-np.inf",
      number: pythonNumber,
    }),
  weights: (scene) => {
    const { masked, along, shift, hasEmptyRows } = scene;
    if (along === "none") return [["A = "], [masked ? "np.where(allow, M, 0)" : visible(scene), "weights"]];
    const sum = [`E.sum(${axis(scene)}, keepdims=True)`, "rowsum", "weights"] as const;
    // 0/0 is no number in NumPy; what may look at nothing has weights of 0. But ∞/∞ is to stay no number.
    const zeroed = shift ? "np.nan_to_num(E / " : "np.where(E == 0, 0, E / ";
    return hasEmptyRows ? [["A = "], [zeroed, "weights"], sum, [")", "weights"]] : [["A = "], ["E / ", "weights"], sum];
  },
  output: () => [["output = "], ["A @ V", "output"]],
  join: () => [["concat = "], ["output.swapaxes(0, 1).reshape(Q.shape[1], -1)", "concat"]],
  mix: mixture,
};
