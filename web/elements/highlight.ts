// What a page points at: `{ stage: "scores", row: "la", column: "house" }`.

import type { Numbers } from "../draw/numbers.ts";
import type { Highlight } from "../draw/scene.ts";
import { axisKinds } from "../draw/shape.ts";
import type { Model } from "./state/index.ts";

/** A stage, or a row, a column or a cell of it: by word, or by number counted from 0. */
export interface GivenHighlight {
  readonly stage: string;
  readonly row?: string | number | undefined;
  readonly column?: string | number | undefined;
}

/** The place in the stage as it now is. What names nothing here points at nothing: the page may speak of another model. */
export function highlightIn(
  given: GivenHighlight | null | undefined,
  numbers: Numbers,
  { tokensQ, tokensKv }: Pick<Model, "tokensQ" | "tokensKv">,
): Highlight | undefined {
  if (!given || !numbers.trace.stages.includes(given.stage)) return undefined;
  const [rowKind, columnKind] = axisKinds(numbers.of(given.stage).description);
  const place = (value: string | number | undefined, kind: string): number | undefined => {
    if (value === undefined || typeof value === "number") return value;
    return kind === "f" ? -1 : (kind === "q" ? tokensQ : tokensKv).indexOf(value);
  };
  const row = place(given.row, rowKind);
  const column = place(given.column, columnKind);
  return { stage: given.stage, ...(row !== undefined && { row }), ...(column !== undefined && { column }) };
}
