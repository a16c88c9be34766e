// A frame as plain data: which tables stand where, and how each of their cells looks. No markup here.

import type { OperandAxis, OperandDescription, Origin } from "../core/types.ts";
import type { Strings } from "../strings/index.ts";
import type { Cursor } from "./cursor.ts";
import { nameOf, type ScaleWords, scaleWords, shownWord, spokenWord, symbolOf } from "./names.ts";
import { formatAlone, formatFor, formatNumber, halfDigits } from "./number.ts";
import type { Numbers } from "./numbers.ts";
import { type AxisKind, axisKinds, indexIn, operandIndex } from "./shape.ts";
import { type Role, roleOf } from "./tokens.ts";

/** Where a table stands. */
export type Slot = "left" | "top" | "through" | "result" | "input";

/** One cell, ready to be written. */
export interface CellPicture {
  readonly text: string;
  /** Class names: tint, sign and state. */
  readonly look: string;
  /** What is read aloud. */
  readonly spoken: string;
  /** The float32 in full; empty where the text is exact. */
  readonly exact: string;
  /** Its index in the stage or input. */
  readonly index: readonly number[];
}

/** One table. */
export interface MatrixPicture {
  readonly slot: Slot;
  readonly name: string;
  readonly role: Role;
  readonly title: string;
  readonly symbol: string;
  readonly shape: string;
  readonly caption: string;
  readonly rowLabels: readonly LabelPicture[];
  readonly columnLabels: readonly LabelPicture[];
  readonly cells: readonly (readonly CellPicture[])[];
  /** Width of the widest number, in halves of a digit. */
  readonly halfDigits: number;
  readonly editable: boolean;
}

/** A row's or column's heading. */
export interface LabelPicture {
  readonly text: string;
  readonly spoken: string;
  readonly kind: AxisKind;
  readonly current: boolean;
  /** A thread runs through it. */
  readonly thread: boolean;
}

/** One frame. */
export interface Picture {
  readonly stage: string;
  readonly layout: "corner" | "through";
  readonly level: Cursor["level"];
  readonly row: number;
  readonly matrices: readonly MatrixPicture[];
  /** What is done to the row that moves through, for instance "· 0.5774". */
  readonly operator: string;
}

/** Everything a frame is drawn from. */
export interface Scene {
  readonly numbers: Numbers;
  readonly cursor: Cursor;
  readonly tokensQ: readonly string[];
  readonly tokensKv: readonly string[];
  readonly strings: Strings;
  /** Keys and values come from the same words as the queries. */
  readonly self?: boolean;
  /** Cells that an edit has just changed, by stage, as places in the flat data. */
  readonly changed?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Names of inputs that can be edited. */
  readonly editable?: ReadonlySet<string>;
}

/** How the factor of `scaled` is said in this scene. */
export function sceneScale({ numbers }: Scene): ScaleWords {
  const { scale } = numbers.trace;
  const scores = numbers.has("scores") ? numbers.of("scores").description.terms : 0;
  return scaleWords(scale, scores, formatAlone(scale, numbers.mark));
}

/** The origin of the current cell. */
export function originOf({ numbers, cursor }: Scene): Origin {
  const { description } = numbers.of(cursor.stage);
  return numbers.trace.origin(cursor.stage, indexIn(description, cursor.head, cursor.row, cursor.column));
}

/** Partial results of a cell and how they are written: as the matrix is, with more decimals where they need them. */
export function partialTexts(scene: Scene, origin: Origin): string[] {
  const partials = origin.terms.map(({ partial }) => partial);
  const own = scene.numbers.of(origin.stage).format;
  const needed = formatFor(partials, scene.numbers.mark);
  const format = needed.decimals > own.decimals ? needed : own;
  return partials.map((partial) => formatNumber(partial, format));
}

interface View {
  readonly slot: Slot;
  readonly name: string;
  /** Which of the operand's axes runs down and which across. */
  readonly rowAxis: OperandAxis | "none";
  readonly columnAxis: OperandAxis | "none";
  readonly rows: number;
  readonly columns: number;
  index(row: number, column: number): readonly number[];
}

