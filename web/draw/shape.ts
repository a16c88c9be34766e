// Heads, rows and columns: how a stage of any rank is laid out on paper.

import type { CellRef, OperandAxis, Operation } from "../core/types.ts";

/** What the frames depend on; every StageDescription of a trace is one. */
export interface StageShape {
  readonly name: string;
  readonly shape: readonly number[];
  /** What each axis of the shape is. */
  readonly axes?: readonly OperandAxis[];
  readonly operation: Operation;
  /** Terms that make one cell, without an addend. */
  readonly terms: number;
  /** What is added behind the terms of a sum is one term more. */
  readonly parts?: readonly { readonly addend: boolean }[];
}

/** Heads, rows and columns. */
export interface Grid {
  readonly heads: number;
  readonly rows: number;
  readonly columns: number;
}

const isFold = ({ operation }: StageShape): boolean => operation === "max" || operation === "sum";

/** A maximum or a sum of columns: one for each key. */
export const isPerKey = (stage: StageShape): boolean => isFold(stage) && (stage.axes?.includes("column") ?? false);

/** A bias: one number for each column. */
export const isVector = (stage: StageShape): boolean => stage.shape.length === 1 && !isFold(stage);

/** Is a bias added to each cell of the stage? */
export const hasAddend = ({ parts = [] }: StageShape): boolean => parts[0]?.addend ?? false;

/** Steps that make one cell: its terms, and a bias as one more. A cell of no terms still has to be written. */
export const stepsOf = (stage: StageShape): number => Math.max(1, stage.terms + (hasAddend(stage) ? 1 : 0));

/** Heads, rows and columns of a stage. A maximum or a sum has one column, of columns one row; what has no head axis has one head. */
export function gridOf(stage: StageShape): Grid {
  const { shape } = stage;
  if (shape.length >= 3) return { heads: shape[0] ?? 0, rows: shape[1] ?? 0, columns: shape[2] ?? 0 };
  if (isPerKey(stage)) return { heads: shape[0] ?? 0, rows: 1, columns: shape[1] ?? 0 };
  if (isFold(stage)) return { heads: shape[0] ?? 0, rows: shape[1] ?? 0, columns: 1 };
  if (isVector(stage)) return { heads: 1, rows: 1, columns: shape[0] ?? 0 };
  return { heads: 1, rows: shape[0] ?? 0, columns: shape[1] ?? 0 };
}

/** The index of cell [head, row, column] in a stage's own axes. */
export function indexIn(stage: StageShape, head: number, row: number, column: number): number[] {
  if (stage.shape.length >= 3) return [head, row, column];
  if (isVector(stage)) return [column];
  if (isPerKey(stage)) return [head, column];
  return isFold(stage) ? [head, row] : [row, column];
}

/** The cell that an index of a stage stands for: what {@link indexIn} says, the other way round. */
export function cellIn(stage: StageShape, index: readonly number[]): { head: number; row: number; column: number } {
  const [first = 0, second = 0, third = 0] = index;
  if (stage.shape.length >= 3) return { head: first, row: second, column: third };
  if (isVector(stage)) return { head: 0, row: 0, column: first };
  if (isPerKey(stage)) return { head: first, row: 0, column: second };
  return isFold(stage) ? { head: first, row: second, column: 0 } : { head: 0, row: first, column: second };
}

/** A cell as one word, for markup: "scores 0,1,3". */
export const cellKey = ({ stage, index }: CellRef): string => `${stage} ${index.join(",")}`;

/** The cell that {@link cellKey} has written. */
export function cellOfKey(key: string): CellRef {
  const [stage = "", index = ""] = key.split(" ");
  return { stage, index: index.split(",").map(Number) };
}

/** The place in the flat data. */
export function flatIndex(shape: readonly number[], index: readonly number[]): number {
  return shape.reduce((flat, size, axis) => flat * size + (index[axis] ?? 0), 0);
}

/** Where an operand's cell lies, for the cell [head, row, column] that is made and one of its terms. */
export function operandIndex(
  axes: readonly OperandAxis[],
  at: { head: number; row: number; column: number; term: number; headWidth: number; group?: number },
): number[] {
  return axes.map((axis) => {
    switch (axis) {
      case "head":
      case "row":
      case "column":
      case "term":
        return at[axis];
      case "headColumn":
        return at.head * at.headWidth + at.column;
      case "columnHead":
        return Math.floor(at.column / at.headWidth);
      case "columnInHead":
        return at.column % at.headWidth;
      case "kvHead":
        return Math.floor(at.head / (at.group ?? 1));
      default:
        return 0; // of what the figure does not show: batches, parts of keys, turns
    }
  });
}

/** What the rows and columns of a stage or input stand for: query words, key words, or places in a vector. */
export type AxisKind = "q" | "kv" | "f";

const kinds: ReadonlyMap<string, readonly [AxisKind, AxisKind]> = new Map<string, readonly [AxisKind, AxisKind]>([
  ["x", ["q", "f"]],
  ["xKv", ["kv", "f"]],
  ["wQ", ["f", "f"]],
  ["wK", ["f", "f"]],
  ["wV", ["f", "f"]],
  ["wO", ["f", "f"]],
  ["bQ", ["f", "f"]],
  ["bK", ["f", "f"]],
  ["bV", ["f", "f"]],
  ["bO", ["f", "f"]],
  ["queries", ["q", "f"]],
  ["keys", ["kv", "f"]],
  ["values", ["kv", "f"]],
  ["output", ["q", "f"]],
  ["concat", ["q", "f"]],
  ["projected", ["q", "f"]],
  ["rowmax", ["q", "f"]],
  ["rowsum", ["q", "f"]],
]);

/** The same by name alone: as in a usual softmax. */
export const usualKinds = (name: string): readonly [AxisKind, AxisKind] => kinds.get(name) ?? ["q", "kv"];

/** What rows and columns stand for; what is not known by name is a table of queries by keys. */
export const axisKinds = (stage: StageShape): readonly [AxisKind, AxisKind] =>
  isPerKey(stage) ? ["f", "kv"] : usualKinds(stage.name);
