// Any one cell in words: whose it is, where it stands, and its number.

import type { CellRef } from "../core/types.ts";
import { nameOf, parameterSymbol, shownWord } from "./names.ts";
import type { Scene } from "./scene.ts";
import { hides } from "./sentence.ts";
import { axisKinds, cellIn, isPerKey, isVector, type StageShape } from "./shape.ts";
import { type Role, roleOf } from "./tokens.ts";
import { exactText, isHidden, spokenCell } from "./view.ts";

/** One cell, ready to be written. */
export interface CellWords extends CellRef {
  readonly role: Role;
  /** Of the stage or input; of a projection or bias the symbol. */
  readonly name: string;
  /** Its head, row and column by word: "la → house", "la, number 2", "row 1, column 2". */
  readonly place: string;
  /** The number as it is written in its matrix. */
  readonly text: string;
  /** The float32 in full; empty where the text is exact. */
  readonly exact: string;
  /** What is read aloud: stage, place and number. */
  readonly spoken: string;
}

/** A row or column by word. */
export function axisWord(
  { strings, tokensQ, tokensKv, numbers }: Scene,
  name: string,
  axis: "row" | "column",
  i: number,
) {
  const [row, column] = axisKinds(numbers.of(name).description);
  const kind = axis === "row" ? row : column;
  if (kind !== "f") return shownWord((kind === "q" ? tokensQ : tokensKv)[i] ?? String(i + 1));
  if (axis === "row") return strings.text("asked.row", { n: i + 1 });
  return strings.text(row === "f" ? "asked.column" : "asked.number", { n: i + 1 });
}

/** The number of a cell as it is written in its matrix. */
export function cellText({ numbers, strings }: Scene, { stage, index }: CellRef): string {
  const [head = 0, row = 0, key = 0] = index;
  const isBlocked = hides.has(stage) && isHidden(numbers, head, row, key);
  return isBlocked ? strings.text("blocked") : numbers.text(stage, index);
}

/** True where every cell has a row of its own: a maximum, a sum. */
const isOfRow = (stage: StageShape) => (stage.operation === "max" || stage.operation === "sum") && !isPerKey(stage);

function placeOf(scene: Scene, { stage, index }: CellRef): string {
  const { strings, numbers } = scene;
  const { description, grid } = numbers.of(stage);
  const { head, row, column } = cellIn(description, index);
  const [rowKind, columnKind] = axisKinds(description);
  const places: string[] = [];
  if (grid.heads > 1) places.push(strings.text("position.head", { n: head + 1 }));
  if (isOfRow(description)) places.push(axisWord(scene, stage, "row", row));
  else if (isPerKey(description)) places.push(axisWord(scene, stage, "column", column));
  else if (isVector(description)) places.push(strings.text("asked.number", { n: (index[0] ?? 0) + 1 }));
  else {
    const [down, across] = [axisWord(scene, stage, "row", row), axisWord(scene, stage, "column", column)];
    if (rowKind === "f" || columnKind === "f") places.push(down, across);
    else places.push(strings.text("position.cell", { row: down, column: across }));
  }
  return places.join(", ");
}

function spokenOf(scene: Scene, { stage, index }: CellRef, name: string, text: string): string {
  const { numbers, strings } = scene;
  const { description, grid } = numbers.of(stage);
  const { head, row, column } = cellIn(description, index);
  const [rowKind, columnKind] = axisKinds(description);
  const cell = isVector(description)
    ? strings.text("asked.numberValue", { n: (index[0] ?? 0) + 1, value: text })
    : spokenCell(scene, { name: stage }, { row: rowKind, column: columnKind }, row, column, text);
  const where = grid.heads > 1 ? `${strings.text("position.head", { n: head + 1 })}, ${cell}` : cell;
  return strings.text("asked.cell", { name, cell: where });
}

/** A cell in words. */
export function cellWords(scene: Scene, cell: CellRef): CellWords {
  const { strings, numbers } = scene;
  const { stage, index } = cell;
  const name = nameOf(strings, stage, scene.self);
  const symbol = parameterSymbol(stage);
  const text = cellText(scene, cell);
  return {
    stage,
    index,
    role: roleOf(stage),
    name: symbol ?? name,
    place: placeOf(scene, cell),
    text,
    exact: exactText(numbers.value(stage, index), text, numbers.mark),
    spoken: spokenOf(scene, cell, symbol ? `${name} ${symbol}` : name, text),
  };
}
