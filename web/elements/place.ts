// Where the reader is, and what an edit has done, as text.

import { nameOf, shownWord } from "../draw/names.ts";
import { formatAlone } from "../draw/number.ts";
import { type Scene, titleOf } from "../draw/scene.ts";
import { axisKinds, isPerKey } from "../draw/shape.ts";
import type { Strings } from "../strings/index.ts";
import { type Action, type InputName, isSelf, type Model, sideOf } from "./state/index.ts";

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
  if (cursor.level === "term" && description.terms > 1 && hasCells) {
    parts.push(strings.text("position.term", { term: cursor.term + 1, terms: description.terms }));
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
    default:
      return "";
  }
}
