import { LEVELS } from "../draw/cursor.ts";
import { type AttributeCheck, exampleName, oneOf } from "./directives/kinds.ts";
import { stageNames } from "./roles.ts";

/** What a lesson may write on `<loom-attention>`, and how each value is judged. */
export const attentionAttributes: ReadonlyMap<string, AttributeCheck> = new Map([
  ["example", exampleName],
  ["stage", oneOf(stageNames)],
  ["level", oneOf(LEVELS)],
]);
