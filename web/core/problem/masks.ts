// Masks that are given as matrices.

import { wrongShape } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { ADDEND, array, type Incoming, Widened, YES_NO } from "../incoming/index.ts";
import { count, readWord, text } from "./check.ts";
import type { Problem } from "./problem.ts";

const RANKS: readonly number[] = [2, 3, 4];

export function readMasks(problem: Problem, fields: Fields): void {
  const short = "shortMasks" in fields && readWord("shortMasks", fields.shortMasks, ["block"]) === 0;
  if ("allow" in fields) place(problem, array("allow", fields.allow, RANKS, YES_NO), short, 0, 1);
  if ("add" in fields) place(problem, array("add", fields.add, RANKS, ADDEND), short, Number.NEGATIVE_INFINITY, 0);
}

/** Every axis is full, or 1 and then the same for all. */
function place(problem: Problem, mask: Incoming, short: boolean, blocked: number, extra: number): void {
  const { nQ, maskable, keys, heads, options } = problem;
  const { name, shape } = mask;
  const rank = shape.length;
  const full = [Math.max(problem.batch, 1), heads, nQ, maskable].slice(4 - rank);
  // Nested rows of nothing say nothing of their width: [] and [[], []] stand for any mask without queries.
  const empty =
    nQ === 0 && shape.every((size, axis) => size === 0 || axis === 0) && (rank === 2 || shape[0] === full[0]);
  const fits = shape.every((size, axis) => {
    const wanted = full[axis] as number;
    return size === wanted || size === 1 || (short && axis === rank - 1 && size < wanted);
  });
  if (!fits && !empty) {
    const hint = (shape[rank - 1] as number) < maskable ? ', and shortMasks: "block" fills up short rows' : "";
    throw wrongShape(
      name,
      shape,
      `${name} is ${text(shape)}, but ${count(nQ, "query", "queries")} and ${count(maskable, "key")} need ${wantedShapes(problem)}; a size of 1 is the same for all${hint}.`,
    );
  }
  const size = (option: string, axis: number) => {
    const at = axis + rank - 4;
    options.put(`${name}_${option}`, empty ? (axis === 2 ? 0 : 1) : at < 0 ? 1 : (shape[at] as number));
  };
  options.put(`${name}_rank`, empty ? 2 : rank);
  size("batch", 0);
  size("heads", 1);
  size("rows", 2);
  const exact = empty || shape[rank - 1] === keys;
  problem.fill(name, exact ? mask : new Widened(mask, { keys, maskable, blocked, extra }));
}

function wantedShapes({ nQ, maskable, heads, batch }: Problem): string {
  const shapes = [text([nQ, maskable])];
  if (heads > 1) shapes.push(`for each head ${text([heads, nQ, maskable])}`);
  if (batch > 0) shapes.push(`for each batch entry ${text([batch, heads, nQ, maskable])}`);
  return shapes.join(" or ");
}