/** The frame of a scene. */
export function pictureOf(scene: Scene): Picture {
  const { numbers, cursor } = scene;
  const { description, grid } = numbers.of(cursor.stage);
  const { operation, operands, terms } = description;
  const at = { head: cursor.head, row: 0, column: 0, term: 0, headWidth: description.headWidth };
  const whole: View = {
    slot: "result",
    name: cursor.stage,
    rowAxis: "row",
    columnAxis: "column",
    rows: grid.rows,
    columns: grid.columns,
    index: (row, column) => indexIn(description, cursor.head, row, column),
  };
  const view = (
    slot: Slot,
    operand: OperandDescription,
    rowAxis: OperandAxis,
    columnAxis: OperandAxis | "none",
  ): View => {
    const size = (axis: OperandAxis | "none") =>
      axis === "row" ? grid.rows : axis === "column" ? grid.columns : axis === "term" ? terms : 1;
    return {
      slot,
      name: operand.stage,
      rowAxis,
      columnAxis,
      rows: size(rowAxis),
      columns: size(columnAxis),
      index: (row, column) => {
        const place = { ...at, [rowAxis]: row, ...(columnAxis !== "none" && { [columnAxis]: column }) };
        return operandIndex(operand.axes, place);
      },
    };
  };

  const [first, second] = operands;
  const views: View[] = [];
  const layout = operation === "dot" ? "corner" : "through";
  if (operation === "dot" && first && second) {
    views.push(view("left", first, "row", "term"), view("top", second, "term", "column"));
  } else if (first && operation !== "copy") {
    views.push(view("left", first, "row", operation === "max" || operation === "sum" ? "term" : "column"));
    if (second && !second.axes.includes("column") && second.axes.includes("row")) {
      views.push(view("through", second, "row", "none"));
    }
  }
  return {
    stage: cursor.stage,
    layout,
    level: cursor.level,
    row: cursor.row,
    operator: operatorText(scene, operation),
    matrices: [...views, whole].map((each) => matrixPicture(scene, each)),
  };
}

/** An input by itself, to be edited; of several heads the one on view. */
export function inputPicture(scene: Scene, name: string): MatrixPicture {
  const { description, grid } = scene.numbers.of(name);
  const at: Scene = { ...scene, cursor: { ...scene.cursor, level: "stage" } };
  return matrixPicture(at, {
    slot: "input",
    name,
    rowAxis: "row",
    columnAxis: "column",
    rows: grid.rows,
    columns: grid.columns,
    index: (row, column) => indexIn(description, scene.cursor.head, row, column),
  });
}

function operatorText(scene: Scene, operation: string): string {
  const { trace, mark } = scene.numbers;
  if (operation === "scale") return sceneScale(scene).symbol.replace("÷", "÷ ").replace("·", "· ");
  if (operation === "shift") return trace.temperature === 1 ? "−" : `−, ÷ ${formatAlone(trace.temperature, mark)}`;
  const signs: Record<string, string> = {
    max: "max",
    exp: "eˣ",
    sum: "Σ",
    divide: "÷",
    mask: scene.strings.text("operator.mask"),
  };
  return Object.hasOwn(signs, operation) ? (signs[operation] as string) : "→";
}

