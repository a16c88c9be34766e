// Where the reader is, and what an edit has done, as text.

import { nameOf, shownWord, symbolOf } from "../draw/names.ts";
import { formatAlone } from "../draw/number.ts";
import { type Scene, titleOf } from "../draw/scene.ts";
import { axisKinds, isPerKey, stepsOf } from "../draw/shape.ts";
import type { Strings } from "../strings/index.ts";
import {
  type Action,
  type InputName,
  isSelf,
  type MatrixChange,
  type Model,
  type OptionChange,
  sideOf,
} from "./state/index.ts";

const traceNames: Readonly<Partial<Record<InputName, string>>> = { q: "queries", k: "keys", v: "values" };
const inputNames: Readonly<Record<string, InputName>> = { queries: "q", keys: "k", values: "v" };

/** The name that a given matrix has in the trace. */
export const traceName = (name: InputName): string => traceNames[name] ?? name;
/** The given matrix that a name in the trace stands for. */
export const inputName = (name: string): InputName => inputNames[name] ?? (name as InputName);

/** Stage, head, row, cell and term, as far as the level goes: "scores · la → house · term 2 of 3". */
export function placeText(scene: Scene): string {
  const { cursor, strings, numbers, tokensQ, tokensKv } = scene;
  const { description, grid } = numbers.of(cursor.stage);
  const [rowKind, columnKind] = axisKinds(description);
  const word = (kind: string, i: number) =>
    kind === "f" ? String(i + 1) : shownWord((kind === "q" ? tokensQ : tokensKv)[i] ?? "");
  const parts = [titleOf(scene, cursor.stage)];
  if (grid.heads > 1) parts.push(strings.text("position.head", { n: cursor.head + 1 }));
  const hasCells = grid.heads * grid.rows * grid.columns > 0;
  const row = word(rowKind, cursor.row);
  const isColumn = description.operation === "max" || description.operation === "sum";
  if (cursor.level !== "stage" && hasCells && isPerKey(description)) {
    // All keys are one row.
    if (cursor.level !== "row") parts.push(strings.text("position.row", { row: word(columnKind, cursor.column) }));
  } else if (cursor.level !== "stage" && hasCells) {
    parts.push(
      cursor.level === "row" || isColumn
        ? strings.text("position.row", { row })
        : strings.text("position.cell", { row, column: word(columnKind, cursor.column) }),
    );
  }
  const terms = stepsOf(description);
  if (cursor.level === "term" && terms > 1 && hasCells) {
    parts.push(strings.text("position.term", { term: cursor.term + 1, terms }));
  }
  return parts.join(" · ");
}

/** What is said after an edit; `before` is the model it was done to. */
export function editText(strings: Strings, action: Action, before: Model, mark?: string): string {
  switch (action.type) {
    case "undo":
      return strings.text("edit.undone");
    case "redo":
      return strings.text("edit.redone");
    case "reset":
      return strings.text("edit.reset");
    case "word":
      return strings.text("edit.renamed");
    case "words": {
      const known = [...sideOf(before, action.side).words];
      const fresh = action.words.filter((word) => {
        const at = known.indexOf(word);
        if (at >= 0) known.splice(at, 1);
        return at < 0;
      });
      return action.words.length === 0 ? strings.text("noTokens") : strings.text("edit.newWords", { n: fresh.length });
    }
    case "edit":
      return strings.text("edit.changed", {
        name: nameOf(strings, traceName(action.matrix), isSelf(before)),
        row: action.row + 1,
        column: action.column + 1,
        value: formatAlone(action.value, mark),
      });
    case "model":
      return strings.text("edit.model", { q: action.model.tokensQ.length, kv: action.model.tokensKv.length });
    case "option":
      return optionText(strings, action.change, mark);
    case "matrices":
      return matricesText(strings, action.change, before);
    default:
      return "";
  }
}

const NO_SCALE = { symbol: "" };

/** Which matrices are new, replaced or gone; those that stay as they were are not named. */
function matricesText(strings: Strings, change: MatrixChange, { matrices }: Model): string {
  return (Object.keys(change) as InputName[])
    .filter((name) => JSON.stringify(change[name]) !== JSON.stringify(matrices[name]))
    .map((name) => {
      const key = !change[name] ? "edit.matrixGone" : matrices[name] ? "edit.matrix" : "edit.matrixNew";
      return strings.text(key, { name: symbolOf(name, NO_SCALE) });
    })
    .join(" ");
}

/** What a changed setting is now. Masks are counted by whoever has the new model. */
function optionText(strings: Strings, change: OptionChange, mark?: string): string {
  const said = (["scale", "temperature", "softCap", "heads"] as const).filter((name) => name in change);
  return said
    .map((name) => {
      const value = change[name];
      const label = strings.text(`setting.${name}`);
      return value === undefined
        ? strings.text("edit.settingDefault", { name: label })
        : strings.text("edit.setting", { name: label, value: formatAlone(value, mark) });
    })
    .join(" ");
}
