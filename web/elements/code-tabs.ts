// The tabs above the program, and the button that copies it.

import { html, type TemplateResult } from "lit";
import { CODE_LANGUAGES, type CodeLanguage, languages } from "../draw/code/languages.ts";
import type { Strings } from "../strings/index.ts";
import { stopKey } from "./keys.ts";
import { takeIcons } from "./take-card.ts";

/** The tabs; `data-code` says of which language each is. */
export function codeTabs(strings: Strings, language: CodeLanguage): TemplateResult {
  const { title } = languages[language];
  const copy = strings.text("take.copy", { what: strings.text("take.lines", { name: title }) });
  return html`<div class="code-head"><div class="tabs" role="tablist" aria-label=${strings.text("code.label")}>${CODE_LANGUAGES.map(
    (name) => html`<button type="button" class="tab" role="tab" data-code=${name} aria-selected=${name === language}
          tabindex=${name === language ? 0 : -1}>${languages[name].title}</button>`,
  )}</div><button type="button" class="push quiet square" data-take="code" aria-label=${copy} title=${copy}>${takeIcons("copy")}</button></div>`;
}

/** The tab that a key leads to from the one that has the focus; nothing for other keys. In writing from the right the arrows change places. */
export function tabOf(event: KeyboardEvent, tab: HTMLElement, isMirrored: boolean): HTMLElement | undefined {
  const tabs = [...(tab.parentElement?.querySelectorAll<HTMLElement>(".tab") ?? [])];
  const order = isMirrored && event.key.startsWith("Arrow") ? tabs.reverse() : tabs;
  const to = stopKey(event, order.indexOf(tab), order.length);
  return to === undefined ? undefined : order[to];
}
