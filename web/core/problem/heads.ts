import { wrongShape } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { wholeNumber } from "./check.ts";
import type { Problem } from "./problem.ts";

export function readHeads(problem: Problem, fields: Fields): void {
  const heads = "heads" in fields ? wholeNumber("heads", fields.heads, 1) : 1;
  const kvHeads = "kvHeads" in fields ? wholeNumber("kvHeads", fields.kvHeads, 1) : heads;
  if (heads % kvHeads !== 0) {
    throw wrongShape(
      "kvHeads",
      kvHeads,
      `kvHeads is ${kvHeads}, but heads is ${heads}: the heads must share keys and values in equal groups.`,
    );
  }
  problem.heads = heads;
  problem.kvHeads = kvHeads;
}
