// The same computation in NumPy, with the line of the current stage lit, and the part of it that this stage is.

import { html, type TemplateResult } from "lit";

/** What the program depends on. */
export interface CodeScene {
  readonly stage: string;
  readonly masked: boolean;
  readonly projects: boolean;
  readonly cross: boolean;
  /** The width under the root, or the factor. */
  readonly scale: { readonly width: number } | { readonly factor: number };
  readonly temperature: number;
  /** c of the soft cap, where there is one. */
  readonly softCap?: number | undefined;
  /** There is a W_O behind the heads. */
  readonly mixes?: boolean;
  /** Which biases there are, as the core names them. */
  readonly biases?: ReadonlySet<string>;
  readonly heads: number;
  /** Some query may look at nothing. */
  readonly hasEmptyRows: boolean;
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

/** " + b_Q" where there is that bias. */
const plus = ({ biases }: CodeScene, letter: "Q" | "K" | "V" | "O") =>
  biases?.has(`b${letter}`) ? ` + b_${letter}` : "";

/** Q, K and V, and with several heads the blocks of their columns one behind another: [heads, rows, columns]. */
function sources(scene: CodeScene): Piece[][] {
  const { projects, cross, heads } = scene;
  const kv = cross ? "X_kv" : "X";
  const made: Piece[] = [
    ["Q, K, V = "],
    [`X @ W_Q${plus(scene, "Q")}`, "queries"],
    [", "],
    [`${kv} @ W_K${plus(scene, "K")}`, "keys"],
    [", "],
    [`${kv} @ W_V${plus(scene, "V")}`, "values"],
  ];
  const split: Piece[] = [
    ["Q, K, V = ("],
    [`m.reshape(len(m), ${heads}, -1).swapaxes(0, 1)`, "queries", "keys", "values"],
    [" for m in (Q, K, V))"],
  ];
  return [...(projects ? [made] : []), ...(heads > 1 ? [split] : [])];
}

/** The exponentials: at temperature 0 they are 1 for the largest of a row and 0 for all others. */
function exponentials({ masked, softCap, temperature, heads, hasEmptyRows }: CodeScene): Piece[] {
  const from = masked ? "M" : softCap === undefined ? "S" : "C";
  const largest: Piece = [`${from}.max(${heads > 1 ? -1 : 1}, keepdims=True)`, "rowmax", "shifted", "exp"];
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

function lines(scene: CodeScene): Piece[][] {
  const { masked, scale, softCap, mixes, heads, hasEmptyRows } = scene;
  const root: Piece =
    "width" in scale ? [` / np.sqrt(${scale.width})`, "scaled"] : [` * ${pythonNumber(scale.factor)}`, "scaled"];
  const sum: Piece = [`E.sum(${heads > 1 ? -1 : 1}, keepdims=True)`, "rowsum", "weights"];
  // 0/0 is no number in NumPy; a row that may look at nothing has weights of 0.
  const weights: Piece[] = hasEmptyRows
    ? [["np.nan_to_num(E / ", "weights"], sum, [")", "weights"]]
    : [["E / ", "weights"], sum];
  return [
    ...sources(scene),
    [["S = "], [heads > 1 ? "Q @ K.swapaxes(1, 2)" : "Q @ K.T", "scores"], root],
    ...(softCap === undefined
      ? []
      : [[["C = "], [`${pythonNumber(softCap)} * np.tanh(S / ${pythonNumber(softCap)})`, "capped"]] satisfies Piece[]]),
    ...(masked
      ? [[["M = "], [`np.where(allow, ${softCap === undefined ? "S" : "C"}, -np.inf)`, "masked"]] satisfies Piece[]]
      : []),
    exponentials(scene),
    [["A = "], ...weights],
    [["output = "], ["A @ V", "output"]],
    ...(heads > 1
      ? [[["concat = "], ["output.swapaxes(0, 1).reshape(Q.shape[1], -1)", "concat"]] satisfies Piece[]]
      : []),
    ...(mixes
      ? [
          [
            ["projected = "],
            [heads > 1 ? "concat" : "output", "concat"],
            [` @ W_O${plus(scene, "O")}`, "projected"],
          ] satisfies Piece[],
        ]
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
