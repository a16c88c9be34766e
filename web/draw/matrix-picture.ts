// The picture of one table: how each of its cells and headings looks in the frame.

import type { OperandAxis } from "../core/types.ts";
import type { Cursor } from "./cursor.ts";
import { shownWord, spokenWord, symbolOf } from "./names.ts";
import { formatNumber, halfDigits } from "./number.ts";
import { askedLook } from "./origin.ts";
import { cursorPlaces, fitOf, isPaged, pageKey, partText, places, type Span, spanOf } from "./pages.ts";
import type { CellPicture, LabelPicture, MatrixPicture } from "./picture.ts";
import { cellFormat, originOf, partialCells, type Scene, sceneScale, titleOf } from "./scene.ts";
import { type AxisKind, isVector, type StageShape, stepsOf } from "./shape.ts";
import { roleOf } from "./tokens.ts";
import {
  axesSentence,
  axisKindsOf,
  blockable,
  exactText,
  isHanging,
  isHidden,
  isOutOfRange,
  rowStateOf,
  spokenCell,
  type View,
} from "./view.ts";
import { wasTexts } from "./was.ts";

/** Width of the word in a blocked cell, in halves of a digit. */
const BLOCKED_WIDTH = 11;
/** Size of the number of the start beside that of now. */
const SMALL = 0.8;
/** Steps of tint above the faintest. */
const TINT_STEPS = 6;

type Axis = OperandAxis | "none";

const isFine = ({ level }: Cursor) => level === "cell" || level === "term";

/** Does position `i` on this axis belong to the row and column that are being made? */
function isOn(cursor: Cursor, axis: Axis, i: number): boolean {
  if (cursor.level === "stage") return true;
  if (axis === "row") return i === cursor.row;
  if (axis === "column") return !isFine(cursor) || i === cursor.column;
  return true;
}

const isOnTerm = (cursor: Cursor, axis: Axis, i: number) => axis !== "term" || i === cursor.term;

/** Class names that say how far a cell of the result has come. */
function resultLook(cursor: Cursor, view: View, row: number, column: number): string[] {
  if (cursor.level === "stage") return [];
  const fine = isFine(cursor);
  const look: string[] = [];
  if (isOn(cursor, "row", row) && isOn(cursor, "column", column)) look.push(fine ? "now" : "now-row");
  else if (row > cursor.row || (row === cursor.row && column > cursor.column && fine)) look.push("todo");
  else if (fine) look.push("past");
  if (row === cursor.row && (!fine || column <= cursor.column)) look.push("weft");
  if (fine && column === cursor.column && row <= cursor.row && view.columnAxis === "column") look.push("warp");
  if (cursor.level === "row" && row <= cursor.row) look.push("warp");
  return look;
}

/** Class names that say what a cell gives to the cell of `made` that is being made. */
function sourceLook(cursor: Cursor, view: View, row: number, column: number, made: StageShape): string[] {
  const { level } = cursor;
  if (level === "stage") return [];
  const fine = isFine(cursor);
  const look: string[] = [];
  const isUsed = isOn(cursor, view.rowAxis, row) && isOn(cursor, view.columnAxis, column);
  const isTerm =
    view.slot === "addend"
      ? cursor.term === made.terms
      : isOnTerm(cursor, view.rowAxis, row) && isOnTerm(cursor, view.columnAxis, column);
  if (fine && isUsed) look.push(level === "term" && isTerm && stepsOf(made) > 1 ? "op" : "src");
  else if (level === "row" && view.rowAxis === "row" && isUsed) look.push("src");
  else if (fine || view.rowAxis === "row") look.push("dim");
  if (view.rowAxis === "row" && row === cursor.row) look.push("weft");
  if ((view.slot === "top" || view.slot === "addend") && (!fine || column === cursor.column)) look.push("warp");
  return look;
}

