// The same computation in NumPy, with the line of the current stage lit, and the part of it that this stage is.

import { html, type TemplateResult } from "lit";
import type { Shares } from "./shares.ts";

/** What the program depends on. */
export interface CodeScene {
  readonly stage: string;
  readonly masked: boolean;
  readonly projects: boolean;
  readonly cross: boolean;
  /** The width under the root, or the factor. */
  readonly scale: { readonly width: number } | { readonly factor: number };
  readonly temperature: number;
  readonly heads: number;
  /** Some query may look at nothing; along columns, some key is seen by none. */
  readonly hasEmptyRows: boolean;
  /** Along which axis shares are taken; default "rows". */
  readonly along?: Shares["along"];
  /** The largest is taken away; default true. */
  readonly shift?: boolean;
  readonly label: string;
}

type Piece = readonly [text: string, ...stages: string[]];

/** A float32 has at most this many significant digits that say which one it is. */
const FLOAT_DIGITS = 9;

/** A float32 as a Python literal: the shortest that is read as the same float32. */
export function pythonNumber(value: number): string {
  for (let digits = 1; digits < FLOAT_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return String(short);
  }
  return String(Number(value.toPrecision(FLOAT_DIGITS)));
}

/** Q, K and V, and with several heads the blocks of their columns one behind another: [heads, rows, columns]. */
function sources({ projects, cross, heads }: CodeScene): Piece[][] {
  const kv = cross ? "X_kv" : "X";
  const made: Piece[] = [
    ["Q, K, V = "],
    ["X @ W_Q", "queries"],
    [", "],
    [`${kv} @ W_K`, "keys"],
    [", "],
    [`${kv} @ W_V`, "values"],
  ];
  const split: Piece[] = [
    ["Q, K, V = ("],
    [`m.reshape(len(m), ${heads}, -1).swapaxes(0, 1)`, "queries", "keys", "values"],
    [" for m in (Q, K, V))"],
  ];
  return [...(projects ? [made] : []), ...(heads > 1 ? [split] : [])];
}

/** The axis that a maximum or a sum runs along. */
function axisOf({ along, heads }: CodeScene): number {
  if (along === "columns") return heads > 1 ? -2 : 0;
  return heads > 1 ? -1 : 1;
}

/** The exponentials: at temperature 0 they are 1 for the largest of a row and 0 for all others. */
function exponentials(scene: CodeScene): Piece[] {
  const { masked, temperature, hasEmptyRows, shift = true } = scene;
  const from = masked ? "M" : "S";
  if (!shift) {
    const divided: Piece[] = temperature === 1 ? [] : [[` / ${pythonNumber(temperature)}`, "shifted", "exp"]];
    return [["E = "], ["np.exp(", "exp"], [from, "shifted", "exp"], ...divided, [")", "exp"]];
  }
  const largest: Piece = [`${from}.max(${axisOf(scene)}, keepdims=True)`, "rowmax", "shifted", "exp"];
  if (temperature === 0) {
    const equal: Piece[] = [["E = "], [`(${from} == `, "shifted", "exp"], largest, [")", "shifted", "exp"]];
    return hasEmptyRows ? [...equal, [` & (${from} > -np.inf)`, "exp"]] : equal;
  }
  const shifted: Piece[] = [[from, "shifted", "exp"], [" - ", "shifted", "exp"], largest];
  const divided: Piece[] =
    temperature === 1
      ? shifted
      : [["(", "shifted", "exp"], ...shifted, [`) / ${pythonNumber(temperature)}`, "shifted", "exp"]];
  return [["E = "], ["np.exp(", "exp"], ...divided, [")", "exp"]];
}

/** Shares of the exponentials, or without a softmax what is not blocked of the scores. */
function weights(scene: CodeScene): Piece[][] {
  const { masked, along, shift = true, hasEmptyRows } = scene;
  if (along === "none") return [[["A = "], [masked ? "np.where(allow, M, 0)" : "S", "weights"]]];
  const sum: Piece = [`E.sum(${axisOf(scene)}, keepdims=True)`, "rowsum", "weights"];
  // 0/0 is no number in NumPy; what may look at nothing has weights of 0. But ∞/∞ is to stay no number.
  const zeroed: Piece = [shift ? "np.nan_to_num(E / " : "np.where(E == 0, 0, E / ", "weights"];
  const divided: Piece[] = hasEmptyRows ? [zeroed, sum, [")", "weights"]] : [["E / ", "weights"], sum];
  return [exponentials(scene), [["A = "], ...divided]];
}

function lines(scene: CodeScene): Piece[][] {
  const { masked, scale, heads } = scene;
  const root: Piece =
    "width" in scale ? [` / np.sqrt(${scale.width})`, "scaled"] : [` * ${pythonNumber(scale.factor)}`, "scaled"];
  return [
    ...sources(scene),
    [["S = "], [heads > 1 ? "Q @ K.swapaxes(1, 2)" : "Q @ K.T", "scores"], root],
    ...(masked ? [[["M = "], ["np.where(allow, S, -np.inf)", "masked"]] satisfies Piece[]] : []),
    ...weights(scene),
    [["output = "], ["A @ V", "output"]],
    ...(heads > 1
      ? [[["concat = "], ["output.swapaxes(0, 1).reshape(Q.shape[1], -1)", "concat"]] satisfies Piece[]]
      : []),
  ];
}

/** The program as text. It needs `numpy as np`, and with a mask `allow`, true where a query may look at a key. */
export const codeText = (scene: CodeScene): string =>
  lines(scene)
    .map((line) => line.map(([text]) => text).join(""))
    .join("\n");

/** The program. */
export function codeView(scene: CodeScene): TemplateResult {
  return html`<pre class="code" dir="ltr" role="group" aria-label=${scene.label}><code>${lines(scene).map((line) => {
    const here = line.some(([, ...stages]) => stages.includes(scene.stage));
    const pieces = line.map(([text, ...stages]) => (stages.includes(scene.stage) ? html`<mark>${text}</mark>` : text));
    return html`<span class=${here ? "line here" : "line"}>${pieces}</span>`;
  })}</code></pre>`;
}
