// The formulas of the stages that add a bias: each row of the product has b added to it.

import { html, type TemplateResult } from "lit";
import type { FormulaScene } from "./formula.ts";

const FACTORS = {
  queries: { role: "m-q", letter: "Q", source: "q" },
  keys: { role: "m-k", letter: "K", source: "kv" },
  values: { role: "m-v", letter: "V", source: "kv" },
  projected: { role: "m-o", letter: "O", source: "o" },
} as const;

/** The formula of the stage with its bias; nothing where it adds none. */
export function partBiased({ stage, cross, biases }: FormulaScene): TemplateResult | undefined {
  const known = Object.hasOwn(FACTORS, stage) ? FACTORS[stage as keyof typeof FACTORS] : undefined;
  if (!known || !biases?.has(`b${known.letter}`)) return undefined;
  const { role, letter, source } = known;
  const factor =
    source === "o"
      ? html`<mi class="m-o">O</mi>`
      : source === "kv" && cross
        ? html`<msub><mi>X</mi><mi>kv</mi></msub>`
        : html`<mi>X</mi>`;
  const name = source === "o" ? "" : html`<mi class=${role}>${letter}</mi><mo>=</mo>`;
  return html`<math class="part" display="block"><mrow>${name}${factor}<msub><mi class=${role}>W</mi><mi class=${role}>${letter}</mi></msub><mo>+</mo><msub><mi class=${role}>b</mi><mi class=${role}>${letter}</mi></msub></mrow></math>`;
}
