// A frame as plain data: which tables stand where, and how each of their cells looks. No markup here.

import type { OperandAxis, OperandDescription } from "../core/types.ts";
import type { Cursor } from "./cursor.ts";
import { matrixPicture } from "./matrix-picture.ts";
import { formatAlone } from "./number.ts";
import { isInside, type Span } from "./pages.ts";
import { type Scene, sceneScale } from "./scene.ts";
import { type AxisKind, axisKinds, hasAddend, indexIn, isPerKey, operandIndex } from "./shape.ts";
import { type Shares, sharesOf } from "./shares.ts";
import type { Role } from "./tokens.ts";
import { countRowStates, type View } from "./view.ts";

/** Where a table stands. An addend is one row that is added to every row of the result. */
export type Slot = "left" | "top" | "addend" | "through" | "result" | "input";

/** One cell, ready to be written. */
export interface CellPicture {
  readonly text: string;
  /** Class names: tint, sign and state. */
  readonly look: string;
  /** What is read aloud. */
  readonly spoken: string;
  /** The float32 in full; empty where the text is exact. */
  readonly exact: string;
  /** What it was at the start, in words; empty where it is the same. */
  readonly was: string;
  /** The same as it stands in the cell, where that is wanted. */
  readonly wasShown: string;
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
  /** The rows and columns on view, and how many there are. */
  readonly down: Span;
  readonly across: Span;
  /** What the pages of its rows and of its columns turn with. */
  readonly pageKeys: readonly [down: string, across: string];
  /** Those on view. */
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
  /** The text is a symbol such as "b_Q". */
  readonly isSymbol?: boolean;
}

/** One frame. */
export interface Picture {
  readonly stage: string;
  readonly layout: "corner" | "through";
  readonly level: Cursor["level"];
  /** Which of the rows on view is the current one, counted from 0; −1 where it is not on view. */
  readonly row: number;
  readonly matrices: readonly MatrixPicture[];
  /** What its rows and columns stand for. */
  readonly kinds: readonly [AxisKind, AxisKind];
  /** Which lines of weights sum to 1 where they have something to see, and finite numbers. */
  readonly along: Shares["along"];
  /** All of them have. */
  readonly sumsToOne: Shares["along"];
  /** What is done to the row that moves through, for instance "· 0.5774". */
  readonly operator: string;
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
    rowAxis: OperandAxis | "none",
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
        const place = {
          ...at,
          ...(rowAxis !== "none" && { [rowAxis]: row }),
          ...(columnAxis !== "none" && { [columnAxis]: column }),
        };
        return operandIndex(operand.axes, place);
      },
    };
  };

  const [first, second] = operands;
  const views: View[] = [];
  const layout = operation === "dot" || isPerKey(description) ? "corner" : "through";
  if (operation === "dot" && first && second) {
    views.push(view("left", first, "row", "term"), view("top", second, "term", "column"));
    const third = hasAddend(description) ? operands[2] : undefined;
    if (third) views.push({ ...view("addend", third, "none", "column"), rows: 1 });
  } else if (first && isPerKey(description)) {
    views.push(view("top", first, "term", "column"));
  } else if (first && second && isPerKey(numbers.of(second.stage).description)) {
    // One number for each key hangs from the top.
    views.push(view("left", first, "row", "column"), view("top", second, "none", "column"));
  } else if (first && operation !== "copy") {
    views.push(view("left", first, "row", operation === "max" || operation === "sum" ? "term" : "column"));
    if (second && !second.axes.includes("column") && second.axes.includes("row")) {
      views.push(view("through", second, "row", "none"));
    }
  }
  const { empty, notFinite } = countRowStates(numbers);
  const { along } = sharesOf(numbers);
  const matrices = [...views, whole].map((each) => matrixPicture(scene, each));
  const down = matrices.at(-1)?.down;
  return {
    stage: cursor.stage,
    layout,
    kinds: axisKinds(description),
    along,
    sumsToOne: empty + notFinite === 0 ? along : "none",
    level: cursor.level,
    row: down && isInside(down, cursor.row) ? cursor.row - down.from : -1,
    operator: operatorText(scene, operation),
    matrices,
  };
}

/** An input by itself, to be edited; of several heads the one on view. */
export function inputPicture(scene: Scene, name: string): MatrixPicture {
  const { description, grid } = scene.numbers.of(name);
  const at: Scene = { ...scene, compact: false, cursor: { ...scene.cursor, level: "stage" } };
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
  if (operation === "shift" && !trace.stages.includes("rowmax")) return `÷ ${formatAlone(trace.temperature, mark)}`;
  if (operation === "shift")
    return trace.temperature === 1 || trace.temperature === 0 ? "−" : `−, ÷ ${formatAlone(trace.temperature, mark)}`;
  const signs: Record<string, string> = {
    max: "max",
    cap: "tanh",
    exp: "eˣ",
    sum: "Σ",
    divide: "÷",
    mask: scene.strings.text("operator.mask"),
  };
  return Object.hasOwn(signs, operation) ? (signs[operation] as string) : "→";
}
