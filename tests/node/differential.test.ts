// The float32 core against its double-precision twin on random input of four sizes.

import { describe, test } from "vitest";
import { makeCase, nameOf, randomSpec } from "./support/cases.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";

const COUNT = 500;

/** The largest finite size of the numbers. */
function largest(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) {
    const size = Math.abs(numbers[i] as number);
    if (Number.isFinite(size) && size > most) most = size;
  }
  return most;
}

describe("core and twin", { timeout: 120_000 }, () => {
  for (const [sd, seed] of [
    [0.1, 210],
    [1, 211],
    [4, 212],
    [20, 213],
  ] as const) {
    test(`R02 agree on ${COUNT} random cases of standard deviation ${sd} (seed ${seed})`, () => {
      const r = random(seed);
      for (let n = 0; n < COUNT; n++) {
        // Queries, keys and values are given: a projection adds its own rounding, which the next test bounds.
        const c = makeCase(randomSpec(r, { sd, form: "qkv" }));
        const got = loom.attend(c.input).output.data;
        const twin = loom.reference(c.input);
        const want = twin.output.data;
        if (got.length !== want.length) throw new Error(`${nameOf(c)}: ${got.length} numbers, twin ${want.length}`);
        const scores = twin.stage(c.hasMask ? "masked" : "scaled").data;
        // A temperature below 1 stretches the scores before exp sees them.
        const stretched = largest(scores) / Math.min(1, c.temperature);
        const bound = 3e-7 * (1 + stretched) * (1 + largest(c.values));
        for (let i = 0; i < want.length; i++) {
          const [g, w] = [got[i] as number, want[i] as number];
          const off = Math.abs(g - w);
          const tight = sd !== 1 || c.temperature < 1 || off <= 2e-6 * (1 + Math.abs(w));
          if (!(off <= bound) || !tight)
            throw new Error(`${nameOf(c)}: output ${i} is ${g}, twin ${w}, bound ${bound}`);
        }
      }
    });

    test(`R02 agree on ${COUNT} random cases with projections, tokens of standard deviation ${sd} (seed ${seed + 10})`, () => {
      const r = random(seed + 10);
      for (let n = 0; n < COUNT; n++) {
        const c = makeCase(randomSpec(r, { sd, form: r.pick(["x", "xKv"]) }));
        const got = loom.attend(c.input).output.data;
        const twin = loom.reference(c.input);
        const stretched = largest(twin.stage(c.hasMask ? "masked" : "scaled").data) / Math.min(1, c.temperature);
        // Twice the bound: queries and keys carry the rounding of their own sums into the scores.
        const bound = 6e-7 * (1 + stretched) * (1 + largest(twin.stage("values").data));
        for (let i = 0; i < twin.output.data.length; i++) {
          const [g, w] = [got[i] as number, twin.output.data[i] as number];
          if (!(Math.abs(g - w) <= bound))
            throw new Error(`${nameOf(c)}: output ${i} is ${g}, twin ${w}, bound ${bound}`);
        }
      }
    });
  }
});
