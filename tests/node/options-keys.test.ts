// Cached keys, extra keys, padding, and masks of every rank.

import { describe, expect, test } from "vitest";
import type { AttendInput, FlatArray } from "../../web/core/types.ts";
import { expectBits, expectClose } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { traced } from "./support/origins.ts";
import { type Random, random } from "./support/random.ts";
import { filled, rows } from "./support/rows.ts";

const SEED = 501;
const flat = (r: Random, ...shape: number[]): FlatArray => ({
  data: r.numbers(shape.reduce((all, size) => all * size, 1)),
  shape,
});
const rowsOf = ({ data, shape }: FlatArray, from: number, end: number): FlatArray => {
  const width = shape[1] as number;
  return { data: Array.from(data).slice(from * width, end * width), shape: [end - from, width] };
};

describe(`cached keys (seed ${SEED})`, () => {
  test("a run in two steps has the bits of one run: causal, window, rotary and alibi included", () => {
    for (let i = 0; i < 60; i++) {
      const r = random(SEED + i);
      const [heads, n, d] = [r.whole(1, 3), r.whole(2, 24), 2 * r.whole(1, 4)];
      const first = r.whole(1, n - 1);
      const [q, k, v] = [flat(r, n, heads * d), flat(r, n, heads * d), flat(r, n, heads * d)];
      const shared: Partial<AttendInput> = {
        heads,
        causal: true,
        ...(r.chance(0.5) && { window: { before: r.whole(0, 5), after: 0 } }),
        ...(r.chance(0.5) && { rotary: { pairing: r.pick(["neighbour", "half"] as const) } }),
        ...(r.chance(0.5) && { alibi: true }),
      };
      const whole = loom.attend({ ...shared, q, k, v });
      const second = loom.attend({
        ...shared,
        q: rowsOf(q, first, n),
        k: rowsOf(k, first, n),
        v: rowsOf(v, first, n),
        past: { k: rowsOf(k, 0, first), v: rowsOf(v, 0, first) },
      });
      expectBits(second.output.data, whole.output.data.subarray(first * heads * d), `seed ${r.seed}`);
    }
  });

  test("past keys come first, in every layout that they may have", () => {
    const k = { data: [5, 6, 7, 8], shape: [1, 1, 4] };
    const pastRows = { data: [1, 2, 3, 4], shape: [1, 1, 4] };
    const pastHeads = { data: [1, 2, 3, 4], shape: [1, 2, 1, 2] };
    for (const past of [pastRows, pastHeads]) {
      const trace = traced({ q: k, k, v: k, heads: 2, past: { k: past, v: past } });
      expect(trace.stage("keys").shape).toEqual([1, 2, 2, 2]);
      expect([...trace.stage("keys").data]).toEqual([1, 2, 5, 6, 3, 4, 7, 8]);
      expect(trace.describe("keys").operation).toBe("input");
    }
    // Two rows of two heads: heads first, and the same side by side.
    const first = { data: [1, 2, 3, 4, 5, 6, 7, 8], shape: [1, 2, 2, 2] };
    const beside = { data: [1, 2, 5, 6, 3, 4, 7, 8], shape: [1, 2, 4] };
    for (const past of [first, beside]) {
      const trace = traced({ q: k, k, v: k, heads: 2, past: { k: past, v: past } });
      expect([...trace.stage("values").data]).toEqual([1, 2, 3, 4, 5, 6, 5, 6, 7, 8, 7, 8]);
    }
    const tokens = traced({ x: [[1]], wQ: [[1]], wK: [[2]], wV: [[3]], past: { k: [[7], [8]], v: [[9], [10]] } });
    expect([...tokens.stage("keys").data]).toEqual([7, 8, 2]);
    expect([...tokens.stage("values").data]).toEqual([9, 10, 3]);
    expect(tokens.describe("keys").parts.map(({ rows, operation }) => [...rows, operation])).toEqual([
      [0, 2, "input"],
      [2, 3, "dot"],
    ]);
    expect(tokens.describe("keys").operation).toBe("dot");
    // What is cached came from nowhere in this call.
    expect(tokens.origin("keys", [0, 1, 0])).toMatchObject({ operation: "input", terms: [], value: 8 });
    expect(tokens.feeds("x", [0, 0]).map(({ stage, index }) => `${stage}${index}`)).toContain("keys0,2,0");
  });
});

describe("extra keys", () => {
  const input = { q: [[0]], k: [[1], [2]], v: [[3], [6]], biasK: [5], biasV: [12], addZeroAttn: true } as const;

  test("one more key, then one of zeros, that no mask touches", () => {
    // All scores are 0: the mean of 3, 6, 12 and 0.
    expectClose(loom.attend(input).output.data, [5.25], "output");
    const trace = traced({ ...input, allow: [[0, 0]], add: [[1, 2]] });
    expect([...trace.stage("keys").data]).toEqual([1, 2, 5, 0]);
    expect([...trace.stage("allow").data]).toEqual([0, 0, 1, 1]);
    expect([...trace.stage("add").data]).toEqual([1, 2, 0, 0]);
    expectClose(trace.stage("weights").data, [0, 0, 0.5, 0.5], "weights");
    expectClose(trace.stage("output").data, [6], "output");
    expect(trace.describe("keys").parts.map(({ operation }) => operation)).toEqual(["input", "copy", "zero"]);
  });
});

