// Heads, rows and columns: how a stage of any rank is laid out on paper.

import type { OperandAxis, Operation } from "../core/types.ts";

/** What the frames depend on; every StageDescription of a trace is one. */
export interface StageShape {
  readonly name: string;
  readonly shape: readonly number[];
  /** What each axis of the shape is. */
  readonly axes?: readonly OperandAxis[];
  readonly operation: Operation;
  /** Terms that make one cell. 0 counts as one frame: the cell still has to be written. */
  readonly terms: number;
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

/** Heads, rows and columns of a stage. A maximum or a sum has one column, of columns one row; what has no head axis has one head. */
export function gridOf(stage: StageShape): Grid {
  const { shape } = stage;
  if (shape.length >= 3) return { heads: shape[0] ?? 0, rows: shape[1] ?? 0, columns: shape[2] ?? 0 };
  if (isPerKey(stage)) return { heads: shape[0] ?? 0, rows: 1, columns: shape[1] ?? 0 };
  if (isFold(stage)) return { heads: shape[0] ?? 0, rows: shape[1] ?? 0, columns: 1 };
  return { heads: 1, rows: shape[0] ?? 0, columns: shape[1] ?? 0 };
}

/** The index of cell [head, row, column] in a stage's own axes. */
export function indexIn(stage: StageShape, head: number, row: number, column: number): number[] {
  if (stage.shape.length >= 3) return [head, row, column];
  if (isPerKey(stage)) return [head, column];
  return isFold(stage) ? [head, row] : [row, column];
}

/** The cell that an index of a stage stands for: what {@link indexIn} says, the other way round. */
export function cellIn(stage: StageShape, index: readonly number[]): { head: number; row: number; column: number } {
  const [first = 0, second = 0, third = 0] = index;
  if (stage.shape.length >= 3) return { head: first, row: second, column: third };
  if (isPerKey(stage)) return { head: first, row: 0, column: second };
  return isFold(stage) ? { head: first, row: second, column: 0 } : { head: 0, row: first, column: second };
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
  ["queries", ["q", "f"]],
  ["keys", ["kv", "f"]],
  ["values", ["kv", "f"]],
  ["output", ["q", "f"]],
  ["concat", ["q", "f"]],
  ["rowmax", ["q", "f"]],
  ["rowsum", ["q", "f"]],
]);

/** What rows and columns stand for; everything else is a table of queries by keys. By name alone: as in a usual softmax. */
export function axisKinds(stage: string | StageShape): readonly [AxisKind, AxisKind] {
  if (typeof stage === "string") return kinds.get(stage) ?? ["q", "kv"];
  return isPerKey(stage) ? ["f", "kv"] : axisKinds(stage.name);
}
