// Tokens and weights: the projections are part of the computation.

import type { Fields } from "../fields.ts";
import { array, MATRIX, vector } from "../incoming/index.ts";
import { cols, mismatch, perHead, rows, same, sameAxes, wholeNumber } from "./check.ts";
import { readHeads } from "./heads.ts";
import type { Problem } from "./problem.ts";
import { required } from "./qkv.ts";

export const TOKENS = ["x", "wQ", "wK", "wV"] as const;
const RANKS: readonly number[] = [2, 3];

export function readTokens(problem: Problem, fields: Fields): void {
  const x = required(fields, "x", TOKENS, RANKS);
  const crossed = "xKv" in fields;
  const xKv = crossed ? array("xKv", fields.xKv, RANKS) : x;
  sameAxes(xKv, x);
  const wQ = required(fields, "wQ", TOKENS, MATRIX);
  const wK = required(fields, "wK", TOKENS, MATRIX);
  const wV = required(fields, "wV", TOKENS, MATRIX);
  readHeads(problem, fields);
  const { options, heads, kvHeads } = problem;
  if (x.shape.length > 2) problem.batch = wholeNumber("the batch of x", x.shape[0], 1);
  const dModel = x.widthKnown ? cols(x) : rows(wQ);
  const dKv = crossed ? (xKv.widthKnown ? cols(xKv) : rows(wK)) : dModel;
  // A matrix without rows has no width to compare with: then the first of the others decided.
  const asking = x.widthKnown ? x : wQ;
  const answering = crossed ? (xKv.widthKnown ? xKv : wK) : asking;
  same(wQ, "rows", rows(wQ), dModel, asking, asking === x ? "columns" : "rows");
  const side = answering === x || answering === xKv ? "columns" : "rows";
  same(wK, "rows", rows(wK), dKv, answering, side);
  same(wV, "rows", rows(wV), dKv, answering, side);
  if (heads === kvHeads) same(wK, "columns", cols(wK), cols(wQ), wQ);
  const dK = perHead("wQ", cols(wQ), heads);
  if (cols(wK) !== dK * kvHeads) {
    throw mismatch(
      wK,
      wQ,
      `wK needs ${dK * kvHeads} columns, ${dK} for each of ${kvHeads} heads, as wQ has for ${heads}`,
    );
  }
  problem.nQ = rows(x);
  problem.nNew = rows(xKv);
  problem.dModel = dModel;
  problem.dKv = dKv;
  problem.dK = dK;
  problem.dV = perHead("wV", cols(wV), kvHeads, kvHeads === heads ? "heads" : "kvHeads");
  options.put("project", 1);
  if (crossed) options.put("crossed", 1);
  problem.fill("x", x);
  problem.fill("wQ", wQ);
  problem.fill("wK", wK);
  problem.fill("wV", wV);
  if (crossed) problem.fill("xKv", xKv);
}

/** The bias of each projection. */
export function readBiases(problem: Problem, fields: Fields): void {
  const bias = (name: string, option: string, length: number, weights: string) => {
    if (!(name in fields)) return;
    problem.fill(name, vector(name, fields[name], length, `the columns of ${weights}`));
    problem.options.put(option, 1);
  };
  const { heads, kvHeads, dK, dV } = problem;
  bias("bQ", "bias_q", heads * dK, "wQ");
  bias("bK", "bias_k", kvHeads * dK, "wK");
  bias("bV", "bias_v", kvHeads * dV, "wV");
}
