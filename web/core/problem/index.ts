// From what a caller wrote to what the core is asked: every option checked by type and range, every shape against the others.

import { wrongOption } from "../errors.ts";
import { type Fields, groupsOf } from "../fields.ts";
import { readAround } from "./around.ts";
import { readBlock } from "./block.ts";
import { readSwitch } from "./check.ts";
import { readInto } from "./into.ts";
import { readMasks } from "./masks.ts";
import { readNumbers } from "./numbers.ts";
import { readPatterns } from "./patterns.ts";
import { readPositions, readRotary } from "./positions.ts";
import type { Problem } from "./problem.ts";
import { readQkv } from "./qkv.ts";
import { readBiases, readTokens } from "./tokens.ts";

/** Who reads what, as bits: an everyday call looks for nothing that it does not have. */
const READERS = {
  qkv: 1,
  tokens: 2,
  biases: 4,
  around: 8,
  numbers: 16,
  masks: 32,
  patterns: 64,
  rotary: 128,
  positions: 256,
  block: 512,
  rest: 1024,
} as const;

/** Every option, with its reader. */
const KNOWN: ReadonlyMap<string, number> = new Map(
  (
    [
      ["qkv", ["q", "k", "v"]],
      ["tokens", ["x", "xKv", "wQ", "wK", "wV"]],
      ["rest", ["heads", "kvHeads", "trace", "into"]],
      ["biases", ["bQ", "bK", "bV"]],
      ["around", ["past", "biasK", "biasV", "addZeroAttn", "gates", "wO", "bO"]],
      ["numbers", ["scale", "temperature", "softCap", "softmax", "shift"]],
      ["masks", ["allow", "add", "shortMasks"]],
      ["patterns", ["causal", "align", "keyCounts", "window", "blocks", "global", "random", "alibi"]],
      ["rotary", ["rotary"]],
      ["positions", ["positions", "positionsKv"]],
      ["block", ["norm", "residual", "ffn"]],
    ] as const
  ).flatMap(([reader, names]) => names.map((name) => [name, READERS[reader]] as const)),
);
const NEEDS_TOKENS = READERS.tokens | READERS.biases | READERS.positions | READERS.block;

/** Reads the options of `attend` and `reference`. Throws a LoomError that names the parameter and the value. */
export function readProblem(problem: Problem, input: unknown): void {
  const groups = groupsOf("attend", input, KNOWN);
  const fields = input as Fields;
  problem.reset();
  const given = "q" in fields || "k" in fields || "v" in fields;
  if (given) {
    if (groups & NEEDS_TOKENS) refuseTokens(fields);
    readQkv(problem, fields);
  } else {
    readTokens(problem, fields);
  }
  problem.maskable = problem.nNew;
  problem.keys = problem.nNew;
  problem.attended = problem.heads * problem.dV;
  if (groups & ~(READERS.qkv | READERS.tokens)) readOthers(problem, fields, groups);
  putSizes(problem, given);
}

function refuseTokens(fields: Fields): void {
  for (const [name, reader] of KNOWN) {
    if (!(reader & NEEDS_TOKENS) || !(name in fields)) continue;
    throw wrongOption(name, fields[name], `${name} does not go with q, k, v: it needs tokens, x with wQ, wK, wV.`);
  }
}

function readOthers(problem: Problem, fields: Fields, groups: number): void {
  if (groups & READERS.biases) readBiases(problem, fields);
  if (groups & READERS.around) readAround(problem, fields);
  if (groups & READERS.numbers) readNumbers(problem, fields);
  if (groups & READERS.masks) readMasks(problem, fields);
  if (groups & READERS.patterns) readPatterns(problem, fields);
  if (groups & READERS.rotary && "rotary" in fields) readRotary(problem, fields);
  if (groups & READERS.positions) readPositions(problem, fields);
  if (groups & READERS.block) readBlock(problem, fields);
  if ("trace" in fields && readSwitch("trace", fields.trace)) problem.options.put("trace", 1);
  if ("into" in fields) problem.into = readInto(fields.into);
}

function putSizes(problem: Problem, given: boolean): void {
  // What is as the defaults are is not looked up.
  if (problem.batch > 0) problem.size("batch", problem.batch, "batch");
  if (problem.heads > 1) problem.size("heads", problem.heads, "heads");
  if (problem.kvHeads > 1) problem.size("kv_heads", problem.kvHeads, "kvHeads");
  problem.size("n_q", problem.nQ, "queries");
  problem.size("n_new", problem.nNew, "keys");
  problem.size("d_k", problem.dK, given ? "q" : "wQ");
  problem.size("d_v", problem.dV, given ? "v" : "wV");
  if (given) return;
  problem.size("d_model", problem.dModel, "modelWidth");
  problem.size("d_kv", problem.dKv, "modelWidth");
}
