// The random computations of cases.ts for fast-check, which shrinks a failing description to a small one and prints it
// with its seed. LOOM_SEED starts elsewhere.

import fc from "fast-check";
import {
  CAUSALS,
  type Case,
  FORMS,
  HEADS,
  LENGTHS,
  MASKS,
  makeCase,
  nameOf,
  SHARING,
  type Spec,
  WIDTHS,
  WINDOWS,
} from "./cases.ts";

/** The seed of this run. */
export const SEED = Number(process.env.LOOM_SEED ?? 20261);

/** Any description; `fixed` overrides what a property needs. */
export function anySpec(fixed: Partial<Spec> = {}): fc.Arbitrary<Spec> {
  return fc
    .record({
      nQ: fc.constantFrom(...LENGTHS),
      nK: fc.constantFrom(...LENGTHS),
      dK: fc.constantFrom(...WIDTHS),
      dV: fc.constantFrom(...WIDTHS),
      heads: fc.constantFrom(...HEADS),
      sharing: fc.constantFrom(...SHARING),
      form: fc.constantFrom(...FORMS),
      mask: fc.constantFrom(...MASKS),
      causal: fc.constantFrom(...CAUSALS),
      window: fc.constantFrom("none", "none", ...WINDOWS),
      softCap: fc.constantFrom(0, 0, 2, 30),
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
    { seed: SEED, numRuns: count },
  );
}

/** How a title names the amount of random testing. */
export function amount(count: number): string {
  return `${count} cases, seed ${SEED}`;
}
