// The float32 core against its double-precision twin on random input of four sizes.

import { describe, test } from "vitest";
import type { Reference } from "../../web/core/types.ts";
import { type Case, makeCase, nameOf, randomSpec } from "./support/cases.ts";
import { largest, scoresOf } from "./support/given.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";
import { cases } from "./support/size.ts";

// Over the four standard deviations together.
const COUNT = cases(2_000, 20_000) / 4;

/** The largest score before and behind cap and masks, as exp sees it: a temperature below 1 stretches it. */
function largestScore(c: Case, twin: Reference): number {
  const scores = Math.max(largest(twin.stage("scaled").data), largest(twin.stage(scoresOf(c)).data));
  return scores / Math.min(1, c.temperature);
}

function compare(c: Case, twin: Reference, bound: number, tight: boolean): void {
  const got = loom.attend(c.input).output.data;
  const want = twin.output.data;
  if (got.length !== want.length) throw new Error(`${nameOf(c)}: ${got.length} numbers, twin ${want.length}`);
  for (let i = 0; i < want.length; i++) {
    const [g, w] = [got[i] as number, want[i] as number];
    const off = Math.abs(g - w);
    if (!(off <= bound) || (tight && !(off <= 2e-6 * (1 + Math.abs(w)))))
      throw new Error(`${nameOf(c)}: output ${i} is ${g}, twin ${w}, bound ${bound}`);
  }
}

describe("core and twin", { timeout: cases(120_000, 3_600_000) }, () => {
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
        const twin = loom.reference(c.input);
        const bound = 3e-7 * (1 + largestScore(c, twin)) * (1 + largest(c.values));
        compare(c, twin, bound, sd === 1 && c.temperature >= 1);
      }
    });

    test(`R02 agree on ${COUNT} random cases with projections, tokens of standard deviation ${sd} (seed ${seed + 10})`, () => {
      const r = random(seed + 10);
      for (let n = 0; n < COUNT; n++) {
        const c = makeCase(randomSpec(r, { sd, form: r.pick(["x", "xKv"]) }));
        const twin = loom.reference(c.input);
        // Twice the bound: queries and keys carry the rounding of their own sums into the scores.
        compare(c, twin, 6e-7 * (1 + largestScore(c, twin)) * (1 + largest(twin.stage("values").data)), false);
      }
    });
  }
});
