// Rules about which key is seen from where: causal, padding, patterns, and distances that cost.

import { LoomRangeError, wrongOption, wrongShape } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { isArrayLike, wrongKind } from "../incoming/incoming.ts";
import { Derived, vector } from "../incoming/index.ts";
import { LARGEST } from "../options.ts";
import { count, subFields, wholeNumber, wrongRange } from "./check.ts";
import type { Problem } from "./problem.ts";

const OFFSET: ReadonlySet<string> = new Set(["offset"]);
const WINDOW: ReadonlySet<string> = new Set(["before", "after"]);
const RANDOM: ReadonlySet<string> = new Set(["count", "seed"]);
/** Rules that look at positions. */
const POSITIONED = ["window", "blocks", "global", "random", "alibi"] as const;

export function readPatterns(problem: Problem, fields: Fields): void {
  const { options } = problem;
  if ("keyCounts" in fields) readKeyCounts(problem, fields.keyCounts);
  readPositions(problem, fields);
  if ("window" in fields) {
    const window = subFields("window", fields.window, WINDOW, "before", "after");
    options.put("window", 1);
    for (const side of ["before", "after"]) {
      options.put(side, Math.min(wholeNumber(`window.${side}`, window[side], 0), LARGEST));
    }
  }
  if ("blocks" in fields) problem.size("block_size", wholeNumber("blocks", fields.blocks, 1), "blocks");
  if ("global" in fields) readGlobal(problem, fields.global);
  if ("random" in fields) {
    const random = subFields("random", fields.random, RANDOM, "count", "seed");
    problem.size("random_count", wholeNumber("random.count", random.count, 1), "random");
    const seed = wholeNumber("random.seed", random.seed, 0);
    if (seed >= 2 ** 32) throw wrongRange("random.seed", "below 2^32", seed);
    options.put("random_seed", seed);
  }
  if ("alibi" in fields && fields.alibi !== false) {
    options.put("alibi", fields.alibi === true ? 1 : 2);
    if (fields.alibi !== true)
      problem.fill("slopes", vector("alibi", fields.alibi, problem.heads, `${problem.heads} heads`));
  }
}

/** Where the queries stand among the keys. */
function readPositions(problem: Problem, fields: Fields): void {
  const { options, nQ, nNew, nPast } = problem;
  const causal = "causal" in fields && fields.causal !== false;
  if (causal) {
    options.put("causal", 1);
    if (fields.causal === true) byLengths(problem, "causal: true");
    else align(problem, "causal", fields.causal, 'true, false, "start", "end" or { offset }');
  }
  const needing = POSITIONED.find((name) => name in fields && fields[name] !== false);
  if ("align" in fields) {
    if (causal)
      throw wrongOption("align", fields.align, "align does not go with causal, which says where the queries stand.");
    if (needing === undefined) {
      throw wrongOption(
        "align",
        fields.align,
        `align says where the queries stand for ${POSITIONED.join(", ")}: give one of them.`,
      );
    }
    align(problem, "align", fields.align, '"start", "end" or { offset }');
  } else if (needing !== undefined && !causal) {
    if (nQ !== nNew) {
      throw wrongOption(
        needing,
        fields[needing],
        `${needing} needs to know where the queries stand: ${lengths(problem)}. Say align: "start", "end" or { offset }.`,
      );
    }
    options.put("offset", Math.min(nPast, LARGEST));
  }
}

function lengths({ nQ, nNew }: Problem): string {
  return `there are ${count(nQ, "query", "queries")} and ${count(nNew, "key")}`;
}

/** As many queries as new keys: the first query stands at the first of them. */
function byLengths(problem: Problem, what: string): void {
  if (problem.nQ !== problem.nNew) {
    throw new LoomRangeError(
      `${what} needs as many queries as ${problem.nPast > 0 ? "new " : ""}keys, but ${lengths(problem)}. Say "start", "end" or { offset }.`,
      { code: "option", parameter: "causal", value: true },
    );
  }
  problem.options.put("offset", Math.min(problem.nPast, LARGEST));
}

function align(problem: Problem, name: string, value: unknown, wanted: string): void {
  const { options, maskable, nQ } = problem;
  if (value === "start") return;
  if (value === "end") {
    if (problem.indexOf("keyCounts") >= 0) options.put("offset_from_count", 1);
    else options.put("offset", within(maskable - nQ));
    return;
  }
  if (typeof value !== "object" || value === null || !("offset" in value)) throw wrongKind(name, wanted, value);
  const { offset } = subFields(name, value, OFFSET);
  options.put("offset", within(wholeNumber(`${name}.offset`, offset)));
}

/** Beyond the sizes that exist, a larger offset hides and shows the same keys. */
function within(offset: number): number {
  return Math.max(Math.min(offset, LARGEST), -LARGEST);
}

function readKeyCounts(problem: Problem, value: unknown): void {
  const entries = Math.max(problem.batch, 1);
  const counts: number[] = [];
  const one = (name: string, count: unknown) => {
    const number = wholeNumber(name, count, 0);
    if (number > problem.maskable) throw wrongRange(name, `at most the number of keys, ${problem.maskable}`, number);
    counts.push(number);
  };
  if (isArrayLike(value)) {
    if (value.length !== entries) {
      throw wrongShape(
        "keyCounts",
        value.length,
        `keyCounts has ${value.length} numbers, but the batch has ${entries}.`,
      );
    }
    for (let b = 0; b < entries; b++) one(`keyCounts[${b}]`, value[b]);
  } else {
    one("keyCounts", value);
  }
  problem.fill("keyCounts", new Derived("keyCounts", entries, (b) => counts[counts.length > 1 ? b : 0] as number));
  problem.options.put("key_counts", 1);
}

function readGlobal(problem: Problem, value: unknown): void {
  if (!isArrayLike(value)) throw wrongKind("global", "a list of token numbers", value);
  const tokens = new Set<number>();
  for (let i = 0; i < value.length; i++) {
    const token = wholeNumber(`global[${i}]`, value[i], 0);
    if (token >= problem.maskable)
      throw wrongRange(`global[${i}]`, `below the number of keys, ${problem.maskable}`, token);
    tokens.add(token);
  }
  problem.fill("global", new Derived("global", problem.maskable, (j) => (tokens.has(j) ? 1 : 0)));
  problem.options.put("global", 1);
}
