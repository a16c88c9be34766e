// The formula as MathML with the current part lit, and under it the formula of the stage. Colours by class, so they
// follow the theme.

import { html, type TemplateResult } from "lit";
import { partBiased } from "./formula-bias.ts";
import { wholeCapped } from "./formula-capped.ts";
import type { Shares } from "./shares.ts";

/** What the formula depends on. */
export interface FormulaScene {
  readonly stage: string;
  readonly masked: boolean;
  /** Keys and values come from words of their own. */
  readonly cross: boolean;
  /** The factor is 1/√d_k; if not, it is shown as s. */
  readonly root: boolean;
  /** τ; 1 where it is left out, and then it is not shown. */
  readonly temperature?: number;
  /** The scores are bent by a soft cap. */
  readonly isCapped?: boolean;
  /** Which biases there are, as the core names them. */
  readonly biases?: ReadonlySet<string> | undefined;
  /** Along which axis shares are taken; default "rows". */
  readonly along?: Shares["along"] | undefined;
  /** The largest is taken away; default true. */
  readonly shift?: boolean | undefined;
  readonly label: string;
}

const lit = (on: boolean, role = "") => `${role}${on ? " lit" : ""}`;
const shown = (on: boolean, look = "") => (on ? look : "off");
/** The index of what shares a sum: a query, or along columns a key. */
const lineOf = (along: FormulaScene["along"]) => (along === "columns" ? "j" : "i");

function whole({ stage, masked, root, along = "rows" }: FormulaScene): TemplateResult {
  const softmax = ["rowmax", "shifted", "exp", "rowsum", "weights"].includes(stage);
  const scaled = stage === "scaled";
  return html`<math display="block" class="whole"><mrow><mi class="word">Attention</mi><mo stretchy="false">(</mo
      ><mi class=${lit(stage === "queries", "m-q")}>Q</mi><mo>,</mo><mi class=${lit(stage === "keys", "m-k")}>K</mi><mo>,</mo
      ><mi class=${lit(stage === "values", "m-v")}>V</mi><mo stretchy="false">)</mo><mo>=</mo
      ><mrow class=${lit(stage === "output")}><mi class=${shown(along === "rows", lit(softmax, "word m-w"))}>softmax</mi><msub class=${shown(along === "columns", lit(softmax, "m-w"))}><mi class="word m-w">softmax</mi><mi>i</mi></msub><mrow><mo>(</mo
      ><mfrac class=${root ? "" : "off"}><mrow class=${lit(stage === "scores")}><mi class="m-q">Q</mi><msup><mi class="m-k">K</mi><mo>⊤</mo></msup></mrow
      ><msqrt class=${lit(scaled)}><msub><mi>d</mi><mi>k</mi></msub></msqrt></mfrac
      ><mrow class=${root ? "off" : ""}><mi class=${lit(scaled)}>s</mi><mrow class=${lit(stage === "scores")}><mi class="m-q">Q</mi><msup><mi class="m-k">K</mi><mo>⊤</mo></msup></mrow></mrow
      ><mrow class=${masked ? lit(stage === "masked") : "off"}><mo>+</mo><mi>M</mi></mrow><mo>)</mo></mrow
      ><mi class="m-v">V</mi></mrow></mrow></math>`;
}

/** The same with a temperature: 1/τ times what stands in the brackets, and at τ = 0 the limit. */
function wholeTau({ stage, masked, root, temperature, along = "rows" }: FormulaScene): TemplateResult {
  const softmax = ["rowmax", "shifted", "exp", "rowsum", "weights"].includes(stage);
  const scaled = stage === "scaled";
  return html`<math display="block" class="whole tau"><mrow><mi class="word">Attention</mi><mo stretchy="false">(</mo
      ><mi class=${lit(stage === "queries", "m-q")}>Q</mi><mo>,</mo><mi class=${lit(stage === "keys", "m-k")}>K</mi><mo>,</mo
      ><mi class=${lit(stage === "values", "m-v")}>V</mi><mo stretchy="false">)</mo><mo>=</mo
      ><mrow class=${temperature === 0 ? "" : "off"}><munder><mo movablelimits="false">lim</mo><mrow><mi>τ</mi><mo>→</mo><mn>0</mn></mrow></munder></mrow
      ><mrow class=${lit(stage === "output")}><mi class=${shown(along === "rows", lit(softmax, "word m-w"))}>softmax</mi><msub class=${shown(along === "columns", lit(softmax, "m-w"))}><mi class="word m-w">softmax</mi><mi>i</mi></msub><mrow><mo>(</mo><mfrac class=${lit(stage === "shifted")}><mn>1</mn><mi>τ</mi></mfrac><mrow><mo class=${masked ? "" : "off"}>(</mo
      ><mfrac class=${root ? "" : "off"}><mrow class=${lit(stage === "scores")}><mi class="m-q">Q</mi><msup><mi class="m-k">K</mi><mo>⊤</mo></msup></mrow
      ><msqrt class=${lit(scaled)}><msub><mi>d</mi><mi>k</mi></msub></msqrt></mfrac
      ><mrow class=${root ? "off" : ""}><mi class=${lit(scaled)}>s</mi><mrow class=${lit(stage === "scores")}><mi class="m-q">Q</mi><msup><mi class="m-k">K</mi><mo>⊤</mo></msup></mrow></mrow
      ><mrow class=${masked ? lit(stage === "masked") : "off"}><mo>+</mo><mi>M</mi></mrow><mo class=${masked ? "" : "off"}>)</mo></mrow><mo>)</mo></mrow
      ><mi class="m-v">V</mi></mrow></mrow></math>`;
}