/** Which rows and columns of a table are on view, and what turns its pages. */
function spansOf(scene: Scene, view: View): Pick<MatrixPicture, "down" | "across" | "pageKeys"> {
  const kinds = axisKindsOf(scene, view);
  const alone = view.slot === "input" ? view.name : undefined;
  const down = pageKey(kinds.row, view.rowAxis, alone);
  const across = pageKey(kinds.column, view.columnAxis, alone);
  const on = cursorPlaces(scene.numbers, scene.cursor);
  const at = (key: string) => scene.pages?.get(key) ?? on.get(key) ?? 0;
  const fit = fitOf(scene.tokensQ.length, scene.tokensKv.length, scene.compact);
  return {
    down: spanOf(view.rows, at(down), fit),
    across: spanOf(view.columns, at(across), fit),
    pageKeys: [down, across],
  };
}

/** The cells of a table that are on view, and the width of the widest number in halves of a digit. */
function cellsOf(
  scene: Scene,
  view: View,
  { down, across }: { readonly down: Span; readonly across: Span },
  isEditable: boolean,
): { cells: CellPicture[][]; widest: number } {
  const { numbers, cursor, strings, highlight } = scene;
  const { description, data, format, full } = numbers.of(view.name);
  const short = cellFormat(scene, format);
  const kinds = axisKindsOf(scene, view);
  const isResult = view.slot === "result";
  const made = numbers.of(cursor.stage).description;
  const partial =
    isResult && cursor.level === "term" && stepsOf(made) > 1 && view.rows * view.columns > 0
      ? partialCells(scene, originOf(scene))
      : undefined;
  const isBlockable = blockable.has(view.name);
  const isShares = isResult && view.name === "weights";
  const isLit = (row: number, column: number) =>
    isResult &&
    highlight?.stage === view.name &&
    row === (highlight.row ?? row) &&
    column === (highlight.column ?? column);

  // Of a table of pages the columns are as wide as its widest number: turning a page moves nothing.
  const isPart = isPaged(down) || isPaged(across);
  let widest = isPart ? halfDigits(formatNumber(full === 1 ? full : -full, short)) : 0;
  const cellAt = (row: number, column: number): CellPicture => {
    const index = view.index(row, column);
    const flat = description.shape.reduce((sum, size, axis) => sum * size + (index[axis] ?? 0), 0);
    const state = isResult ? resultLook(cursor, view, row, column) : sourceLook(cursor, view, row, column, made);
    // The cell that is being made shows how far it has come: text, tint and sign are those of the running result.
    const running = state.includes("now") ? partial?.at(cursor.term) : undefined;
    const final = data[flat] ?? Number.NaN;
    const value = running?.value ?? final;
    const [head = 0, query = 0, key = 0] = index;
    const isBlocked = isBlockable && isHidden(numbers, head, query, key);
    const isBad = !isBlocked && isOutOfRange(numbers, view.name, index);
    const text = running?.cell ?? (isBlocked ? strings.text("blocked.short") : formatNumber(value, short));
    const before = wasTexts(scene, view.name, index);
    const wasShown = before && scene.was?.isShown ? before.cell : "";
    // The width is that of the final number: no column moves while a cell is made.
    const room = isBlocked ? BLOCKED_WIDTH : halfDigits(running ? formatNumber(final, short) : text);
    widest = Math.max(widest, room, Math.ceil(halfDigits(wasShown) * SMALL));

    const magnitude = Number.isFinite(value) && full > 0 ? Math.min(1, Math.abs(value) / full) : 0;
    const ground = isBlocked ? ["blocked"] : [`t${Math.ceil(magnitude * TINT_STEPS) || 0}`];
    if (isBad) ground.push("bad");
    else if (!isBlocked && value < 0) ground.push("neg");
    if (isShares && rowStateOf(numbers, cursor.head, row) !== "ok") ground.push("no-sum");
    if (cursor.level === "stage") state.push("weft", "warp");
    const isTodo = state.includes("todo");
    const isNow = state.includes("now");
    if (!isTodo && scene.changed?.(view.name, flat)) state.push("changed");
    if (isLit(row, column)) state.push("lit");
    const answer = askedLook(scene.asked, view.name, flat);
    if (answer) state.push(answer);

    const precise = running?.full ?? formatNumber(value, format);
    const number = text === precise ? text : strings.text("cellName.precise", { shown: text, value: precise });
    const said = isTodo ? strings.text("cellName.todo") : isBlocked ? strings.text("blocked") : number;
    const isMarked = before !== undefined && !isTodo && !running;
    const was = isMarked ? strings.text("was.value", { value: before.full }) : "";
    const plain = spokenCell(scene, view, kinds, row, column, said);
    const name = was ? strings.text("cellName.was", { cell: plain, was }) : plain;
    return {
      text: isTodo ? "" : text,
      look: [...ground, ...state].join(" "),
      spoken: isNow
        ? strings.text("cellName.now", { cell: name })
        : isEditable
          ? strings.text("cellName.editable", { cell: name })
          : name,
      exact: isTodo || isBlocked ? "" : exactText(value, text, format.mark),
      was,
      wasShown: isMarked ? wasShown : "",
      index,
    };
  };
  const cells = places(down).map((row) => places(across).map((column) => cellAt(row, column)));
  return { cells, widest };
}

