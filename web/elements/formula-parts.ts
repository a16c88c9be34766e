// The parts of the formula: which stages each of its symbols stands for, read off the drawn MathML, and a button for each
// part. Nothing inside a formula can have the focus, as assistive technology reads it as a whole; so the buttons lie
// beside it, unseen, and the focus ring is drawn around the part.

import { html, type TemplateResult } from "lit";
import { nameOf } from "../draw/names.ts";
import type { Strings } from "../strings/index.ts";

/** Symbols by themselves. The first stage is where one goes. */
const LETTERS: Readonly<Record<string, string>> = {
  Attention: "output concat projected",
  softmax: "weights rowmax shifted exp rowsum",
  Q: "queries",
  K: "keys",
  V: "values",
  M: "masked",
  O: "output concat",
  s: "scaled",
  X: "x",
};
/** The same with an index below. */
const INDEXED: Readonly<Record<string, string>> = {
  q: "queries",
  k: "keys",
  v: "values",
  s: "scores",
  z: "scaled capped masked",
  c: "capped",
  M: "masked",
  m: "rowmax",
  e: "exp",
  r: "rowsum",
  a: "weights",
  o: "output",
  O: "output",
  X: "xKv",
};
/** Longer pieces, by all that is written in them. */
const PIECES: Readonly<Record<string, string>> = { "QK⊤": "scores", "+M": "masked", "1τ": "shifted" };
const SYMBOLS = "mi,msub,msqrt,mrow,mfrac";

function stagesOf(symbol: Element): string | undefined {
  const text = symbol.textContent ?? "";
  switch (symbol.localName) {
    case "mi":
      return symbol.parentElement?.localName === "msub" ? undefined : LETTERS[text];
    case "msub": {
      const [base, below] = [...symbol.children].map((child) => child.textContent ?? "");
      return (base === "W" || base === "b") && below ? `${base.toLowerCase()}${below}` : INDEXED[base ?? ""];
    }
    case "msqrt":
      return "scaled";
    default:
      return PIECES[text];
  }
}

/** Writes `data-stages` onto the symbols of a formula, those that have none yet. */
export function markSymbols(formula: Element): void {
  for (const symbol of formula.querySelectorAll<MathMLElement>(SYMBOLS)) {
    const stages = symbol.dataset.stages === undefined ? stagesOf(symbol) : undefined;
    if (stages) symbol.dataset.stages = stages;
  }
}

/** The parts of the whole formula that can be gone to: one for each thing, the outermost, where it is drawn first. */
export function partsOf(formula: Element): MathMLElement[] {
  const parts: MathMLElement[] = [];
  for (const symbol of formula.querySelectorAll<MathMLElement>(".whole [data-stages]")) {
    const isKnown = parts.some((part) => part.dataset.stages === symbol.dataset.stages || part.contains(symbol));
    if (!isKnown && symbol.getClientRects().length > 0) parts.push(symbol);
  }
  return parts;
}

/** One button for each part; `stages` are those that there are. */
export function partButtons(
  strings: Strings,
  parts: readonly MathMLElement[],
  stages: readonly string[],
): TemplateResult[] {
  return parts.map(({ dataset, textContent }) => {
    const all = dataset.stages?.split(" ") ?? [];
    const names = all.filter((name) => stages.includes(name));
    const said = (names.length > 0 ? names : all.slice(0, 1)).map((name) => nameOf(strings, name)).join(", ");
    return html`<button type="button" data-stages=${all.join(" ")}>${strings.text("link.part", { part: textContent ?? "", names: said })}</button>`;
  });
}
