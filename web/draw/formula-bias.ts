// The formulas of the stages that add a bias: each row of the product has b added to it.

import { html, type TemplateResult } from "lit";
import type { FormulaScene } from "./formula.ts";

const LETTERS = { queries: "Q", keys: "K", values: "V", projected: "O" } as const;
const ROLES = { Q: "m-q", K: "m-k", V: "m-v", O: "m-o" } as const;

/** The formula of the stage with its bias; nothing where it adds none. */
export function partBiased({ stage, cross, biases }: FormulaScene): TemplateResult | undefined {
  const letter = Object.hasOwn(LETTERS, stage) ? LETTERS[stage as keyof typeof LETTERS] : undefined;
  if (!letter || !biases?.has(`b${letter}`)) return undefined;
  const role = ROLES[letter];
  if (letter === "O")
    return html`<math class="part" display="block"><mrow><mi class="m-o">O</mi><msub><mi class="m-o">W</mi><mi class="m-o">O</mi></msub><mo>+</mo><msub><mi class="m-o">b</mi><mi class="m-o">O</mi></msub></mrow></math>`;
  const isOther = cross && letter !== "Q";
  return html`<math class="part" display="block"><mrow><mi class=${role}>${letter}</mi><mo>=</mo><mi class=${isOther ? "off" : ""}>X</mi
      ><msub class=${isOther ? "" : "off"}><mi>X</mi><mi>kv</mi></msub><msub><mi class=${role}>W</mi><mi class=${role}>${letter}</mi></msub><mo>+</mo
      ><msub><mi class=${role}>b</mi><mi class=${role}>${letter}</mi></msub></mrow></math>`;
}
