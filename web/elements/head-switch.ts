// Which head is on view, where there is more than one.

import { html, nothing, type TemplateResult } from "lit";
import type { Scene } from "../draw/scene.ts";
import type { Desk } from "./desk.ts";

/** One radio button per head. */
export function headSwitch(desk: Desk, { strings, cursor, numbers }: Scene): TemplateResult | typeof nothing {
  const { heads } = numbers.trace;
  if (heads < 2) return nothing;
  const label = strings.text("control.head");
  return html`<div class="heads" role="radiogroup" aria-label=${label}><span>${label}</span><span class="levels">${Array.from(
    { length: heads },
    (_, head) => html`<label><input type="radio" name="head" value=${head} .checked=${head === cursor.head}
        @change=${() => desk.act({ type: "head", head })} />${head + 1}</label>`,
  )}</span></div>`;
}
