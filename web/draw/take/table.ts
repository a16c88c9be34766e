// The stage on view as a table for spreadsheets: one line for each row, its word in front, the words of the columns on top.
//
// Numbers are float32 in full, with a point, whatever the language of the page: the shortest decimal that says which one.
// Zero has no sign.
// −∞ is text, with the minus sign of print, which no spreadsheet takes for the beginning of a formula.
//
// Words are text, whatever they are. One that begins with what a spreadsheet takes for a formula (= + - @, also in their
// wide forms) gets an apostrophe in front. A line end or tab in a word becomes its sign, ↵ or ⇥, so that a row stays a
// line and a cell a cell. A cell with a quotation mark, and in CSV one with a comma, stands in quotation marks, with
// those inside doubled (RFC 4180). Lines end with CR LF in CSV and with LF in TSV.

import { pythonNumber } from "../code/literal.ts";
import type { Numbers } from "../numbers.ts";
import { axisKinds, flatIndex, indexIn, isPerKey } from "../shape.ts";

/** What a table is made from. */
export interface TableScene {
  readonly numbers: Numbers;
  readonly stage: string;
  readonly tokensQ: readonly string[];
  readonly tokensKv: readonly string[];
  /** The heading of the column that says which head, with several. */
  readonly head: string;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? pythonNumber(value + 0) : value < 0 ? "−∞" : "∞";
}

const wordText = (word: string): string => {
  const plain = word
    .replace(/\r\n|[\r\n\u0085\u2028\u2029]/g, "↵")
    .replace(/\t/g, "⇥")
    .replace(/\0/g, "");
  return /^\s*[=+\-@＝＋－＠]/.test(plain) ? `'${plain}` : plain;
};

function cells({ numbers, stage, tokensQ, tokensKv, head }: TableScene): string[][] {
  const { description, grid, data } = numbers.of(stage);
  const [rowKind, columnKind] = axisKinds(description);
  const word = (kind: string, i: number) =>
    kind === "f" ? String(i + 1) : wordText((kind === "q" ? tokensQ : tokensKv)[i] ?? String(i + 1));
  const isFold = description.operation === "max" || description.operation === "sum";
  const isOneColumn = isFold && !isPerKey(description);
  const columns = Array.from({ length: grid.columns }, (_, i) => (isOneColumn ? stage : word(columnKind, i)));
  const heads = grid.heads > 1;
  const lines = [[...(heads ? [wordText(head)] : []), stage, ...columns]];
  for (let h = 0; h < grid.heads; h++) {
    for (let i = 0; i < grid.rows; i++) {
      const values = columns.map((_, j) => {
        const flat = flatIndex(description.shape, indexIn(description, h, i, j));
        return numberText(data[flat] ?? Number.NaN);
      });
      lines.push([...(heads ? [String(h + 1)] : []), word(rowKind, i), ...values]);
    }
  }
  return lines;
}

const quoted = (cell: string, special: RegExp) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Tabs between cells, for pasting into a spreadsheet. */
export const tsvText = (scene: TableScene): string =>
  cells(scene)
    .map((line) => `${line.map((cell) => quoted(cell, /"/)).join("\t")}\n`)
    .join("");

/** Commas between cells, for a file. */
export const csvText = (scene: TableScene): string =>
  cells(scene)
    .map((line) => `${line.map((cell) => quoted(cell, /[",]/)).join(",")}\r\n`)
    .join("");
