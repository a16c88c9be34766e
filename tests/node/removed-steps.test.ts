// Attention with a step taken out, to show what it is for: the softmax along the wrong axis or not at all, e to the x
// without the shift. Small cases worked out by hand, the house against a plain loop in double precision.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AttendInput, AttendOptions } from "../../web/core/types.ts";
import { expectBits, expectClose } from "./support/compare.ts";
import { attendAny, expectRefusal } from "./support/errors.ts";
import { traced } from "./support/given.ts";
import { loom } from "./support/loom.ts";
import { rows } from "./support/rows.ts";

/** Scores [1, 0] and [3, 0]. */
const small = { scale: 1, q: [[1, 0], [3, 0]], k: [[1, 0], [0, 1]], v: [[10], [20]] }; // biome-ignore format: short

const { x, xKv, wQ, wK, wV } = JSON.parse(
  readFileSync(new URL("../../content/examples/house-4x5.json", import.meta.url), "utf8"),
) as { [name in "x" | "xKv" | "wQ" | "wK" | "wV"]: number[][] };
const house: AttendInput = { x, xKv, wQ, wK, wV };
/** Of the house, by its table. */
const SCORES = [
  [3, -4, -2, 1, 0],
  [-2, 6, 2, -1, -1],
  [0, -4, 4, 6, 2],
  [-2, 1, 4, 3, 1],
];
const VALUES = [
  [1, 1, 1],
  [-1, 3, 0],
  [0, 2, 2],
  [1, 2, 3],
  [0, -1, 0],
];

const product = (a: readonly number[][], b: readonly number[][]) =>
  a.map((row) => (b[0] as number[]).map((_, c) => row.reduce((sum, x, k) => sum + x * (b[k]?.[c] as number), 0)));
const turned = (a: readonly number[][]) => (a[0] as number[]).map((_, j) => a.map((row) => row[j] as number));
const softmax = (row: readonly number[]) => {
  const exps = row.map(Math.exp);
  const sum = exps.reduce((a, b) => a + b);
  return exps.map((e) => e / sum);
};

describe("the softmax along the wrong axis", () => {
  test("K10 each column of the weights sums to 1, as worked out by hand", () => {
    const trace = traced({ ...small, softmax: "columns" });
    expect(trace.stages).toEqual(["scores", "scaled", "rowmax", "shifted", "exp", "rowsum", "weights", "output"]);
    expect(trace.stage("rowmax")).toEqual({ name: "rowmax", shape: [1, 2], data: Float32Array.of(3, 0) });
    expect(trace.describe("rowmax").axes).toEqual(["head", "column"]);
    expect([...trace.stage("shifted").data]).toEqual([-2, 0, 0, 0]);
    expectClose(trace.stage("rowsum").data, [1.1353353, 2], "rowsum");
    expectClose(trace.stage("weights").data, [0.1192029, 0.5, 0.8807971, 0.5], "weights");
    expectClose(trace.stage("output").data, [11.1920292, 18.8079708], "output");
  });

  test("of the house is that of a plain loop", () => {
    const scaled = SCORES.map((row) => row.map((s) => s / Math.sqrt(3)));
    const want = turned(turned(scaled).map(softmax));
    const trace = traced({ ...house, softmax: "columns" });
    expectClose(trace.stage("weights").data, want.flat(), "weights");
    expectClose(trace.stage("output").data, product(want, VALUES).flat(), "output");
    // Rows do not sum to 1 any more.
    const sums = rows(trace.stage("weights")).map((row) => row.reduce((a, b) => a + b));
    for (const sum of sums) expect(Math.abs(sum - 1)).toBeGreaterThan(0.005);
  });

  test("a key that nobody sees has zeros, as a query that sees nothing", () => {
    const { trace, emptyRows } = loom.attend({
      ...small,
      allow: [
        [1, 0],
        [0, 0],
      ],
      softmax: "columns",
      trace: true,
    });
    expect([...trace.stage("rowmax").data]).toEqual([1, -Infinity]);
    expect([...trace.stage("rowsum").data]).toEqual([1, 0]);
    expect([...trace.stage("weights").data]).toEqual([1, 0, 0, 0]);
    expect(emptyRows).toEqual([[0, 1]]);
  });

  test("a column's sum names the queries it is made of, and what it feeds are that column's weights", () => {
    const trace = traced({ ...small, softmax: "columns" });
    const { terms } = trace.origin("rowsum", [0, 1]);
    expect(terms.map(({ operands }) => operands.map(({ index }) => index))).toEqual([[[0, 0, 1]], [[0, 1, 1]]]);
    expect(trace.feeds("rowsum", [0, 1])).toEqual([
      { stage: "weights", index: [0, 0, 1] },
      { stage: "weights", index: [0, 1, 1] },
    ]);
  });
});

