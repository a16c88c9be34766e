// What stands around the keys and behind the heads: cached and extra keys, gates, the output projection.

import { wrongOption, wrongShape } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { array, vector } from "../incoming/index.ts";
import { cols, mismatch, readSwitch, rows, same, sameAxes, subFields, text } from "./check.ts";
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

/** They come before the new ones, in the same layout. */
function readPast(problem: Problem, past: unknown): void {
  const fields = subFields("past", past, PAST, "k", "v");
  const { batch, kvHeads, dK, dV, options } = problem;
  const given = problem.stages.indexOf("keys");
  const like = problem.matrices[given < 0 ? 0 : given];
  if (like === undefined) return;
  const rank = like.shape.length;
  // Beside tokens in a batch both layouts are possible.
  const ranks = given < 0 && rank === 3 ? [3, 4] : [rank];
  const k = array("past.k", fields.k, ranks);
  const v = array("past.v", fields.v, ranks);
  sameAxes(v, k);
  const headsFirst = k.shape.length === 4;
  if (k.shape.length !== rank && !(headsFirst && ranks.length > 1)) sameAxes(k, like);
  if (batch > 0 && k.shape[0] !== batch) throw mismatch(k, like, "their batches must have the same number of entries");
  const width = (matrix: typeof k, d: number) => {
    const wanted = headsFirst ? d : kvHeads * d;
    const heads = headsFirst ? matrix.shape[1] : kvHeads;
    if (heads === kvHeads && (cols(matrix) === wanted || !matrix.widthKnown)) return;
    throw wrongShape(
      matrix.name,
      matrix.shape,
      `${matrix.name} is ${text(matrix.shape)}, but there are ${kvHeads} heads of ${d} columns: it needs ${headsFirst ? `[${batch}, ${kvHeads}, n, ${d}]` : `${wanted} columns`}.`,
    );
  };
  width(k, dK);
  width(v, dV);
  same(v, "rows", rows(v), rows(k), k);
  problem.nPast = rows(k);
  problem.size("n_past", problem.nPast, "keys");
  if (headsFirst) options.put("heads_first", 1);
  // The new ones follow.
  for (let i = 0; i < problem.stages.length; i++) {
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
