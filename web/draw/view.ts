// One table of a frame: what its axes are, and how it and its cells are named.

import type { OperandAxis, RowState } from "../core/types.ts";
import { spokenWord } from "./names.ts";
import type { Numbers } from "./numbers.ts";
import type { Slot } from "./picture.ts";
import type { Scene } from "./scene.ts";
import { type AxisKind, axisKinds, flatIndex, isPerKey, isVector, usualKinds } from "./shape.ts";
import { sharesOf } from "./shares.ts";

/** A stage or input as one table of the frame: which of its cells stand where. */
export interface View {
  readonly slot: Slot;
  readonly name: string;
  /** Which of the operand's axes runs down and which across. */
  readonly rowAxis: OperandAxis | "none";
  readonly columnAxis: OperandAxis | "none";
  readonly rows: number;
  readonly columns: number;
  index(row: number, column: number): readonly number[];
}

/** True where the operand is drawn with its rows across: the keys, which hang from the top. */
export function isHanging(view: View, scene: Scene): boolean {
  if (view.slot !== "top") return false;
  const operand = scene.numbers.of(scene.cursor.stage).description.operands[1];
  return operand?.axes.at(-1) === "term";
}

/** What the rows and columns of a table stand for. */
export function axisKindsOf(scene: Scene, view: View): { row: AxisKind; column: AxisKind } {
  const [own, across] = axisKinds(scene.numbers.of(view.name).description);
  const isShared = view.name === "x" && view.slot !== "input" && usualKinds(scene.cursor.stage)[0] === "kv";
  const row = isShared ? "kv" : own;
  return isHanging(view, scene) ? { row: across, column: row } : { row, column: across };
}

/** Stages whose cells are hatched where the mask blocks them. */
export const blockable: ReadonlySet<string> = new Set(["masked", "shifted", "exp", "weights"]);

/** Stages that a row without a visible key takes no part in. */
const shareStages: ReadonlySet<string> = new Set(["rowmax", "shifted", "exp", "rowsum", "weights", "output"]);

/** Does the mask hide this key from this query? A score of −∞ that left the range of float32 is not hidden. */
export function isHidden(numbers: Numbers, head: number, row: number, key: number): boolean {
  if (!numbers.has("masked")) return false;
  const { rows, columns } = numbers.of("masked").grid;
  return isHiddenAt(numbers, (head * rows + row) * columns + key);
}

/** The same by the place in the flat data, for whoever asks of all cells: there has to be a stage `masked`. */
export function isHiddenAt(numbers: Numbers, flat: number): boolean {
  const { data, grid } = numbers.of("masked");
  if (data[flat] !== Number.NEGATIVE_INFINITY) return false;
  if (numbers.of("scaled").data[flat] !== Number.NEGATIVE_INFINITY) return true;
  const line = Math.floor(flat / grid.columns);
  const index = [Math.floor(line / grid.rows), line % grid.rows, flat % grid.columns];
  return (numbers.trace.origin("masked", index).blockedBy ?? []).length > 0;
}

/** What a row of weights is: "empty" without a visible key, "notFinite" where a visible number of it left the range. */
export const rowStateOf = (numbers: Numbers, head: number, row: number): RowState => numbers.trace.rowState(head, row);

/** Numbers do not change, and every part of a frame asks. */
const counted = new WeakMap<Numbers, Readonly<Record<RowState, number>>>();

/** How many rows of weights, of all heads, are in which state. */
export function countRowStates(numbers: Numbers): Readonly<Record<RowState, number>> {
  const known = counted.get(numbers);
  if (known) return known;
  const { heads, rows } = numbers.of("weights").grid;
  const count = { ok: 0, empty: 0, notFinite: 0 };
  for (let head = 0; head < heads; head++) for (let row = 0; row < rows; row++) count[rowStateOf(numbers, head, row)]++;
  counted.set(numbers, count);
  return count;
}

/** Is there a line of which no share can be taken: a query that sees no key, or along columns a key that none sees? */
export function hasEmptyLines(numbers: Numbers): boolean {
  const { along } = sharesOf(numbers);
  if (along !== "columns") return along === "rows" && countRowStates(numbers).empty > 0;
  const { heads, columns } = numbers.of("weights").grid;
  const unseen = (head: number) =>
    Array.from({ length: columns }, (_, key) => isUnseen(numbers, head, key)).some(Boolean);
  return Array.from({ length: heads }, (_, head) => unseen(head)).some(Boolean);
}

