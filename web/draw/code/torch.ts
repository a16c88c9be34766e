// The short program in PyTorch. It needs `torch`, and with a mask `allow`, true where a query may look at a key.

import { pythonNumber } from "./literal.ts";
import { axisOf, exponentials, mixture, projections, type StepPrinter, unmasked, visible } from "./steps.ts";

export const torch: StepPrinter = {
  project: projections,
  // The blocks of columns one behind another: [heads, rows, columns].
  split: ({ heads }) => [
    ["Q, K, V = ("],
    [`m.unflatten(1, (${heads}, -1)).transpose(0, 1)`, "queries", "keys", "values"],
    [" for m in (Q, K, V))"],
  ],
  scores: ({ scale }) => [
    ["S = "],
    ["Q @ K.mT", "scores"],
    ["width" in scale ? ` / ${scale.width} ** 0.5` : ` * ${pythonNumber(scale.factor)}`, "scaled"],
  ],
  cap: ({ softCap = 1 }) => {
    const cap = pythonNumber(softCap);
    return [["C = "], [`${cap} * torch.tanh(S / ${cap})`, "capped"]];
  },
  mask: (scene) => [["M = "], [`${unmasked(scene)}.masked_fill(~allow, -torch.inf)`, "masked"]],
  exponentials: (scene) =>
    exponentials(scene, `*.amax(${axisOf(scene)}, keepdim=True)`, {
      exp: "torch.exp",
      lowest: "-torch.inf",
      number: pythonNumber,
    }),
  weights: (scene) => {
    const { masked, along, shift, hasEmptyRows } = scene;
    if (along === "none") return [["A = "], [masked ? "M.masked_fill(~allow, 0)" : visible(scene), "weights"]];
    const sum = [`E.sum(${axisOf(scene)}, keepdim=True)`, "rowsum", "weights"] as const;
    // 0/0 is no number; what may look at nothing has weights of 0. But ∞/∞ is to stay no number.
    const zeroed = shift ? "torch.nan_to_num(E / " : "torch.where(E == 0, 0.0, E / ";
    return hasEmptyRows ? [["A = "], [zeroed, "weights"], sum, [")", "weights"]] : [["A = "], ["E / ", "weights"], sum];
  },
  output: () => [["output = "], ["A @ V", "output"]],
  join: () => [["concat = "], ["output.transpose(0, 1).flatten(1)", "concat"]],
  mix: mixture,
};
