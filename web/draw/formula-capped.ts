// The whole formula with a soft cap: the scaled scores go through c · tanh(… / c) before the mask.

import { html, type TemplateResult } from "lit";
import type { FormulaScene } from "./formula.ts";

const lit = (on: boolean, role = "") => `${role}${on ? " lit" : ""}`;
const only = (on: boolean, look = "") => (on ? look : "off");

/** Attention with a soft cap, and with a temperature where there is one. */
export function wholeCapped({ stage, masked, root, temperature = 1 }: FormulaScene): TemplateResult {
  const softmax = ["rowmax", "shifted", "exp", "rowsum", "weights"].includes(stage);
  const scaled = stage === "scaled";
  const capped = stage === "capped";
  const scores = lit(stage === "scores");
  const tau = temperature !== 1;
  return html`<math display="block" class="whole capped${tau ? " tau" : ""}"><mrow><mi class="word">Attention</mi><mo stretchy="false">(</mo
      ><mi class=${lit(stage === "queries", "m-q")}>Q</mi><mo>,</mo><mi class=${lit(stage === "keys", "m-k")}>K</mi><mo>,</mo
      ><mi class=${lit(stage === "values", "m-v")}>V</mi><mo stretchy="false">)</mo><mo>=</mo
      ><mrow class=${only(temperature === 0)}><munder><mo movablelimits="false">lim</mo><mrow><mi>τ</mi><mo>→</mo><mn>0</mn></mrow></munder></mrow
      ><mrow class=${lit(stage === "output")}><mi class=${lit(softmax, "word m-w")}>softmax</mi><mrow><mo>(</mo
      ><mfrac class=${only(tau, lit(stage === "shifted"))}><mn>1</mn><mi>τ</mi></mfrac><mrow><mo class=${only(tau && masked)}>(</mo
      ><mrow class=${lit(capped)}><mi>c</mi><mo>·</mo><mi>tanh</mi></mrow><mrow><mo>(</mo
      ><mfrac class=${only(root)}><mrow class=${scores}><mi class="m-q">Q</mi><msup><mi class="m-k">K</mi><mo>⊤</mo></msup></mrow
      ><mrow><mi class=${lit(capped)}>c</mi><msqrt class=${lit(scaled)}><msub><mi>d</mi><mi>k</mi></msub></msqrt></mrow></mfrac
      ><mfrac class=${only(!root)}><mrow><mi class=${lit(scaled)}>s</mi><mrow class=${scores}><mi class="m-q">Q</mi><msup><mi class="m-k">K</mi><mo>⊤</mo></msup></mrow></mrow
      ><mi class=${lit(capped)}>c</mi></mfrac><mo>)</mo></mrow
      ><mrow class=${only(masked, lit(stage === "masked"))}><mo>+</mo><mi>M</mi></mrow><mo class=${only(tau && masked)}>)</mo></mrow><mo>)</mo></mrow
      ><mi class="m-v">V</mi></mrow></mrow></math>`;
}
