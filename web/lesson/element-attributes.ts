import { LEVELS } from "../draw/cursor.ts";
import { exampleNames } from "../elements/examples.ts";
import { type AttributeCheck, anything, exampleName, oneOf } from "./directives/kinds.ts";

/** An example that the live element has too; another one would only stand there until the script arrives. */
const liveExample: AttributeCheck = (value, context) =>
  exampleName(value, context) ??
  (exampleNames.includes(value)
    ? undefined
    : `must be an example that the element has (${exampleNames.join(", ")}); web/elements/examples.ts lists them`);

/** What a lesson may write on `<loom-attention>`, and how each value is judged. */
export const attentionAttributes: ReadonlyMap<string, AttributeCheck> = new Map([
  ["example", liveExample],
  // Which stages there are depends on the example; the figure asks its trace.
  ["stage", anything],
  ["level", oneOf(LEVELS)],
]);
