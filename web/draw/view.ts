// One table of a frame: what its axes are, and how it and its cells are named.

import type { OperandAxis } from "../core/types.ts";
import { spokenWord } from "./names.ts";
import type { Slot } from "./picture.ts";
import type { Scene } from "./scene.ts";
import { type AxisKind, axisKinds } from "./shape.ts";

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
  const [own, across] = axisKinds(view.name);
  const isShared = view.name === "x" && view.slot !== "input" && axisKinds(scene.cursor.stage)[0] === "kv";
  const row = isShared ? "kv" : own;
  return isHanging(view, scene) ? { row: across, column: row } : { row, column: across };
}

/** The axis rule, for the caption of a table of queries by keys. */
export function axesSentence({ strings }: Scene, view: View): string {
  const [row, column] = axisKinds(view.name);
  if (view.name === "weights") return strings.text("caption.axesWeights");
  if (view.name === "rowmax" || view.name === "rowsum" || (row === "q" && column === "kv"))
    return strings.text("caption.axesScores");
  return row === "f" ? "" : strings.text("caption.axesVectors");
}

/** A cell as it is read aloud: whose it is, and its value. */
export function spokenCell(
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
