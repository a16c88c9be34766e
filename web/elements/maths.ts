// The formula and the program, side by side, each with the part lit that the frame is about.

import { html, type TemplateResult } from "lit";
import { codeView } from "../draw/code.ts";
import { formulaView } from "../draw/formula.ts";
import { formatAlone } from "../draw/number.ts";
import { type Scene, sceneScale } from "../draw/scene.ts";

/** The band with both. */
export function mathsBand(scene: Scene): TemplateResult {
  const { strings, cursor, numbers, self } = scene;
  const { scale, temperature, stages } = numbers.trace;
  const { width } = sceneScale(scene);
  const formula = strings.text("formula.label");
  const code = strings.text("code.label");
  const shared = { stage: cursor.stage, masked: numbers.has("masked"), cross: !self };
  return html`<div class="band maths"><div><p class="small-title">${formula}</p>
        ${formulaView({ ...shared, root: width !== undefined, label: formula })}</div>
      <div><div><p class="small-title">${code}</p>${codeView({
        ...shared,
        projects: stages.includes("queries"),
        scale: width === undefined ? { factor: formatAlone(scale) } : { width },
        temperature: formatAlone(temperature),
        label: code,
      })}</div></div></div>`;
}