/** The parts that a temperature changes. */
function partTau({ stage, temperature, along }: FormulaScene): TemplateResult | undefined {
  const line = lineOf(along);
  const limit = temperature === 0 ? "" : "off";
  if (stage === "shifted")
    return html`<math class="part" display="block"><mrow><mrow class=${limit}><munder><mo movablelimits="false">lim</mo><mrow><mi>τ</mi><mo>→</mo><mn>0</mn></mrow></munder></mrow><mfrac><mrow><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>−</mo><msub><mi>m</mi><mi>${line}</mi></msub></mrow><mi>τ</mi></mfrac></mrow></math>`;
  if (stage === "exp")
    return html`<math class="part" display="block"><mrow><msub><mi>e</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mrow class=${limit}><munder><mo movablelimits="false">lim</mo><mrow><mi>τ</mi><mo>→</mo><mn>0</mn></mrow></munder></mrow><mi>exp</mi><mrow><mo>(</mo><mfrac><mrow><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>−</mo><msub><mi>m</mi><mi>${line}</mi></msub></mrow><mi>τ</mi></mfrac><mo>)</mo></mrow></mrow></math>`;
  return undefined;
}

function part({ stage, cross, root, along }: FormulaScene): TemplateResult | undefined {
  const line = lineOf(along);
  const over = line === "i" ? "j" : "i";
  const source = cross
    ? html`<math class="part" display="block"><mrow><mi class="m-k">K</mi><mo>=</mo><msub><mi>X</mi><mi>kv</mi></msub><msub><mi class="m-k">W</mi><mi class="m-k">K</mi></msub></mrow></math>`
    : html`<math class="part" display="block"><mrow><mi class="m-k">K</mi><mo>=</mo><mi>X</mi><msub><mi class="m-k">W</mi><mi class="m-k">K</mi></msub></mrow></math>`;
  switch (stage) {
    case "queries":
      return html`<math class="part" display="block"><mrow><mi class="m-q">Q</mi><mo>=</mo><mi>X</mi><msub><mi class="m-q">W</mi><mi class="m-q">Q</mi></msub></mrow></math>`;
    case "keys":
      return source;
    case "values":
      return cross
        ? html`<math class="part" display="block"><mrow><mi class="m-v">V</mi><mo>=</mo><msub><mi>X</mi><mi>kv</mi></msub><msub><mi class="m-v">W</mi><mi class="m-v">V</mi></msub></mrow></math>`
        : html`<math class="part" display="block"><mrow><mi class="m-v">V</mi><mo>=</mo><mi>X</mi><msub><mi class="m-v">W</mi><mi class="m-v">V</mi></msub></mrow></math>`;
    case "scores":
      return html`<math class="part" display="block"><mrow><msub><mi>s</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><munder><mo movablelimits="false">∑</mo><mi>t</mi></munder><msub><mi class="m-q">q</mi><mrow><mi>i</mi><mi>t</mi></mrow></msub><msub><mi class="m-k">k</mi><mrow><mi>j</mi><mi>t</mi></mrow></msub></mrow></math>`;
    case "scaled":
      return root
        ? html`<math class="part" display="block"><mrow><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mfrac><msub><mi>s</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></mfrac></mrow></math>`
        : html`<math class="part" display="block"><mrow><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mi>s</mi><mo>·</mo><msub><mi>s</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub></mrow></math>`;
    case "capped":
      return html`<math class="part" display="block"><mrow><msub><mi>c</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mi>c</mi><mo>·</mo><mi>tanh</mi><mrow><mo>(</mo><mfrac><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mi>c</mi></mfrac><mo>)</mo></mrow></mrow></math>`;
    case "concat":
      return html`<math class="part" display="block"><mrow><mi class="m-o">O</mi><mo>=</mo><mo stretchy="false">[</mo><msub><mi class="m-o">O</mi><mn>1</mn></msub><mo>,</mo><mo>…</mo><mo>,</mo><msub><mi class="m-o">O</mi><mi>h</mi></msub><mo stretchy="false">]</mo></mrow></math>`;
    case "projected":
      return html`<math class="part" display="block"><mrow><mi class="m-o">O</mi><msub><mi class="m-o">W</mi><mi class="m-o">O</mi></msub></mrow></math>`;
    case "masked":
      return html`<math class="part" display="block"><mrow><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>+</mo><msub><mi>M</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>,</mo><msub><mi>M</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>∈</mo><mo stretchy="false">{</mo><mn>0</mn><mo>,</mo><mo form="prefix">−</mo><mi mathvariant="normal">∞</mi><mo stretchy="false">}</mo></mrow></math>`;
    case "rowmax":
      return html`<math class="part" display="block"><mrow><msub><mi>m</mi><mi>${line}</mi></msub><mo>=</mo><munder><mo movablelimits="false">max</mo><mi>${over}</mi></munder><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub></mrow></math>`;
    case "shifted":
      return html`<math class="part" display="block"><mrow><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>−</mo><msub><mi>m</mi><mi>${line}</mi></msub></mrow></math>`;
    case "exp":
      return html`<math class="part" display="block"><mrow><msub><mi>e</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mi>exp</mi><mo stretchy="false">(</mo><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>−</mo><msub><mi>m</mi><mi>${line}</mi></msub><mo stretchy="false">)</mo></mrow></math>`;
    case "rowsum":
      return html`<math class="part" display="block"><mrow><msub><mi>r</mi><mi>${line}</mi></msub><mo>=</mo><munder><mo movablelimits="false">∑</mo><mi>${over}</mi></munder><msub><mi>e</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub></mrow></math>`;
    case "weights":
      return html`<math class="part" display="block"><mrow><msub><mi class="m-w">a</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mfrac><msub><mi>e</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><msub><mi>r</mi><mi>${line}</mi></msub></mfrac></mrow></math>`;
    case "output":
      return html`<math class="part" display="block"><mrow><msub><mi>o</mi><mrow><mi>i</mi><mi>c</mi></mrow></msub><mo>=</mo><munder><mo movablelimits="false">∑</mo><mi>j</mi></munder><msub><mi class="m-w">a</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><msub><mi class="m-v">v</mi><mrow><mi>j</mi><mi>c</mi></mrow></msub></mrow></math>`;
  }
  return undefined;
}

