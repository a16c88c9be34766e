import type { AttendX, Loom, Trace } from "../core/types.ts";
import { exampleInput, type StillExample } from "../draw/still-example.ts";

/** The data of one example in `content/examples`. */
export interface Example extends StillExample {
  readonly name: string;
}

/** Computes an example with the core, every stage kept. */
export function traceOf(loom: Loom, example: Example, options: Partial<AttendX> = {}): Trace {
  const { trace } = loom.attend({ ...exampleInput(example), ...options, trace: true });
  if (!trace) throw new Error("The core returned no trace although trace: true was asked for.");
  return trace;
}

/** Reads the JSON of an example. Throws an Error with one sentence when something is missing or of the wrong form. */
export function readExample(json: string): Example {
  const data = JSON.parse(json) as Record<string, unknown>;
  if (typeof data.name !== "string") throw new Error("The example has no name.");
  // Words that look at themselves are written once.
  const isSelf = data.xKv === undefined && data.tokensKv === undefined;
  if (isSelf) data.tokensKv = data.tokensQ;
  for (const key of ["tokensQ", "tokensKv"]) {
    const tokens = data[key];
    if (!Array.isArray(tokens) || !tokens.every((t) => typeof t === "string")) {
      throw new Error(`The example's ${key} must be a list of words.`);
    }
  }
  const optional = ["xKv", "wO"].filter((key) => data[key] !== undefined || (key === "xKv" && !isSelf));
  for (const key of ["x", "wQ", "wK", "wV", ...optional]) {
    const rows = data[key];
    const width = Array.isArray(rows) && Array.isArray(rows[0]) ? rows[0].length : -1;
    const even =
      Array.isArray(rows) &&
      rows.every((row) => Array.isArray(row) && row.length === width && row.every((n) => Number.isFinite(n)));
    if (!even) throw new Error(`The example's ${key} must be rows of equal length of finite numbers.`);
  }
  const { heads = 1 } = data;
  if (!Number.isInteger(heads) || (heads as number) < 1) throw new Error("The example's heads must be a whole number.");
  const example = data as unknown as Example;
  const { x, xKv = x } = example;
  if (x.length !== example.tokensQ.length || xKv.length !== example.tokensKv.length) {
    throw new Error("The example needs one row of x per tokensQ and one row of xKv per tokensKv.");
  }
  return example;
}