/** True where the row may look at nothing and the stage is one that would give it shares. */
export const isShareless = (numbers: Numbers, stage: string, head: number, row: number): boolean =>
  shareStages.has(stage) && !isPerKey(numbers.of(stage).description) && rowStateOf(numbers, head, row) === "empty";

/** May no query look at this key? */
const isUnseen = (numbers: Numbers, head: number, key: number): boolean =>
  Array.from({ length: numbers.of("weights").grid.rows }, (_, row) => row).every((row) =>
    isHidden(numbers, head, row, key),
  );

/** Did this number leave the range of float32? Not so where −∞ is what the mask or temperature 0 asks for. */
export function isOutOfRange(numbers: Numbers, name: string, index: readonly number[]): boolean {
  const { shape } = numbers.of(name).description;
  const value = numbers.of(name).data[flatIndex(shape, index)];
  if (value === undefined || Number.isFinite(value) || !numbers.trace.stages.includes(name)) return false;
  if (value !== Number.NEGATIVE_INFINITY) return true;
  const [head = 0, row = 0, key = 0] = index;
  if (name === "rowmax") {
    // Of a column the second index is the key.
    if (isPerKey(numbers.of(name).description)) return !isUnseen(numbers, head, row);
    return rowStateOf(numbers, head, row) !== "empty";
  }
  if (name === "shifted" && numbers.trace.temperature === 0) return false;
  return !((name === "masked" || name === "shifted") && isHidden(numbers, head, row, key));
}

/** The axis rule, for the caption of a table of queries by keys. */
export function axesSentence({ strings, numbers }: Scene, view: View): string {
  const [row, column] = usualKinds(view.name);
  const { along } = sharesOf(numbers);
  if (view.name === "weights" && along !== "rows")
    return strings.text(along === "columns" ? "caption.axesColumns" : "caption.axesScores");
  if (view.name === "weights") {
    const { empty, notFinite } = countRowStates(numbers);
    if (empty + notFinite > 0) return strings.text("caption.axesScores");
  }
  if (view.name === "weights") return strings.text("caption.axesWeights");
  if (view.name === "rowmax" || view.name === "rowsum" || (row === "q" && column === "kv"))
    return strings.text("caption.axesScores");
  return row === "f" ? "" : strings.text("caption.axesVectors");
}

/** The float32 in full, where `shown` has fewer of its digits; empty where nothing was rounded, or it is no number. */
export function exactText(value: number, shown: string, mark: string): string {
  if (!Number.isFinite(value)) return "";
  const full = String(value).replaceAll("-", "−").replace(".", mark);
  const plain = shown.includes(mark) && !shown.includes("×") ? shown.replace(/0+$/, "") : shown;
  const isWhole = plain === full || plain === `${full}${mark}` || (value === 0 && /^[0.,]*$/.test(plain));
  return isWhole ? "" : full;
}

/** A cell as it is read aloud: whose it is, and its value. */
export function spokenCell(
  scene: Scene,
  view: Pick<View, "name">,
  kinds: { row: AxisKind; column: AxisKind },
  row: number,
  column: number,
  value: string,
): string {
  const { strings } = scene;
  const word = (kind: AxisKind, i: number) =>
    spokenWord(strings, (kind === "q" ? scene.tokensQ : scene.tokensKv)[i] ?? String(i + 1));
  const { description } = scene.numbers.of(view.name);
  const { operation } = description;
  if (isPerKey(description)) return strings.text("cellName.key", { key: word(kinds.column, column), value });
  if (operation === "max" || operation === "sum") {
    return strings.text("cellName.row", { row: word(kinds.row, row), value });
  }
  if (isVector(description)) return strings.text("cellName.number", { column: column + 1, value });
  if (kinds.row === "f" && kinds.column === "f") {
    return strings.text("cellName.matrix", { row: row + 1, column: column + 1, value });
  }
  if (kinds.column === "f")
    return strings.text("cellName.vector", { row: word(kinds.row, row), column: column + 1, value });
  if (kinds.row === "f")
    return strings.text("cellName.vector", { row: word(kinds.column, column), column: row + 1, value });
  return strings.text("cellName.pair", { row: word(kinds.row, row), key: word(kinds.column, column), value });
}
