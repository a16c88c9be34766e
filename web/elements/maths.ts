// The formula and the program, side by side, each with the part lit that the frame is about.

import { html, type TemplateResult } from "lit";
import { type CodeLanguage, languages } from "../draw/code/languages.ts";
import { loopValues } from "../draw/code/place.ts";
import { guardsOf, recipeOf } from "../draw/code/recipe.ts";
import type { CodeScene } from "../draw/code/steps.ts";
import { type CodePicture, codeView } from "../draw/code/view.ts";
import { formulaView } from "../draw/formula.ts";
import { type Scene, sceneScale } from "../draw/scene.ts";
import { sharesOf } from "../draw/shares.ts";
import { hasEmptyLines } from "../draw/view.ts";
import { codeTabs } from "./code-tabs.ts";

/** What the short programs of a scene depend on. */
export function codeSceneOf(scene: Scene): CodeScene {
  const { numbers, self } = scene;
  const { scale, temperature, stages, heads } = numbers.trace;
  const { width } = sceneScale(scene);
  return {
    masked: numbers.has("masked"),
    cross: !self,
    projects: stages.includes("queries"),
    scale: width === undefined ? { factor: scale } : { width },
    temperature,
    softCap: numbers.has("capped") ? recipeOf(numbers, "capped").constant : undefined,
    mixes: numbers.has("projected"),
    biases: new Set(numbers.trace.inputs.filter((name) => /^b[QKVO]$/.test(name))),
    heads,
    hasEmptyRows: hasEmptyLines(numbers),
    ...sharesOf(numbers),
  };
}

/** The program of a scene. */
export function codePictureOf(scene: Scene, language: CodeLanguage): CodePicture {
  const { numbers, cursor, tokensQ, tokensKv } = scene;
  const guards = guardsOf(numbers);
  const code = codeSceneOf(scene);
  const linesOf = (stage: string) => languages[language].lines(code, recipeOf(numbers, stage, guards));
  const recipe = recipeOf(numbers, cursor.stage, guards);
  return {
    language,
    lines: linesOf(cursor.stage),
    stage: cursor.stage,
    place: loopValues(recipe, cursor, { q: tokensQ, kv: tokensKv }),
    most: Math.max(...numbers.trace.stages.map((stage) => linesOf(stage).length)),
  };
}

/** The band with both. */
export function mathsBand(scene: Scene, language: CodeLanguage): TemplateResult {
  const { strings, cursor } = scene;
  const label = strings.text("formula.label");
  const { masked, cross, scale, temperature, softCap, biases, along, shift } = codeSceneOf(scene);
  const root = "width" in scale;
  return html`<div class="band maths"><div><p class="small-title">${label}</p>
        ${formulaView({ stage: cursor.stage, masked, cross, root, temperature, isCapped: softCap !== undefined, biases, along, shift, label })}<div class="formula-parts" role="group" aria-label=${label}></div></div>
      <div><div>${codeTabs(strings, language)}${codeView(codePictureOf(scene, language))}</div></div></div>`;
}
