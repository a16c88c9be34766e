// The same computation in NumPy, with the line of the current stage lit, and the part of it that this stage is.

import { html, type TemplateResult } from "lit";

/** What the program depends on. */
export interface CodeScene {
  readonly stage: string;
  readonly masked: boolean;
  readonly projects: boolean;
  readonly cross: boolean;
  /** The width under the root, or the factor as text. */
  readonly scale: { readonly width: number } | { readonly factor: string };
  readonly temperature: string;
  readonly label: string;
}

type Piece = readonly [text: string, ...stages: string[]];

function lines({ masked, projects, cross, scale, temperature }: CodeScene): Piece[][] {
  const kv = cross ? "X_kv" : "X";
  const root: Piece =
    "width" in scale ? [` / np.sqrt(${scale.width})`, "scaled"] : [` * ${scale.factor.replace("−", "-")}`, "scaled"];
  const from = masked ? "M" : "S";
  const shifted: Piece[] = [
    [from, "shifted", "exp"],
    [" - ", "shifted", "exp"],
    [`${from}.max(1, keepdims=True)`, "rowmax", "shifted", "exp"],
  ];
  const exp: Piece[] =
    temperature === "1" ? shifted : [["(", "shifted", "exp"], ...shifted, [`) / ${temperature}`, "shifted", "exp"]];
  return [
    ...(projects
      ? [
          [
            ["Q, K, V = "],
            ["X @ W_Q", "queries"],
            [", "],
            [`${kv} @ W_K`, "keys"],
            [", "],
            [`${kv} @ W_V`, "values"],
          ] satisfies Piece[],
        ]
      : []),
    [["S = "], ["Q @ K.T", "scores"], root],
    ...(masked ? [[["M = "], ["np.where(allow, S, -np.inf)", "masked"]] satisfies Piece[]] : []),
    [["E = "], ["np.exp(", "exp"], ...exp, [")", "exp"]],
    [["A = "], ["E / ", "weights"], ["E.sum(1, keepdims=True)", "rowsum", "weights"]],
    [["output = "], ["A @ V", "output"]],
  ];
}

/** The program. */
export function codeView(scene: CodeScene): TemplateResult {
  return html`<pre class="code" dir="ltr" role="group" aria-label=${scene.label}><code>${lines(scene).map((line) => {
    const here = line.some(([, ...stages]) => stages.includes(scene.stage));
    const pieces = line.map(([text, ...stages]) => (stages.includes(scene.stage) ? html`<mark>${text}</mark>` : text));
    return html`<span class=${here ? "line here" : "line"}>${pieces}</span>`;
  })}</code></pre>`;
}