/** The parts that are different where a step of the softmax is taken out. */
function partWithout({
  stage,
  masked,
  along,
  shift = true,
  temperature = 1,
}: FormulaScene): TemplateResult | undefined {
  if (stage === "weights" && along === "none") {
    return html`<math class="part" display="block"><mrow><msub><mi class="m-w">a</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mrow class=${shown(masked)}><mo>,</mo><mspace width="0.4em"></mspace><mo form="prefix">−</mo><mi mathvariant="normal">∞</mi><mo>→</mo><mn>0</mn></mrow></mrow></math>`;
  }
  if (shift || (stage !== "exp" && stage !== "shifted")) return undefined;
  const plain = shown(temperature === 1);
  const divided = shown(temperature !== 1);
  return stage === "shifted"
    ? html`<math class="part" display="block"><mfrac><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mi>τ</mi></mfrac></math>`
    : html`<math class="part" display="block"><mrow><msub><mi>e</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mi>exp</mi><mo stretchy="false" class=${plain}>(</mo><msub class=${plain}><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo stretchy="false" class=${plain}>)</mo><mrow class=${divided}><mo>(</mo><mfrac><msub><mi>z</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mi>τ</mi></mfrac><mo>)</mo></mrow></mrow></math>`;
}

/** The whole formula and the part that this stage is. */
export function formulaView(scene: FormulaScene): TemplateResult {
  const hasTau = (scene.temperature ?? 1) !== 1;
  return html`<div class="formula" dir="ltr" role="group" aria-label=${scene.label}>${
    scene.isCapped ? wholeCapped(scene) : hasTau ? wholeTau(scene) : whole(scene)
  }${partWithout(scene) ?? (hasTau ? partTau(scene) : undefined) ?? partBiased(scene) ?? part(scene)}</div>`;
}
