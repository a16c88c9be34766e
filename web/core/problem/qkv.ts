// Queries, keys and values that are given.

import { wrongOption } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { array, type Incoming } from "../incoming/index.ts";
import { cols, mismatch, perHead, rows, same, sameAxes, wholeNumber } from "./check.ts";
import { readHeads } from "./heads.ts";
import type { Problem } from "./problem.ts";

export const QKV = ["q", "k", "v"] as const;
const RANKS: readonly number[] = [2, 3, 4];

export function required(fields: Fields, name: string, form: readonly string[], ranks?: readonly number[]): Incoming {
  if (!(name in fields)) throw wrongOption(name, undefined, `${name} is missing: attend needs ${form.join(", ")}.`);
  return array(name, fields[name], ranks);
}

export function readQkv(problem: Problem, fields: Fields): void {
  const q = required(fields, "q", QKV, RANKS);
  const k = required(fields, "k", QKV, RANKS);
  const v = required(fields, "v", QKV, RANKS);
  sameAxes(q, k);
  sameAxes(v, k);
  const rank = q.shape.length;
  const headsFirst = rank === 4;
  if (rank > 2) problem.batch = wholeNumber("the batch of q", q.shape[0], 1);
  if (headsFirst) readHeadsFirst(problem, fields, q, k, v);
  else readHeads(problem, fields);
  const { heads, kvHeads } = problem;
  const blocks = headsFirst ? 1 : heads;
  const kvBlocks = headsFirst ? 1 : kvHeads;
  // Without rows there is nothing to take the width from: the other one decides.
  const dK = q.widthKnown || !k.widthKnown ? perHead("q", cols(q), blocks) : perHead("k", cols(k), kvBlocks, "kvHeads");
  if (k.widthKnown && cols(k) !== dK * kvBlocks) {
    if (blocks === kvBlocks) same(k, "columns", cols(k), dK * kvBlocks, q);
    throw mismatch(k, q, `k needs ${dK * kvBlocks} columns, ${dK} for each of ${kvHeads} heads, as q has for ${heads}`);
  }
  same(v, "rows", rows(v), rows(k), k);
  problem.nQ = rows(q);
  problem.nNew = rows(k);
  problem.dK = dK;
  problem.dV = perHead("v", cols(v), kvBlocks, kvHeads === heads ? "heads" : "kvHeads");
  problem.fill("queries", q);
  problem.fill("keys", k);
  problem.fill("values", v);
  if (headsFirst) problem.options.put("heads_first", 1);
}

/** [B, h, n, d]: the shapes say how many heads there are. */
function readHeadsFirst(problem: Problem, fields: Fields, q: Incoming, k: Incoming, v: Incoming): void {
  if (v.shape[1] !== k.shape[1]) throw mismatch(v, k, "they must have the same number of heads");
  const heads = wholeNumber("the heads of q", q.shape[1], 1);
  const kvHeads = wholeNumber("the heads of k", k.shape[1], 1);
  readHeads(problem, { heads, kvHeads, ...pick(fields, "heads"), ...pick(fields, "kvHeads") });
  if (problem.heads !== heads) throw differs("heads", problem.heads, q, heads);
  if (problem.kvHeads !== kvHeads) throw differs("kvHeads", problem.kvHeads, k, kvHeads);
}

function pick(fields: Fields, name: string): Fields {
  return name in fields ? { [name]: fields[name] } : {};
}

function differs(name: string, value: number, matrix: Incoming, found: number): Error {
  return wrongOption(
    name,
    value,
    `${name} is ${value}, but ${matrix.name} is [${matrix.shape.join(", ")}], with ${found} heads.`,
  );
}
