// A matrix as a real table: caption, row and column headings, one cell per number.

import { html, nothing, type TemplateResult } from "lit";
import { symbolText } from "./message.ts";
import { isPaged, type Span } from "./pages.ts";
import type { CellPicture, LabelPicture, MatrixPicture } from "./picture.ts";

/** Which cell of a table the Tab key reaches, and which one is being edited. */
export interface TableFocus {
  readonly row: number;
  readonly column: number;
}

/** What the reader is doing to a table. */
export interface TableUse {
  /** Nothing can be done to it: a plain table, no cell of which takes the focus. */
  readonly still?: boolean;
  readonly focus?: TableFocus | undefined;
  readonly editing?:
    | { readonly row: number; readonly column: number; readonly text: string; readonly note?: string }
    | undefined;
}

/** Numbered classes go up to this count of half digits. */
export const MOST_HALF_DIGITS = 26;

/** The numbered class of a cell's width. */
export const widthClass = (halves: number) => `n${Math.min(MOST_HALF_DIGITS, Math.max(2, halves))}`;

/** Counted from 1, with the heading before it; only said where not all are on view. */
const position = (span: Span, i: number) => (isPaged(span) ? span.from + i + 2 : nothing);

function head(label: LabelPicture, scope: "row" | "col", at: number | typeof nothing = nothing): TemplateResult {
  const look = `${label.kind}${label.current ? " current" : ""}${label.thread ? (scope === "row" ? " weft" : " warp") : ""}`;
  // A column without a name, such as that of the sums, has no heading.
  if (label.text === "" && scope === "col") return html`<td class=${look} aria-colindex=${at}></td>`;
  return html`<th scope=${scope} class=${look} aria-colindex=${at}><span class="word" title=${label.text}>${label.isSymbol ? symbolText(label.text) : label.text}</span></th>`;
}

function cell(
  cell: CellPicture,
  row: number,
  column: number,
  use: TableUse,
  at: number | typeof nothing,
): TemplateResult {
  const { editing, focus } = use;
  const place = `${row},${column}`;
  const title = [cell.exact, cell.was].filter(Boolean).join(" · ") || nothing;
  const shown = cell.wasShown ? html`<i class="was" data-was=${cell.wasShown}></i>` : nothing;
  const since = cell.was ? html`<i class="mark"></i>${shown}` : nothing;
  if (editing && editing.row === row && editing.column === column) {
    return html`<td class="${cell.look} editing" data-place=${place} data-index=${cell.index.join(",")} aria-colindex=${at}><input
          class="entry" type="text" inputmode="text" autocomplete="off" spellcheck="false" value=${editing.text}
          aria-label=${cell.spoken} aria-invalid=${editing.note ? "true" : "false"} />${
            editing.note ? html`<span class="entry-note">${editing.note}</span>` : nothing
          }</td>`;
  }
  if (use.still) {
    return html`<td class=${cell.look} title=${title}>${cell.text || html`<span class="unseen">${cell.spoken}</span>`}</td>`;
  }
  const tab = (focus?.row ?? 0) === row && (focus?.column ?? 0) === column ? "0" : "-1";
  return html`<td class=${cell.look} data-place=${place} data-index=${cell.index.join(",")} tabindex=${tab} aria-colindex=${at}
        aria-label=${cell.spoken} title=${title}>${cell.text}${since}</td>`;
}

/** The table of a matrix. `halfDigits` is the width of a cell, where tables above one another share it. */
export function matrixTable(matrix: MatrixPicture, use: TableUse = {}, halfDigits = matrix.halfDigits): TemplateResult {
  const look = `matrix ${matrix.slot} ${widthClass(halfDigits)} role-${matrix.role}${matrix.editable ? " editable" : ""}`;
  const { cells, rowLabels, columnLabels, down, across } = matrix;
  // A still table is no grid, and one that is whole counts itself.
  const count = (span: Span) => (isPaged(span) && !use.still ? span.of + 1 : nothing);
  const at = (span: Span, i: number) => (use.still ? nothing : position(span, i));
  return html`<table class=${look} role=${use.still ? nothing : "grid"} data-slot=${matrix.slot} data-name=${matrix.name} data-pages=${isPaged(down) || isPaged(across) ? matrix.pageKeys.join(" ") : nothing}
      aria-rowcount=${count(down)} aria-colcount=${count(across)}>
      <caption><span class="unseen">${matrix.caption}</span><span class="title" aria-hidden="true"
          ><b>${matrix.title}</b> <i>${symbolText(matrix.symbol)}</i> <span class="size">${matrix.shape}</span></span></caption>
      <colgroup><col class="first" />${columnLabels.map(() => html`<col class="cell" />`)}</colgroup>
      <thead><tr><td class="blank"></td>${columnLabels.map((label, i) => head(label, "col", at(across, i)))}</tr></thead>
      <tbody>${cells.map(
        (line, i) =>
          html`<tr aria-rowindex=${at(down, i)}>${rowLabels[i] ? head(rowLabels[i], "row") : nothing}${line.map(
            (one, j) => cell(one, down.from + i, across.from + j, use, at(across, j)),
          )}</tr>`,
      )}</tbody>
    </table>`;
}