/** Where a cell stands relative to what is being made: in its row, its column, its term. */
function matrixPicture(scene: Scene, view: View): MatrixPicture {
  const { numbers, cursor, strings } = scene;
  const { description, data, format, full } = numbers.of(view.name);
  const kindOf = axisKindsOf(scene, view);
  const { level } = cursor;
  const isResult = view.slot === "result";
  const fine = level === "cell" || level === "term";
  const made = numbers.of(cursor.stage).description;
  const partial = isResult && level === "term" && made.terms > 1 ? partialTexts(scene, originOf(scene)) : undefined;

  // Does position `i` on this axis belong to the row, column and term that are being made?
  const on = (axis: OperandAxis | "none", i: number): boolean => {
    if (level === "stage") return true;
    if (axis === "row") return i === cursor.row;
    if (axis === "column") return !fine || i === cursor.column;
    return true;
  };
  const onTerm = (axis: OperandAxis | "none", i: number) => axis !== "term" || i === cursor.term;

  const mask = blockable.has(view.name) && numbers.has("masked") ? numbers.of("masked").data : undefined;
  const isEditable = scene.editable?.has(view.name) ?? false;
  const state = (cell: string, look: readonly string[]): string => {
    if (look.includes("now")) return strings.text("cellName.now", { cell });
    return isEditable ? strings.text("cellName.editable", { cell }) : cell;
  };
  let widest = 0;
  const cells: CellPicture[][] = [];
  for (let row = 0; row < view.rows; row++) {
    const line: CellPicture[] = [];
    for (let column = 0; column < view.columns; column++) {
      const index = view.index(row, column);
      const flat = description.shape.reduce((sum, size, axis) => sum * size + (index[axis] ?? 0), 0);
      const value = data[flat] ?? Number.NaN;
      const blocked = mask?.[flat] === Number.NEGATIVE_INFINITY;
      let text = blocked ? strings.text("blocked.short") : formatNumber(value, format);
      widest = Math.max(widest, blocked ? BLOCKED_WIDTH : halfDigits(text));
      const look: string[] = [];
      const magnitude = Math.min(1, full > 0 ? Math.abs(value) / full : 0);
      if (blocked) look.push("blocked");
      else {
        look.push(`t${Math.ceil(magnitude * 6) || 0}`);
        if (value < 0) look.push("neg");
      }
      let todo = false;
      if (isResult) {
        const now = level !== "stage" && on("row", row) && on("column", column);
        todo =
          level !== "stage" && !now && (row > cursor.row || (row === cursor.row && column > cursor.column && fine));
        if (now) look.push(fine ? "now" : "now-row");
        if (todo) look.push("todo");
        if (!now && fine && !todo) look.push("past");
        if (now && fine && partial) text = partial[cursor.term] ?? text;
        if (level !== "stage" && row === cursor.row && (!fine || column <= cursor.column)) look.push("weft");
        if (fine && column === cursor.column && row <= cursor.row && view.columnAxis === "column") look.push("warp");
        if (level === "row" && row <= cursor.row) look.push("warp");
      } else if (level !== "stage") {
        const inRow = on(view.rowAxis, row) && on(view.columnAxis, column);
        const inTerm = inRow && onTerm(view.rowAxis, row) && onTerm(view.columnAxis, column);
        const current = fine && inRow;
        if (current) look.push(level === "term" && inTerm && made.terms > 1 ? "op" : "src");
        else if (level === "row" && view.rowAxis === "row" && inRow) look.push("src");
        else if (fine || view.rowAxis === "row") look.push("dim");
        if (view.rowAxis === "row" && row === cursor.row) look.push("weft");
        if (view.slot === "top" && (!fine || column === cursor.column)) look.push("warp");
      }
      if (level === "stage") look.push("weft", "warp");
      if (scene.changed?.get(view.name)?.has(flat) && !todo) look.push("changed");
      const shown = todo ? "" : text;
      const said = todo ? strings.text("cellName.todo") : blocked ? strings.text("blocked") : text;
      line.push({
        text: shown,
        look: look.join(" "),
        spoken: state(spokenCell(scene, view, kindOf, row, column, said), look),
        exact: todo || blocked || Number.isInteger(value) ? "" : String(value).replace("-", "−"),
        index,
      });
    }
    cells.push(line);
  }

  const labels = (axis: OperandAxis | "none", kind: AxisKind, count: number, sideways: boolean): LabelPicture[] =>
    Array.from({ length: count }, (_, i) => {
      const word =
        axis === "none"
          ? ""
          : kind === "f"
            ? String(i + 1)
            : ((kind === "q" ? scene.tokensQ : scene.tokensKv)[i] ?? String(i + 1));
      const here =
        level !== "stage" &&
        on(axis, i) &&
        (axis !== "column" || fine) &&
        (axis !== "term" || (level === "term" && onTerm(axis, i)));
      return {
        text: kind === "f" ? word : shownWord(word),
        spoken: kind === "f" ? word : spokenWord(strings, word),
        kind,
        current: here,
        thread:
          level === "stage" ||
          (sideways ? axis === "row" && i === cursor.row : axis === "column" && (!fine || i === cursor.column)),
      };
    });

  const symbol = symbolOf(view.name, sceneScale(scene)) + (isHanging(view, scene) ? "ᵀ" : "");
  const shape = { rows: view.rows, columns: view.columns };
  const title = nameOf(strings, view.name, scene.self);
  return {
    slot: view.slot,
    name: view.name,
    role: roleOf(view.name),
    title,
    symbol,
    shape: strings.text("caption.shape", shape),
    caption: isHanging(view, scene)
      ? strings.text("caption.hanging", { name: title, symbol, ...shape })
      : strings.text("caption.table", { name: title, symbol, ...shape, axes: axesSentence(scene, view) }),
    rowLabels: labels(view.rowAxis, kindOf.row, view.rows, true),
    columnLabels: labels(view.columnAxis, kindOf.column, view.columns, false),
    cells,
    halfDigits: widest,
    editable: isEditable,
  };
}

