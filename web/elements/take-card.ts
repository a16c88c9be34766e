// The card of what can be taken away: numbers, programs, the formula, the figure.

import { html, type TemplateResult } from "lit";
import { type IconName, icon } from "../draw/icons.ts";
import type { MessageKey, Strings } from "../strings/index.ts";

/** What can be taken: what is copied and what is saved as a file. */
export type Taken = "tsv" | "csv" | "numpy" | "torch" | "cpp" | "latex" | "mathml" | "svg" | "png";

const groups: readonly (readonly [title: MessageKey, ...items: Taken[]])[] = [
  ["take.numbers", "tsv", "csv"],
  ["take.program", "numpy", "torch", "cpp"],
  ["take.formula", "latex", "mathml"],
  ["take.figure", "svg", "png"],
];

const files: ReadonlySet<Taken> = new Set<Taken>(["csv", "svg", "png"]);

/** Names that are the same in every language of the page. */
const titles: Readonly<Record<Taken, string>> = {
  tsv: "TSV",
  csv: "CSV",
  numpy: "NumPy",
  torch: "PyTorch",
  cpp: "C++",
  latex: "LaTeX",
  mathml: "MathML",
  svg: "SVG",
  png: "PNG",
};

/** What a button takes, in words: "Numbers of this stage, TSV". */
export function takenText(strings: Strings, what: Taken): string {
  const [group] = groups.find(([, ...items]) => items.includes(what)) ?? groups[0] ?? ["take.numbers"];
  return strings.text("take.what", { group: strings.text(group), name: titles[what] });
}

/** The sign of a button, and the one that takes its place when it is done. */
export const takeIcons = (name: IconName): TemplateResult =>
  html`<span class="signs">${icon(name)}<span class="done">${icon("check")}</span></span>`;

/** The card, closed. */
export const takeCard = (strings: Strings): TemplateResult =>
  html`<div class="card take" popover="auto" data-card="take" role="dialog" aria-label=${strings.text("take.title")}>
        <p class="heading">${strings.text("take.title")}</p>
        ${groups.map(
          ([title, ...items]) => html`<div class="taken" role="group" aria-label=${strings.text(title)}
            ><p aria-hidden="true">${strings.text(title)}</p><div>${items.map((what) => {
              const isFile = files.has(what);
              const name = strings.text(isFile ? "take.save" : "take.copy", { what: takenText(strings, what) });
              return html`<button type="button" class="push" data-take=${what} aria-label=${name}>${takeIcons(isFile ? "save" : "copy")}${titles[what]}</button>`;
            })}</div></div>`,
        )}
        <p>${strings.text("take.note")}</p><p class="said" aria-hidden="true"></p></div>`;
