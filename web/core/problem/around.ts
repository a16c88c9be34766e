// What stands around the keys and behind the heads: cached and extra keys, gates, the output projection.

import { wrongOption, wrongShape } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { array, type Incoming, Rejoined, vector } from "../incoming/index.ts";
import { cols, count, readSwitch, rows, same, subFields, text } from "./check.ts";
import type { Problem } from "./problem.ts";

const PAST: ReadonlySet<string> = new Set(["k", "v"]);

export function readAround(problem: Problem, fields: Fields): void {
  if ("past" in fields) readPast(problem, fields.past);
  readExtraKeys(problem, fields);
  const { options, heads } = problem;
  if ("gates" in fields) {
    problem.fill("gates", vector("gates", fields.gates, heads, `${heads} heads`));
    options.put("gates", 1);
  }
  if ("wO" in fields) {
    const wO = array("wO", fields.wO);
    const width = heads * problem.dV;
    if (rows(wO) !== width) {
      throw wrongShape(
        "wO",
        wO.shape,
        `wO is ${text(wO.shape)}, but the values of ${heads} heads are ${problem.dV} wide each: wO needs ${width} rows.`,
      );
    }
    problem.attended = cols(wO);
    problem.fill("wO", wO);
    options.put("project_out", 1);
    problem.size("d_out", cols(wO), "wO");
  }
  if ("bO" in fields) {
    if (!("wO" in fields)) throw wrongOption("bO", fields.bO, "bO is added behind wO: give wO as well.");
    problem.fill("bO", vector("bO", fields.bO, problem.attended, "the columns of wO"));
    options.put("bias_o", 1);
  }
}

/** Cached keys and values come before the new ones, in the same layout, or in a batch also heads first. */
function readPast(problem: Problem, past: unknown): void {
  const fields = subFields("past", past, PAST, "k", "v");
  const { batch, kvHeads, dK, dV } = problem;
  // Queries, or tokens.
  const like = problem.matrices[0] as Incoming;
  const rank = like.shape.length;
  const ranks = rank === 3 ? [3, 4] : [rank];
  const one = (name: "k" | "v", d: number): Incoming => {
    const matrix = array(`past.${name}`, fields[name], ranks);
    const { shape } = matrix;
    const headsFirst = shape.length === 4;
    const wanted = headsFirst ? [batch, kvHeads, "n", d] : [...(batch > 0 ? [batch] : []), "n", kvHeads * d];
    const fits = wanted.every((size, axis) => {
      return size === "n" || size === shape[axis] || (axis === wanted.length - 1 && !matrix.widthKnown);
    });
    if (!fits) {
      const heads = `${count(kvHeads, "head")} of ${count(d, "column")}`;
      const entries = batch > 0 ? ` in ${count(batch, "batch entry", "batch entries")}` : "";
      throw wrongShape(
        matrix.name,
        shape,
        `${matrix.name} is ${text(shape)}, but ${heads}${entries} need [${wanted.join(", ")}].`,
      );
    }
    return headsFirst && rank === 3 ? new Rejoined(matrix) : matrix;
  };
  const k = one("k", dK);
  const v = one("v", dV);
  same(v, "rows", rows(v), rows(k), k);
  problem.nPast = rows(k);
  problem.size("n_past", problem.nPast, "keys");
  // The new ones follow.
  for (let i = 0; i < problem.count; i++) {
    if (problem.stages[i] === "keys" || problem.stages[i] === "values") problem.rows[i] = problem.nPast;
  }
  problem.fill("keys", k);
  problem.fill("values", v);
}

function readExtraKeys(problem: Problem, fields: Fields): void {
  const { options, kvHeads, dK, dV } = problem;
  problem.maskable = problem.nPast + problem.nNew;
  problem.keys = problem.maskable;
  if ("biasK" in fields || "biasV" in fields) {
    for (const name of ["biasK", "biasV"]) {
      if (!(name in fields))
        throw wrongOption(name, undefined, `${name} is missing: biasK and biasV are one more key and its value.`);
    }
    problem.fill("biasK", vector("biasK", fields.biasK, kvHeads * dK, "the columns of the keys"));
    problem.fill("biasV", vector("biasV", fields.biasV, kvHeads * dV, "the columns of the values"));
    options.put("extra_key", 1);
    problem.keys++;
  }
  if ("addZeroAttn" in fields && readSwitch("addZeroAttn", fields.addZeroAttn)) {
    options.put("zero_key", 1);
    problem.keys++;
  }
}
