// The random computations of cases.ts for fast-check, which shrinks a failing description to a small one and prints it
// with its seed. LOOM_SEED starts elsewhere, LOOM_RUNS multiplies the number of cases (a release runs a hundredfold).

import fc from "fast-check";
import { CAUSALS, type Case, FORMS, HEADS, LENGTHS, MASKS, makeCase, nameOf, type Spec, WIDTHS } from "./cases.ts";

/** The seed of this run. */
export const SEED = Number(process.env.LOOM_SEED ?? 20261);
const TIMES = Number(process.env.LOOM_RUNS ?? 1);

/** Any description; `fixed` overrides what a property needs. */
export function anySpec(fixed: Partial<Spec> = {}): fc.Arbitrary<Spec> {
  return fc
    .record({
      nQ: fc.constantFrom(...LENGTHS),
      nK: fc.constantFrom(...LENGTHS),
      dK: fc.constantFrom(...WIDTHS),
      dV: fc.constantFrom(...WIDTHS),
      heads: fc.constantFrom(...HEADS),
      form: fc.constantFrom(...FORMS),
      mask: fc.constantFrom(...MASKS),
      causal: fc.constantFrom(...CAUSALS),
      temperature: fc.constantFrom(1, 0.5, 2),
      scale: fc.constantFrom<(number | "default")[]>("default", 0.5, 1),
      sd: fc.constantFrom(1, 0.1, 4),
      seed: fc.nat(2 ** 31 - 1),
    })
    .map((spec) => ({ ...spec, ...fixed }));
}

/** Runs `check` on `count` random cases. A failure names the seed, the shrunken description and what was wrong. */
export function forAllCases(count: number, fixed: Partial<Spec>, check: (c: Case) => void): void {
  fc.assert(
    fc.property(anySpec(fixed), (spec) => {
      try {
        check(makeCase(spec));
      } catch (error) {
        throw new Error(`${nameOf(spec)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
    { seed: SEED, numRuns: count * TIMES },
  );
}

/** How a title names the amount of random testing. */
export function amount(count: number): string {
  return `${count * TIMES} cases, seed ${SEED}`;
}
