// The formula and the program, side by side, each with the part lit that the frame is about.

import { html, type TemplateResult } from "lit";
import { type CodeScene, codeView } from "../draw/code.ts";
import { formulaView } from "../draw/formula.ts";
import { type Scene, sceneScale } from "../draw/scene.ts";
import { sharesOf } from "../draw/shares.ts";
import { hasEmptyLines } from "../draw/view.ts";

/** What the program of a scene depends on. */
export function codeSceneOf(scene: Scene): CodeScene {
  const { strings, cursor, numbers, self } = scene;
  const { scale, temperature, stages, heads } = numbers.trace;
  const { width } = sceneScale(scene);
  return {
    stage: cursor.stage,
    masked: numbers.has("masked"),
    cross: !self,
    projects: stages.includes("queries"),
    scale: width === undefined ? { factor: scale } : { width },
    temperature,
    heads,
    hasEmptyRows: hasEmptyLines(numbers),
    ...sharesOf(numbers),
    label: strings.text("code.label"),
  };
}

/** The band with both. */
export function mathsBand(scene: Scene): TemplateResult {
  const label = scene.strings.text("formula.label");
  const code = codeSceneOf(scene);
  const { stage, masked, cross, temperature, along, shift } = code;
  const root = "width" in code.scale;
  return html`<div class="band maths"><div><p class="small-title">${label}</p>
        ${formulaView({ stage, masked, cross, root, temperature, along, shift, label })}</div>
      <div><div><p class="small-title">${code.label}</p>${codeView(code)}</div></div></div>`;
}
