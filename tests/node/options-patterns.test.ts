// Windows, blocks, global and random keys, distances that cost, and where the queries stand.

import { describe, expect, test } from "vitest";
import type { AttendInput, RandomKeys } from "../../web/core/types.ts";
import { expectClose } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { traced } from "./support/origins.ts";
import { mulberry32, random } from "./support/random.ts";
import { filled } from "./support/rows.ts";

/** Which keys each query sees, as 0 and 1 in rows. */
function seen(nQ: number, nK: number, options: Partial<AttendInput>): string[] {
  const stage = traced({ q: filled(nQ, 1, 1), k: filled(nK, 1, 1), v: filled(nK, 1, 1), ...options }).stage("masked");
  return Array.from({ length: nQ }, (_, i) =>
    [...stage.data.subarray(i * nK, (i + 1) * nK)].map((x) => (x === -Infinity ? "0" : "1")).join(""),
  );
}

const count = (rows: string[]) => rows.join("").replaceAll("0", "").length;

describe("patterns", () => {
  test("a window shows keys before and behind the query", () => {
    expect(seen(4, 4, { window: { before: 1, after: 0 } })).toEqual(["1000", "1100", "0110", "0011"]);
    expect(seen(4, 4, { window: { before: 0, after: 2 } })).toEqual(["1110", "0111", "0011", "0001"]);
    expect(seen(3, 3, { window: { before: 2 ** 40, after: 0 } })).toEqual(["100", "110", "111"]);
  });

  test("blocks show the keys of the query's own block", () => {
    expect(seen(5, 5, { blocks: 2 })).toEqual(["11000", "11000", "00110", "00110", "00001"]);
  });

  test("global tokens see all and are seen by all", () => {
    expect(seen(4, 4, { global: [2] })).toEqual(["1010", "0110", "1111", "0011"]);
    expect(seen(3, 3, { global: [] })).toEqual(["100", "010", "001"]);
  });

  test("causal and given masks take away from what a pattern shows", () => {
    expect(seen(4, 4, { global: [2], causal: true })).toEqual(["1000", "0100", "1110", "0011"]);
    expect(seen(4, 4, { blocks: 2, allow: [[1, 0, 1, 1]], keyCounts: 3 })).toEqual(["1000", "1000", "0010", "0010"]);
    const trace = traced({ q: filled(2, 1, 1), k: filled(2, 1, 1), v: filled(2, 1, 1), blocks: 1, allow: [[0, 1]] });
    expect(trace.origin("masked", [0, 1, 0]).blockedBy).toEqual(["allow", "pattern"]);
  });

  test("align says where the queries stand where causal does not", () => {
    const window = { before: 0, after: 0 };
    expect(seen(2, 4, { window, align: "start" })).toEqual(["1000", "0100"]);
    expect(seen(2, 4, { window, align: "end" })).toEqual(["0010", "0001"]);
    expect(seen(2, 4, { window, align: { offset: 1 } })).toEqual(["0100", "0010"]);
    expect(seen(2, 4, { window: { before: 1, after: 1 }, causal: "end" })).toEqual(["0110", "0011"]);
    expect(seen(2, 4, { window, align: { offset: -1 } })).toEqual(["0000", "1000"]);
  });

  test("random keys are those that mulberry32 draws from the seed", () => {
    for (const random of [
      { count: 1, seed: 0 },
      { count: 3, seed: 3 },
      { count: 2, seed: 2 ** 32 - 1 },
    ]) {
      const next = mulberry32(random.seed);
      const want = Array.from({ length: 9 }, (_, i) => {
        const row = new Array<string>(9).fill("0");
        row[i] = "1";
        for (let c = 0; c < random.count; c++) row[Math.floor((next() / 2 ** 32) * 9)] = "1";
        return row.join("");
      });
      expect(seen(9, 9, { random })).toEqual(want);
    }
  });

  test("64 tokens see as many keys as counted by hand", () => {
    const window = { before: 1, after: 1 };
    const random: RandomKeys = { count: 3, seed: 3 };
    expect(count(seen(64, 64, { random }))).toBe(252);
    expect(count(seen(64, 64, { window, random }))).toBe(370);
    expect(count(seen(64, 64, { window, global: [0, 1] }))).toBe(436);
    expect(count(seen(64, 64, { window, random, global: [0, 1] }))).toBe(601);
  });
});

describe("alibi", () => {
  test("each head's slope times the distance is taken off", () => {
    const tokens = filled(3, 2, 0);
    const bias = traced({ q: tokens, k: tokens, v: tokens, heads: 2, alibi: true }).stage("bias");
    expect([...bias.data]).toEqual(
      [2 ** -4, 2 ** -8].flatMap((slope) => [0, 1, 2, 1, 0, 1, 2, 1, 0].map((distance) => -slope * distance + 0)),
    );
    const given = traced({ q: tokens, k: tokens, v: tokens, heads: 2, alibi: [1, -3], align: { offset: 1 } });
    expect([...given.stage("bias").data]).toEqual([-1, 0, -1, -2, -1, 0, -3, -2, -1, 3, 0, 3, 6, 3, 0, 9, 6, 3]);
    // Weights of one row by hand: e^0, e^-1, e^-2.
    const total = 1 + Math.exp(-1) + Math.exp(-2);
    const { output } = loom.attend({ q: [[0]], k: filled(3, 1, 0), v: [[1], [0], [0]], alibi: [1], align: "start" });
    expectClose(output.data, [1 / total], "output");
  });

  test("without slopes it is not there", () => {
    expect(traced({ q: [[1]], k: [[1]], v: [[1]], alibi: false }).stages).not.toContain("bias");
  });
});

describe("a soft cap", () => {
  test("c · tanh(x / c), with or without masks and a trace", () => {
    const r = random(17);
    const [q, k, v] = [r.numbers(12), r.numbers(20), r.numbers(20)];
    const input = { q: { data: q, shape: [3, 4] }, k: { data: k, shape: [5, 4] }, v: { data: v, shape: [5, 4] } };
    const trace = traced({ ...input, softCap: 0.5 });
    const want = [...trace.stage("scaled").data].map((x) => 0.5 * Math.tanh(x / 0.5));
    expectClose(trace.stage("capped").data, want, "capped");
    expect(trace.origin("capped", [0, 0, 0])).toMatchObject({ operation: "cap", constant: 0.5 });
  });
});
