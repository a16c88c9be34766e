// The corner: the left factor's rows come in from the left, the top factor's columns hang from above, the result sits
// where they cross. A step on rows is drawn as the row moving through, with the result in the same place.

import { html, nothing, type TemplateResult } from "lit";
import type { MessageKey, Strings } from "../strings/index.ts";
import { matrixTable, type TableUse, widthClass } from "./matrix.ts";
import { message } from "./message.ts";
import type { Picture, Slot } from "./picture.ts";

/** Which cells can be tabbed to and edited, by table. */
export type FigureUse = Readonly<Partial<Record<Slot, TableUse>>>;

/** The numbered class that says how wide a figure wants to be, in steps of 2em: it stacks where it has less. */
export const NEED_STEP = 4;
export const MOST_NEED = 108;
/** Rows up to this one have a class of their own, so that the operator stands on the thread. */
export const MOST_ROW_CLASS = 31;

function needClass(picture: Picture, isSmall: boolean): string {
  let em = 8;
  const hasLeft = picture.matrices.some(({ slot }) => slot === "left");
  for (const { slot, cells, halfDigits } of picture.matrices) {
    // An addend stands between two tables that are as wide as it is.
    if (slot === "addend") continue;
    // It stands over the result.
    if (slot === "top" && (picture.layout === "through" || !hasLeft)) continue;
    const cell = isSmall ? Math.max(2.5, halfDigits * 0.256 + 0.8) : Math.max(3.45, halfDigits * 0.315 + 1.15);
    em += (cells[0]?.length ?? 1) * cell + 1.6;
  }
  if (picture.layout === "through") em += 2;
  return `need-${Math.min(MOST_NEED, Math.ceil(em / NEED_STEP) * NEED_STEP)}`;
}

/** What the rows and columns of a frame are, in words. */
export function axisNotes(picture: Picture): MessageKey[] {
  const [row, column] = picture.kinds;
  const keys: MessageKey[] = [];
  if (picture.layout === "through" && picture.stage !== "concat") keys.push("axis.answer", "axis.ask");
  else if (picture.stage === "output") keys.push("axis.values", "axis.ask");
  else if (row === "kv") keys.push("axis.wordsKv");
  else if (row === "q" && column === "f") keys.push("axis.wordsQ");
  else keys.push("axis.answer", "axis.ask");
  const showsWeights = picture.stage === "weights" || picture.stage === "output";
  if (showsWeights && picture.sumsToOne === "rows") keys.push("axis.sumsTo1");
  if (showsWeights && picture.sumsToOne === "columns") keys.push("axis.columnsSumTo1");
  return keys;
}

/** The figure of a frame. */
export function cornerFigure(picture: Picture, strings: Strings, use: FigureUse = {}): TemplateResult {
  const { layout, matrices } = picture;
  const by = (slot: Slot) => matrices.find((matrix) => matrix.slot === slot);
  const left = by("left");
  const top = by("top");
  const addend = by("addend");
  const through = by("through");
  const result = by("result");
  const widest = Math.max(0, ...matrices.map(({ halfDigits }) => halfDigits));
  const isSmall = widest > 7;
  // Top, addend and result share their columns, and with them the width of a cell.
  const above = top && result ? Math.max(top.halfDigits, addend?.halfDigits ?? 0, result.halfDigits) : undefined;
  const look = [
    "corner",
    layout === "through" ? "through" : "",
    layout === "through" && top ? "by-key" : "",
    `level-${picture.level}`,
    picture.level !== "stage" && picture.row >= 0 && picture.row <= MOST_ROW_CLASS ? `at-${picture.row}` : "",
    needClass(picture, isSmall),
    widthClass(Math.max(left?.halfDigits ?? 0, result?.halfDigits ?? 0)),
    isSmall ? "small-numbers" : "",
    top && left && top.rowLabels[0]?.kind !== "f" ? "named-rows" : "",
    top && !left ? "from-top" : "",
    left ? `weft-${left.role}` : "",
    top ? `warp-${top.role}` : left ? `warp-${left.role}` : "",
    result?.name === "weights" && picture.along === "rows" ? "sums-result" : "",
    left?.name === "weights" ? "sums-left" : "",
    left || top ? "" : "alone",
    through ? "has-through" : "",
    addend ? "has-addend" : "",
  ].join(" ");
  return html`<div class=${look} dir="ltr">
      <p class="note">${axisNotes(picture).map((key) => html`<span>${message(strings.parts(key))}</span>`)}</p>
      ${top ? matrixTable(top, use.top, above) : nothing}
      ${addend ? matrixTable(addend, use.addend, above) : nothing}
      ${left ? matrixTable(left, use.left) : nothing}
      ${
        (layout === "through" && left) || (top && !left)
          ? html`<div class="operator" aria-hidden="true"><span>${picture.operator}</span></div>`
          : nothing
      }
      ${through ? matrixTable(through, use.through) : nothing}
      ${result ? matrixTable(result, use.result, above) : nothing}
    </div>`;
}
