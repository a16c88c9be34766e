// The core's exponential, seen through softmax and the exp stage, against double precision.

import { describe, expect, test } from "vitest";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";

/** Distance between two float32 numbers of the same sign, in units of the last place. */
function ulps(got: number, want: number): number {
  const bits = new Int32Array(Float32Array.of(got, Math.fround(want)).buffer);
  return Math.abs((bits[0] as number) - (bits[1] as number));
}

/** e to each number, as the core computes it: the exp stage where the row maximum is 0. */
function coreExp(shifted: Float32Array): Float32Array {
  const n = shifted.length + 1;
  const k = { data: Float32Array.of(0, ...shifted), shape: [n, 1] };
  const v = { data: new Float32Array(n), shape: [n, 1] };
  const { trace } = loom.attend({ q: [[1]], k, v, scale: 1, trace: true });
  return trace?.stage("exp").data.subarray(1) ?? new Float32Array();
}

describe("the exponential", () => {
  test("R04 is within 2 ULP of e to the x on [-87.3, 0] (100,000 numbers, seed 4)", { timeout: 60_000 }, () => {
    const r = random(4);
    let worst = 0;
    let where = 0;
    for (let block = 0; block < 25; block++) {
      const x = Float32Array.from({ length: 4000 }, () => -87.3 * r.uniform() ** (1 + (block % 4)));
      const got = coreExp(x);
      for (const [i, value] of x.entries()) {
        const off = ulps(got[i] as number, Math.exp(value));
        if (off > worst) [worst, where] = [off, value];
      }
    }
    expect(worst, `exp(${where})`).toBeLessThanOrEqual(2);
  });

  test("R04 is 1 at 0, and 0 or subnormal below -87.4", () => {
    expect([...coreExp(Float32Array.of(0, -0))]).toEqual([1, 1]);
    const low = Float32Array.of(-87.4, -88, -90, -103, -104, -200, -1e10, -3e38);
    for (const value of coreExp(low)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(2 ** -126);
    }
  });

  test("R04 softmax of scores within ±8 is within 32 ULP up to 64 keys and 64 ULP up to 512 (seed 5)", {
    timeout: 60_000,
  }, () => {
    const r = random(5);
    for (const [n, lines, bound, usual] of [
      [3, 600, 18, 16],
      [64, 400, 32, 16],
      [512, 100, 64, 32],
    ] as const) {
      const data = Float32Array.from({ length: n * lines }, () => 16 * r.uniform() - 8);
      const got = loom.softmax({ data, shape: [lines, n] }).data;
      let beyond = 0;
      for (let line = 0; line < lines; line++) {
        const row = data.subarray(line * n, (line + 1) * n);
        const max = Math.max(...row);
        let total = 0;
        for (const value of row) total += Math.exp(value - max);
        for (const [j, value] of row.entries()) {
          const off = ulps(got[line * n + j] as number, Math.exp(value - max) / total);
          if (off > bound) throw new Error(`n = ${n}, line ${line}, number ${j}: ${off} ULP`);
          if (off > usual) beyond++;
        }
      }
      expect(beyond / data.length).toBeLessThanOrEqual(0.001);
    }
  });
});
