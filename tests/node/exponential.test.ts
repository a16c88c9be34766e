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

  test("R04 is 1 at 0, and 0 where the result would not be a normal number", () => {
    expect([...coreExp(Float32Array.of(0, -0))]).toEqual([1, 1]);
    const low = Float32Array.of(-87.33655, -87.4, -88, -90, -103, -104, -200, -1e10, -3e38);
    expect([...coreExp(low)]).toEqual(new Array(low.length).fill(0));
    expect(coreExp(Float32Array.of(-87.33654))[0]).toBeGreaterThanOrEqual(2 ** -126);
  });

  for (const [n, lines, bound, usual, rowSum] of [
    [1, 1_000, 6, 6, 1e-6],
    [2, 10_000, 9, 9, 1e-6],
    [3, 29_000, 12, 12, 1e-6],
    [16, 40_000, 32, 16, 1e-6],
    [64, 16_000, 32, 16, 1e-6],
    [512, 4_000, 64, 32, 4e-6],
  ] as const) {
    test(`R04 softmax of ${n} scores within ±8: within ${bound} ULP, 99.9 % within ${usual}, rows sum to 1 (${lines} rows, seed 5)`, () => {
      const r = random(5 + n);
      const got = new Float32Array(1);
      const want = new Float32Array(1);
      const [gotBits, wantBits] = [new Int32Array(got.buffer), new Int32Array(want.buffer)];
      const exact = new Float64Array(n);
      // A block of rows at a time, as the core's memory is limited.
      const block = Math.min(lines, 1000);
      let beyond = 0;
      for (let first = 0; first < lines; first += block) {
        const data = Float32Array.from({ length: n * block }, () => 16 * r.uniform() - 8);
        const shares = loom.softmax({ data, shape: [block, n] }).data;
        for (let line = 0; line < block; line++) {
          let [total, sum] = [0, 0];
          for (let j = 0; j < n; j++) total += exact[j] = Math.exp(data[line * n + j] as number);
          for (let j = 0; j < n; j++) {
            got[0] = shares[line * n + j] as number;
            want[0] = (exact[j] as number) / total;
            sum += got[0];
            const off = Math.abs((gotBits[0] as number) - (wantBits[0] as number));
            if (off > usual) beyond++;
            if (!(off <= bound)) throw new Error(`row ${first + line}, number ${j}: ${off} ULP`);
          }
          if (!(Math.abs(sum - 1) <= rowSum)) throw new Error(`row ${first + line} sums to ${sum}`);
        }
      }
      expect(beyond / (n * lines)).toBeLessThanOrEqual(0.001);
    });
  }
});
