// Known faults of compiler flags: fused multiply-add, fast-math; and sums that do not add up.

import { describe, expect, test } from "vitest";
import type { AttendInput, Trace } from "../../web/core/types.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";
import { filled, rows } from "./support/rows.ts";

function traced(input: AttendInput): Trace {
  const { trace } = loom.attend({ ...input, trace: true });
  if (trace === undefined) throw new Error("trace: true gave no trace");
  return trace;
}

describe("fast-math", () => {
  test("K20 softmax([0, -Infinity]) is exactly [1, 0], at every place of a row", () => {
    expect([...loom.softmax({ data: [0, -Infinity] }).data]).toEqual([1, 0]);
    for (let n = 2; n <= 33; n++) {
      for (let seen = 0; seen < n; seen++) {
        const data = new Float32Array(n).fill(-Infinity);
        data[seen] = -5;
        const want = Array.from({ length: n }, (_, j) => (j === seen ? 1 : 0));
        expect([...loom.softmax({ data }).data]).toEqual(want);
      }
    }
  });

  test("K20 the log-softmax of a blocked number is -Infinity", () => {
    expect([...loom.softmax({ data: [0, -Infinity], log: true }).data]).toEqual([0, -Infinity]);
  });

  test("K20 NaN and infinity that arise in the core are noticed", () => {
    // ∞ − ∞ in the second dot product, ∞ in the first.
    const result = loom.attend({
      q: [[3e38, 3e38]],
      k: [
        [3e38, 0],
        [3e38, -3e38],
      ],
      v: [[1], [2]],
      trace: true,
    });
    const scores = result.trace?.stage("scores").data;
    expect(scores?.[0]).toBe(Infinity);
    expect(scores?.[1]).toBeNaN();
    expect(result.notFiniteRows).toEqual([[0, 0]]);
  });

  test("K20 no compile or link flag loosens the arithmetic, and contraction is off", () => {
    const { compileFlags, linkFlags } = loom.buildInfo();
    expect(`${compileFlags} ${linkFlags}`).not.toMatch(
      /-ffast-math|-Ofast|-ffinite-math-only|-funsafe-math|-fno-honor/,
    );
    expect(compileFlags).toContain("-ffp-contract=off");
    expect(compileFlags).toContain("-msimd128");
    expect(compileFlags).not.toContain("-mrelaxed-simd");
  });
});

describe("fused multiply-add", () => {
  const a = 1.000244140625;

  test("K36 products that cancel give a score of exactly 0", () => {
    const q = new Float32Array(64);
    const k = new Float32Array(64);
    q[0] = a;
    q[32] = -a;
    k[0] = a;
    k[32] = a;
    const trace = traced({ q: { data: q, shape: [1, 64] }, k: { data: k, shape: [1, 64] }, v: [[1]], scale: 1 / 8 });
    expect(Object.is(trace.stage("scores").data[0], 0)).toBe(true);
    expect(Object.is(trace.stage("scaled").data[0], 0)).toBe(true);
  });

  test("K36 the same at every pair of places and in the projections", () => {
    for (const d of [2, 3, 4, 5, 8, 17]) {
      for (let first = 0; first < d; first++) {
        for (let second = 0; second < d; second++) {
          if (first === second) continue;
          const q = new Float32Array(d);
          const k = new Float32Array(d);
          q[first] = a;
          q[second] = -a;
          k[first] = a;
          k[second] = a;
          const asRow = { data: q, shape: [1, d] };
          const trace = traced({ q: asRow, k: { data: k, shape: [1, d] }, v: [[1]], scale: 1 });
          expect(trace.stage("scores").data[0]).toBe(0);
          const column = { data: k, shape: [d, 1] };
          const projected = traced({ x: asRow, wQ: column, wK: column, wV: column });
          for (const name of ["queries", "keys", "values"]) expect(projected.stage(name).data[0], name).toBe(0);
        }
      }
    }
  });

  test("K36 in the output: weights one half times values that cancel", () => {
    const odd = 1 + 2 ** -23;
    const { output } = loom.attend({ q: [[0]], k: filled(2, 1, 0), v: [[odd], [-odd]] });
    expect(Object.is(output.data[0], 0)).toBe(true);
  });

  test("K36 a product that needs rounding is rounded before it is added", () => {
    // a² = 1 + 2⁻¹¹ + 2⁻²⁴: the last term is lost in float32, and −(1 + 2⁻¹¹) then cancels the rest.
    const trace = traced({ q: [[a, 1]], k: [[a, -(1 + 2 ** -11)]], v: [[1]], scale: 1 });
    expect(trace.stage("scores").data[0]).toBe(0);
    const turned = traced({ q: [[1, a]], k: [[-(1 + 2 ** -11), a]], v: [[1]], scale: 1 });
    expect(turned.stage("scores").data[0]).toBe(0);
  });
});

describe("row sums", () => {
  const rowSums = (trace: Trace) => rows(trace.stage("weights")).map((row) => row.reduce((sum, w) => sum + w, 0));

  test("K59 three equal weights are three times the float32 nearest to a third", () => {
    const trace = traced({ q: filled(3, 1, 1), k: filled(3, 1, 0), v: filled(3, 1, 1) });
    expect([...trace.stage("weights").data]).toEqual(new Array(9).fill(Math.fround(1 / 3)));
    for (const sum of rowSums(trace)) expect(Math.abs(sum - 1)).toBeLessThanOrEqual(1e-6);
  });

  test.each([
    [1, 1e-6],
    [2, 1e-6],
    [5, 1e-6],
    [33, 1e-6],
    [64, 1e-6],
    [65, 4e-6],
    [200, 4e-6],
    [512, 4e-6],
  ])("K59 rows over %i random keys add up to 1 within %f (seed 59)", (n, bound) => {
    const r = random(59);
    for (const sd of [0.1, 1, 4]) {
      const q = { data: r.numbers(16 * 8, sd), shape: [16, 8] };
      const k = { data: r.numbers(n * 8, sd), shape: [n, 8] };
      for (const sum of rowSums(traced({ q, k, v: filled(n, 1, 1) })))
        expect(Math.abs(sum - 1)).toBeLessThanOrEqual(bound);
    }
  });

  test("K59 no weight is -0 and an output of zeros is +0", () => {
    const trace = traced({ q: filled(3, 2, -1), k: filled(4, 2, 1), v: filled(4, 2, -0), causal: "start" });
    for (const name of ["weights", "exp", "output"]) {
      expect(
        [...trace.stage(name).data].some((value) => Object.is(value, -0)),
        name,
      ).toBe(false);
    }
  });
});
