// A stage as a program says it: the name of its array, the loops around one statement, and what stands in the brackets.
// Read from the description that the core gives, so that there is one entry for each operation and none for a stage.

import type { OperandAxis, Operation, StageDescription } from "../../core/types.ts";
import type { Numbers } from "../numbers.ts";
import { type AxisKind, axisKinds, isPerKey, usualKinds } from "../shape.ts";
import { countRowStates, hasEmptyLines } from "../view.ts";

/** One loop: its letter, as in the formulas, and how often it runs. */
export interface Loop {
  readonly letter: string;
  readonly size: number;
  /** What it counts: words that ask, words that answer, places in a vector; nothing for heads. */
  readonly kind: AxisKind | undefined;
}

/** One operand: its array, and what stands in the brackets for each of its axes. */
export interface RecipeOperand {
  readonly array: string;
  readonly axes: readonly OperandAxis[];
  readonly index: readonly string[];
}

/** How one stage is made. */
export interface Recipe {
  readonly stage: string;
  readonly array: string;
  readonly operation: Operation;
  /** The outermost first. With one head there is no loop for the heads. */
  readonly loops: readonly Loop[];
  /** Of products, sums and maxima. */
  readonly term: Loop | undefined;
  readonly operands: readonly RecipeOperand[];
  /** The last operand is added when the sum is done. */
  readonly hasAddend: boolean;
  /** A maximum or a sum of columns, one for each key. */
  readonly isPerKey: boolean;
  /** There is a mask, which is `allow`. */
  readonly isMasked: boolean;
  readonly heads: number;
  /** Columns of one head, where heads lie side by side. */
  readonly headWidth: number;
  /** Of "scale" the factor, of "shift" the temperature, of "cap" the cap. */
  readonly constant: number;
  readonly guards: Guards;
}

/** What has to be said because it comes up: ∞ − ∞ and 0 ÷ 0 give no number. */
export interface Guards {
  /** Some row may look at nothing, or a column is seen by nobody, or a row has left the range of float32. */
  readonly rows: boolean;
  /** Some row has left the range of float32, so that there may be cells that are no number. */
  readonly numbers: boolean;
}

/** As in the formulas; what has no letter there is called by the name of its stage. */
const arrays: ReadonlyMap<string, string> = new Map([
  ["x", "X"],
  ["xKv", "X_kv"],
  ["wQ", "W_Q"],
  ["wK", "W_K"],
  ["wV", "W_V"],
  ["wO", "W_O"],
  ["bQ", "b_Q"],
  ["bK", "b_K"],
  ["bV", "b_V"],
  ["bO", "b_O"],
  ["queries", "Q"],
  ["keys", "K"],
  ["values", "V"],
  ["scores", "S"],
  ["scaled", "Z"],
  ["capped", "C"],
  ["masked", "M"],
  ["rowmax", "m"],
  ["shifted", "D"],
  ["exp", "E"],
  ["rowsum", "r"],
  ["weights", "A"],
]);

/** What the array of a stage or input is called. */
export const arrayName = (name: string): string => arrays.get(name) ?? name;

/** i counts words that ask, j words that answer, c the numbers of a result, t those that are summed over. */
const letterOf = (kind: AxisKind, feature: "c" | "t") => (kind === "q" ? "i" : kind === "kv" ? "j" : feature);

export function guardsOf(numbers: Numbers): Guards {
  const { empty, notFinite } = countRowStates(numbers);
  return { rows: empty + notFinite > 0 || hasEmptyLines(numbers), numbers: notFinite > 0 };
}

function constantOf(numbers: Numbers, { name, operation, shape }: StageDescription): number {
  if (operation === "scale") return numbers.trace.scale;
  if (operation === "shift") return numbers.trace.temperature;
  if (operation !== "cap" || shape.some((size) => size === 0)) return 1;
  return (
    numbers.trace.origin(
      name,
      shape.map(() => 0),
    ).constant ?? 1
  );
}

/** The recipe of a stage. The guards are the same for all stages. */
export function recipeOf(numbers: Numbers, stage: string, guards = guardsOf(numbers)): Recipe {
  const { description } = numbers.of(stage);
  const { operation, operands, terms, headWidth, shape, axes } = description;
  const { heads } = numbers.trace;
  const [rowKind, columnKind] = axisKinds(description);
  const sizeOf = (axis: OperandAxis) => shape[axes.indexOf(axis)] ?? 0;
  const letters: Partial<Record<OperandAxis, string>> = {
    head: "h",
    row: letterOf(rowKind, "c"),
    column: letterOf(columnKind, "c"),
  };
  const loops: Loop[] = [];
  if (axes.includes("head") && heads > 1) loops.push({ letter: "h", size: sizeOf("head"), kind: undefined });
  if (axes.includes("row")) loops.push({ letter: letters.row ?? "i", size: sizeOf("row"), kind: rowKind });
  if (axes.includes("column")) loops.push({ letter: letters.column ?? "c", size: sizeOf("column"), kind: columnKind });

  const isMany = operation === "dot" || operation === "sum" || operation === "max";
  const [first] = operands;
  const perKey = isPerKey(description);
  const termKind = first ? usualKinds(first.stage)[perKey ? 0 : 1] : "f";
  const term: Loop | undefined = isMany ? { letter: letterOf(termKind, "t"), size: terms, kind: termKind } : undefined;

  const bracket = (axis: OperandAxis): string[] => {
    const column = letters.column ?? "c";
    switch (axis) {
      case "head":
      case "kvHead":
        return heads > 1 ? ["h"] : [];
      case "row":
      case "column":
        return [letters[axis] ?? axis];
      case "term":
        return [term?.letter ?? "t"];
      case "headColumn":
        return [heads > 1 ? `h * ${headWidth} + ${column}` : column];
      case "columnHead":
        return heads > 1 ? [`${column} / ${headWidth}`] : [];
      case "columnInHead":
        return [heads > 1 ? `${column} % ${headWidth}` : column];
      default:
        return ["0"]; // of what the figure does not show
    }
  };
  const last = operands.at(-1);
  return {
    stage,
    array: arrayName(stage),
    operation,
    loops,
    term,
    operands: operands.map((operand) => ({
      array: arrayName(operand.stage),
      axes: operand.axes,
      index: operand.axes.flatMap(bracket),
    })),
    hasAddend: operation === "dot" && last !== undefined && !last.axes.includes("term"),
    isPerKey: perKey,
    isMasked: numbers.has("masked"),
    heads,
    headWidth,
    constant: constantOf(numbers, description),
    guards,
  };
}