describe("no softmax", () => {
  test("the weights are the scores behind scale, cap and masks; a blocked one counts as 0", () => {
    const trace = traced({
      ...small,
      scale: -0.5,
      allow: [
        [0, 1],
        [1, 1],
      ],
      softmax: "none",
    });
    expect(trace.stages).toEqual(["scores", "scaled", "masked", "weights", "output"]);
    expect([...trace.stage("masked").data]).toEqual([-Infinity, -0, -1.5, -0]);
    expect([...trace.stage("weights").data]).toEqual([0, -0, -1.5, -0]);
    expect([...trace.stage("output").data]).toEqual([0, -15]);
    expect(trace.origin("weights", [0, 0, 0])).toEqual({
      stage: "weights",
      index: [0, 0, 0],
      operation: "unmask",
      value: 0,
      terms: [
        {
          operands: [{ stage: "masked", index: [0, 0, 0], value: -Infinity }],
          value: 0,
          partial: 0,
          leftOut: false,
        },
      ],
    });
  });

  test("of the house is that of a plain loop, without stages of a softmax", () => {
    const trace = traced({ ...house, softmax: "none" });
    const want = SCORES.map((row) => row.map((s) => s / Math.sqrt(3)));
    expectClose(trace.stage("output").data, product(want, VALUES).flat(), "output");
    expect(trace.stages).toEqual(["queries", "keys", "values", "scores", "scaled", "weights", "output"]);
  });
});

describe("no shift", () => {
  test("the shares are the same where nothing leaves the range", () => {
    const trace = traced({ ...small, shift: false });
    expect(trace.stages).toEqual(["scores", "scaled", "exp", "rowsum", "weights", "output"]);
    expectClose(trace.stage("exp").data, [Math.E, 1, Math.E ** 3, 1], "exp");
    expectClose(trace.stage("weights").data, [0.7310586, 0.2689414, 0.9525741, 0.0474259], "weights");
    expectClose(traced({ ...house, shift: false }).stage("output").data, traced(house).stage("output").data, "house");
  });

  test("a temperature is what is left of the shifted scores", () => {
    const trace = traced({ ...small, shift: false, temperature: 2 });
    expect([...trace.stage("shifted").data]).toEqual([0.5, 0, 1.5, 0]);
    expect(trace.origin("shifted", [0, 1, 0])).toMatchObject({ operation: "shift", value: 1.5, constant: 2 });
    expect(trace.describe("shifted").operands.map(({ stage }) => stage)).toEqual(["scaled"]);
  });

  // The largest float32 is e^88.7228.
  test("K15 a score above 88.72 gives ∞ and NaN in its row, which the trace keeps and the result reports", () => {
    const input: AttendInput = { ...small, q: [[100, 0], [1, 0]], shift: false, v: [[10], [20]] }; // biome-ignore format: short
    const { trace, notFiniteRows, output } = loom.attend({ ...input, trace: true });
    expect([...trace.stage("exp").data].slice(0, 2)).toEqual([Number.POSITIVE_INFINITY, 1]);
    expect(trace.stage("rowsum").data[0]).toBe(Number.POSITIVE_INFINITY);
    expect([...trace.stage("weights").data].slice(0, 2)).toEqual([Number.NaN, 0]);
    expect(output.data[0]).toBeNaN();
    expectClose(output.data.subarray(1), [12.6894142], "the other row");
    expect(notFiniteRows).toEqual([[0, 0]]);
    expect([trace.rowState(0, 0), trace.rowState(0, 1)]).toEqual(["notFinite", "ok"]);
    // With the shift it is an everyday row.
    expect(loom.attend({ ...input, shift: true }).notFiniteRows).toEqual([]);
  });

  test("K15 scores below −87.33 fall to 0 all together, and the row is reported", () => {
    const { trace, notFiniteRows, emptyRows } = loom.attend({
      ...small,
      q: [[-1000, 0]],
      k: [[1, 0], [1.001, 0]], // biome-ignore format: short
      shift: false,
      trace: true,
    });
    expect([...trace.stage("exp").data]).toEqual([0, 0]);
    expect([...trace.stage("weights").data]).toEqual([0, 0]);
    expect([notFiniteRows, emptyRows]).toEqual([[[0, 0]], []]);
  });
});

test("every step is there by default, and said aloud it changes no bit", () => {
  const plain = loom.attend(house).output.data;
  expectBits(loom.attend({ ...house, softmax: "rows", shift: true }).output.data, plain, "rows and shift");
  expectBits(loom.attend({ ...house, softmax: "none", shift: true, temperature: 1 }).output.data, traced({ ...house, softmax: "none" }).stage("output").data, "none"); // biome-ignore format: short
});

const good: AttendInput = { q: [[1]], k: [[1]], v: [[1]] };
test.each<[string, AttendOptions | object, string, string[]]>([
  ["a softmax along nothing that is known", { softmax: "rowwise" }, "softmax", ["rows", "columns", "none", "rowwise"]],
  ["a softmax that is a switch", { softmax: false }, "softmax", ["false"]],
  ["a shift that is a number", { shift: 0 }, "shift", ["true or false", "0"]],
  ["no shift of no softmax", { softmax: "none", shift: false }, "shift", ["softmax", "none"]],
  ["a temperature of no softmax", { softmax: "none", temperature: 2 }, "temperature", ["softmax", "none"]],
  ["a temperature of 0 without the largest", { shift: false, temperature: 0 }, "temperature", ["above 0", "shift"]],
  ["one that is 0 as float32", { shift: false, temperature: 1e-50 }, "temperature", ["above 0", "1e-50"]],
])("%s is refused", (_, options, parameter, inMessage) => {
  expectRefusal(() => attendAny({ ...good, ...options }), parameter, ...inMessage);
});

test("along columns a head's scores count towards the limit of the core", () => {
  const n = 5100;
  const column = { data: new Float32Array(n), shape: [n, 1] };
  expectRefusal(
    () => attendAny({ q: column, k: column, v: column, softmax: "columns" }),
    /totalBytes/,
    `${4 * (2 * n * n + 4 * 5104)}`,
  );
});