/** The headings of the places on view along one axis of a table. */
function labelsOf(scene: Scene, axis: Axis, kind: AxisKind, span: Span, isRow: boolean): LabelPicture[] {
  const { cursor, strings } = scene;
  const words = kind === "q" ? scene.tokensQ : scene.tokensKv;
  const fine = isFine(cursor);
  return places(span).map((i) => {
    const word = axis === "none" ? "" : kind === "f" ? String(i + 1) : (words[i] ?? String(i + 1));
    const isCurrent =
      cursor.level !== "stage" &&
      isOn(cursor, axis, i) &&
      (axis !== "column" || fine) &&
      (axis !== "term" || (cursor.level === "term" && isOnTerm(cursor, axis, i)));
    const hasThread = isRow ? axis === "row" && i === cursor.row : axis === "column" && (!fine || i === cursor.column);
    return {
      text: kind === "f" ? word : shownWord(word),
      spoken: kind === "f" ? word : spokenWord(strings, word),
      kind,
      current: isCurrent,
      thread: cursor.level === "stage" || hasThread,
    };
  });
}

/** One table of a frame. */
export function matrixPicture(scene: Scene, view: View): MatrixPicture {
  const { strings } = scene;
  const isEditable = scene.editable?.has(view.name) ?? false;
  const spans = spansOf(scene, view);
  const { down, across } = spans;
  const { cells, widest } = cellsOf(scene, view, spans, isEditable);
  const kinds = axisKindsOf(scene, view);
  const hanging = isHanging(view, scene);
  const symbol = symbolOf(view.name, sceneScale(scene)) + (hanging ? "ᵀ" : "");
  const shape = { rows: view.rows, columns: view.columns };
  const title = titleOf(scene, view.name);
  const isBias = isVector(scene.numbers.of(view.name).description);
  const caption = hanging
    ? strings.text("caption.hanging", { name: title, symbol, ...shape })
    : isBias
      ? strings.text("caption.vector", { name: title, symbol, n: view.columns })
      : strings.text("caption.table", { name: title, symbol, ...shape, axes: axesSentence(scene, view) });
  return {
    ...spans,
    slot: view.slot,
    name: view.name,
    role: roleOf(view.name),
    title,
    symbol,
    shape: strings.text("caption.shape", shape),
    caption: `${caption} ${partText(strings, down, across)}`.trim(),
    rowLabels:
      view.slot === "addend"
        ? [{ text: `+ ${symbol}`, spoken: title, kind: "f", current: false, thread: false, isSymbol: true }]
        : labelsOf(scene, view.rowAxis, kinds.row, down, true),
    columnLabels: labelsOf(scene, view.columnAxis, kinds.column, across, false),
    cells,
    halfDigits: widest,
    editable: isEditable,
  };
}