describe("padding", () => {
  test("keys from the count on are blocked, for each entry", () => {
    const k = { data: [1, 1, 1, 1, 1, 1], shape: [2, 3, 1] };
    const v = { data: [3, 6, 9, 3, 6, 9], shape: [2, 3, 1] };
    const q = { data: [1, 1], shape: [2, 1, 1] };
    expectClose(loom.attend({ q, k, v, keyCounts: [2, 3] }).output.data, [4.5, 6], "one each");
    expectClose(loom.attend({ q, k, v, keyCounts: 1 }).output.data, [3, 3], "one for all");
    const none = loom.attend({ q, k, v, keyCounts: [0, 1] });
    expect([...none.output.data]).toEqual([0, 3]);
    expect(none.emptyRows).toEqual([[0, 0, 0]]);
    const trace = traced({ q, k, v, keyCounts: [2, 3] });
    expect(trace.origin("masked", [0, 0, 0, 2]).blockedBy).toEqual(["padding"]);
  });

  test('"end" stands the last query at the last real key', () => {
    const k = filled(4, 1, 1);
    const v = { data: [1, 2, 3, 4], shape: [4, 1] };
    const { output } = loom.attend({ q: filled(2, 1, 1), k, v, keyCounts: 3, causal: "end" });
    expectClose(output.data, [1.5, 2], "output");
  });
});

describe("masks", () => {
  const q = { data: new Float32Array(8).fill(1), shape: [2, 2, 2] };
  const weights = (mask: Partial<AttendInput>) => rows(traced({ q, k: q, v: q, heads: 2, ...mask }).stage("weights"));

  test("every axis may be 1 and is then the same for all", () => {
    // Entry, head, row: [b, g, i] sees key 0 only where the mask says so.
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at % 2);
    for (const shape of [
      [2, 2, 2, 2],
      [1, 2, 2, 2],
      [2, 1, 1, 2],
      [1, 1, 2, 2],
      [2, 1, 2],
      [1, 2, 2],
      [1, 2],
    ]) {
      const data = numbers(shape.reduce((all, size) => all * size, 1));
      // Key 1 alone is allowed everywhere.
      expect(weights({ allow: { data, shape } }), `${shape}`).toEqual(new Array(8).fill([0, 1]));
    }
    const perRow = { data: [1, 0], shape: [2, 1] };
    expect(weights({ allow: perRow }).map((row) => row[0])).toEqual([0.5, 0, 0.5, 0, 0.5, 0, 0.5, 0]);
    const perEntry = { data: [0, -Infinity], shape: [2, 1, 1, 1] };
    expect(weights({ add: perEntry }).map((row) => row[0])).toEqual([0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0]);
    const perHead = { data: [0, -Infinity], shape: [2, 1, 1] };
    expect(weights({ add: perHead }).map((row) => row[0])).toEqual([0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0]);
  });

  test("short masks are filled up with blocked where shortMasks says so", () => {
    const short: AttendInput = { q: [[1]], k: filled(4, 1, 1), v: [[1], [2], [3], [4]], shortMasks: "block" };
    expectClose(loom.attend({ ...short, allow: [[1, 1]] }).output.data, [1.5], "allow");
    expectClose(loom.attend({ ...short, add: [[0, 0, 0]] }).output.data, [2], "add");
    expectClose(loom.attend({ ...short, allow: [[1]] }).output.data, [2.5], "one column is for all");
  });

  test("a number that is not finite is named where the caller wrote it, wherever it was put", () => {
    const k = { data: [1, 2, 3, 4], shape: [1, 2, 1, 2] };
    const past = { data: [1, 2, Number.NaN, 4], shape: [1, 2, 1, 2] };
    expect(() => loom.attend({ q: k, k, v: k, past: { k: past, v: k } })).toThrow(/past\.k\[0\]\[1\]\[0\]\[0\]/);
    const row = { data: [1, 2, 3, 4], shape: [1, 1, 4] };
    expect(() => loom.attend({ q: row, k: row, v: row, heads: 2, past: { k, v: past } })).toThrow(
      /past\.v\[0\]\[1\]\[0\]\[0\]/,
    );
    const bad = { data: [1, 2, 3, Number.NaN], shape: [1, 2, 1, 2] };
    expect(() => loom.attend({ q: k, k: bad, v: k, past: { k, v: k } })).toThrow(/ ?k\[0\]\[1\]\[0\]\[1\]/);
    const add = { data: [0, Number.NaN], shape: [2, 1, 1] };
    expect(() => loom.attend({ q: row, k: row, v: row, heads: 2, add })).toThrow(/add\[1\]\[0\]\[0\]/);
    expect(() => loom.attend({ x: [[1]], wQ: [[1]], wK: [[1]], wV: [[1]], bV: [Infinity] })).toThrow(/bV\[0\]/);
  });
});
