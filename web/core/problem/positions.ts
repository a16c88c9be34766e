// Where tokens stand: turned into queries and keys, or added to the tokens.

import { wrongOption, wrongShape } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { array } from "../incoming/index.ts";
import { cols, finiteNumber, readWord, rows, subFields, text, wholeNumber, wrongRange } from "./check.ts";
import type { Problem } from "./problem.ts";

const ROTARY: ReadonlySet<string> = new Set(["pairing", "width", "base", "offset"]);
const PAIRINGS = ["neighbour", "half"];

/** Rotary positions. */
export function readRotary(problem: Problem, fields: Fields): void {
  const rotary = subFields("rotary", fields.rotary, ROTARY, "pairing");
  const { options, dK } = problem;
  options.put("rotary", 1 + readWord("rotary.pairing", rotary.pairing, PAIRINGS));
  const width = "width" in rotary ? wholeNumber("rotary.width", rotary.width, 0) : dK - (dK % 2);
  if (width % 2 !== 0 || width > dK) {
    throw wrongRange("rotary.width", `even and at most ${dK}, the columns of a head`, width);
  }
  problem.size("rotary_width", width, "rotary");
  if ("base" in rotary) options.put("rotary_base", finiteNumber("rotary.base", rotary.base, 0, "above"));
  const offset = "offset" in rotary ? wholeNumber("rotary.offset", rotary.offset, 0) : problem.nPast;
  problem.size("rotary_offset", offset, "rotary");
}

/** Positions that are added to the tokens. */
export function readPositions(problem: Problem, fields: Fields): void {
  const { nQ, nNew, dModel, dKv } = problem;
  if ("positions" in fields) one(problem, "positions", fields.positions, "positions", [nQ, dModel], "x");
  if (!("positionsKv" in fields)) return;
  if (!("xKv" in fields)) {
    throw wrongOption("positionsKv", fields.positionsKv, "positionsKv are added to xKv: give xKv, or positions alone.");
  }
  one(problem, "positionsKv", fields.positionsKv, "positions_kv", [nNew, dKv], "xKv");
}

function one(
  problem: Problem,
  name: string,
  value: unknown,
  option: string,
  wanted: readonly [number, number],
  tokens: string,
): void {
  problem.options.put(option, value === "sinusoid" ? 1 : 2);
  if (value === "sinusoid") return;
  const matrix = array(name, value);
  if (rows(matrix) !== wanted[0] || (cols(matrix) !== wanted[1] && matrix.widthKnown)) {
    throw wrongShape(
      name,
      matrix.shape,
      `${name} is ${text(matrix.shape)}, but the tokens of ${tokens} need ${text(wanted)}, or "sinusoid".`,
    );
  }
  problem.fill(name, matrix);
}
