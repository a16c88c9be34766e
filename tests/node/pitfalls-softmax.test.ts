// Known faults of the softmax, the scale and the split into heads.

import { describe, expect, test } from "vitest";
import type { AttendInput, Trace } from "../../web/core/types.ts";
import { expectClose } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";
import { filled, rows } from "./support/rows.ts";

function traced(input: AttendInput): Trace {
  const { trace } = loom.attend({ ...input, trace: true });
  if (trace === undefined) throw new Error("trace: true gave no trace");
  return trace;
}

describe("the axis of the softmax", () => {
  test("K10 rows of weights add up to 1, columns need not", () => {
    const input = {
      scale: 1,
      q: [
        [1, 0],
        [3, 0],
      ],
      k: [
        [1, 0],
        [0, 1],
      ],
      v: [[10], [20]],
    };
    const { output } = loom.attend(input);
    expectClose(traced(input).stage("weights").data, [0.7310586, 0.2689414, 0.9525741, 0.0474259], "weights");
    expectClose(output.data, [12.6894142, 10.4742587], "output");
  });

  test("K10 with one query the weights are not all 1", () => {
    const weights = traced({ scale: 1, q: [[1]], k: [[0], [1], [2]], v: filled(3, 1, 0) }).stage("weights").data;
    expectClose(weights, [0.0900306, 0.2447285, 0.665241], "weights");
  });

  test("K10 softmax of an array goes along the named axis", () => {
    const data = [0, 1, 2, 3, 3, 0];
    expectClose(
      loom.softmax({ data, shape: [2, 3], axis: 1 }).data,
      [0.0900306, 0.2447285, 0.665241, 0.4878555, 0.4878555, 0.0242889],
      "axis 1",
    );
    expectClose(
      loom.softmax({ data, shape: [2, 3], axis: 0 }).data,
      [0.0474259, 0.1192029, 0.8807971, 0.9525741, 0.8807971, 0.1192029],
      "axis 0",
    );
    const last = loom.softmax({ data, shape: [2, 3] }).data;
    expect([...last]).toEqual([...loom.softmax({ data, shape: [2, 3], axis: -1 }).data]);
  });
});

describe("the scale", () => {
  test("K11 scores are divided by the root of the width of one head, once", () => {
    const q = [[2, 0, 0, 0, 0, 0, 0, 0]];
    const k = [
      [2, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0],
    ];
    const trace = traced({
      q,
      k,
      v: [
        [0, 0],
        [1, 1],
      ],
      heads: 2,
    });
    expect([...trace.stage("scaled").data]).toEqual([2, 0, 0, 0]);
    expectClose(trace.stage("weights").data.subarray(0, 2), [0.8807971, 0.1192029], "weights of head 0");
    expect(trace.scale).toBe(0.5);
  });

  test.each([1, 2, 3, 4, 5, 7, 8, 16, 17, 64])(
    "K11 the default for width %i is the nearest float32 to one over its root",
    (d) => {
      for (const heads of [1, 2, 3]) {
        const trace = traced({ q: filled(1, heads * d, 1), k: filled(1, heads * d, 1), v: filled(1, heads, 1), heads });
        expect(trace.scale).toBe(Math.fround(1 / Math.sqrt(d)));
        expect(trace.stage("scaled").data[0]).toBe(Math.fround(d * trace.scale));
      }
    },
  );

  test("K11 a given scale is a factor, not a divisor", () => {
    const trace = traced({ q: [[3]], k: [[2]], v: [[1]], scale: 4 });
    expect(trace.stage("scaled").data[0]).toBe(24);
  });
});

describe("the split into heads", () => {
  test("K12 heads own columns: axes are swapped, not the buffer re-read", () => {
    const identity = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ];
    const x = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ];
    const input = { x, wQ: identity, wK: filled(4, 4, 0), wV: identity, heads: 2 };
    const values = traced(input).stage("values");
    expect(values.shape).toEqual([2, 2, 2]);
    expect([...values.data]).toEqual([1, 2, 5, 6, 3, 4, 7, 8]);
    expect([...loom.attend(input).output.data]).toEqual([3, 4, 5, 6, 3, 4, 5, 6]);
  });

  test.each([
    [2, 3, 5],
    [3, 4, 1],
    [7, 2, 3],
    [4, 8, 9],
  ])("K12 %i heads of width %i over %i tokens keep their columns", (heads, d, n) => {
    const r = random(heads * 100 + d);
    const v = { data: r.numbers(n * heads * d), shape: [n, heads * d] };
    const only = {
      data: Uint8Array.from({ length: n * n }, (_, cell) => (cell % (n + 1) === 0 ? 1 : 0)),
      shape: [n, n],
    };
    const q = filled(n, heads * 2, 1);
    // Each token sees only itself: the output is the values, every column where it was.
    expect([...loom.attend({ q, k: q, v, allow: only, heads }).output.data]).toEqual([...v.data]);
  });
});

describe("the row maximum", () => {
  test("K15 large and very negative scores give weights, not NaN", () => {
    const large = loom.softmax({ data: [1000, 1000, 999] }).data;
    expectClose(large, [0.4223188, 0.4223188, 0.1553624], "large");
    expectClose(loom.softmax({ data: [-1000, -1001] }).data, [0.7310586, 0.2689414], "very negative");
    expect([...loom.softmax({ data: [3e38, -3e38] }).data]).toEqual([1, 0]);
  });

  test.each([2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64, 65])(
    "K15 softmax of %i numbers does not change when all are moved by ±1000",
    (n) => {
      // Eighths: exact after the shift by 1000.
      const data = random(n)
        .numbers(n)
        .map((value) => Math.round(value * 8) / 8);
      const here = [...loom.softmax({ data }).data];
      for (const by of [1000, -1000]) {
        expect([...loom.softmax({ data: data.map((value) => value + by) }).data]).toEqual(here);
        const q = { data: Float32Array.of(1), shape: [1, 1] };
        const k = { data: data.map((value) => value + by), shape: [n, 1] };
        expect([...traced({ q, k, v: filled(n, 1, 1), scale: 1 }).stage("weights").data]).toEqual(here);
      }
    },
  );

  test("K15 a row where every score is far below 0 has a maximum below 0", () => {
    const trace = traced({ q: [[-1e4]], k: [[1], [1], [1.5]], v: filled(3, 1, 1), scale: 1 });
    expect(trace.stage("rowmax").data[0]).toBe(-1e4);
    expect(rows(trace.stage("weights"))[0]).toEqual([0.5, 0.5, 0]);
  });
});