/** Stages whose cells are hatched where the mask blocks them. */
const blockable: ReadonlySet<string> = new Set(["masked", "shifted", "exp", "weights"]);
/** Width of the word in a blocked cell, in halves of a digit. */
const BLOCKED_WIDTH = 11;

/** True where the operand is drawn with its rows across: the keys, which hang from the top. */
function isHanging(view: View, scene: Scene): boolean {
  if (view.slot !== "top") return false;
  const operand = scene.numbers.of(scene.cursor.stage).description.operands[1];
  return operand?.axes.at(-1) === "term";
}

function axisKindsOf(scene: Scene, view: View): { row: AxisKind; column: AxisKind } {
  const [own, across] = axisKinds(view.name);
  const isShared = view.name === "x" && view.slot !== "input" && axisKinds(scene.cursor.stage)[0] === "kv";
  const row = isShared ? "kv" : own;
  return isHanging(view, scene) ? { row: across, column: row } : { row, column: across };
}

function axesSentence({ strings }: Scene, view: View): string {
  const [row, column] = axisKinds(view.name);
  if (view.name === "weights") return strings.text("caption.axesWeights");
  if (view.name === "rowmax" || view.name === "rowsum" || (row === "q" && column === "kv"))
    return strings.text("caption.axesScores");
  return row === "f" ? "" : strings.text("caption.axesVectors");
}

function spokenCell(
  scene: Scene,
  view: View,
  kinds: { row: AxisKind; column: AxisKind },
  row: number,
  column: number,
  value: string,
): string {
  const { strings } = scene;
  const word = (kind: AxisKind, i: number) =>
    spokenWord(strings, (kind === "q" ? scene.tokensQ : scene.tokensKv)[i] ?? String(i + 1));
  const { operation } = scene.numbers.of(view.name).description;
  if (operation === "max" || operation === "sum") {
    return strings.text("cellName.row", { row: word(kinds.row, row), value });
  }
  if (kinds.row === "f" && kinds.column === "f") {
    return strings.text("cellName.matrix", { row: row + 1, column: column + 1, value });
  }
  if (kinds.column === "f")
    return strings.text("cellName.vector", { row: word(kinds.row, row), column: column + 1, value });
  if (kinds.row === "f")
    return strings.text("cellName.vector", { row: word(kinds.column, column), column: row + 1, value });
  return strings.text("cellName.pair", { row: word(kinds.row, row), key: word(kinds.column, column), value });
}
