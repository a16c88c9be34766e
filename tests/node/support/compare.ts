// Comparing numbers so that nothing slips through: NaN is unequal to everything unless it is expected by name, lengths
// count, and a difference is reported with its place. (|a − b| > tolerance is false for NaN: the usual helper is blind.)

/** How far a number may be from the expected one: |got − want| ≤ absolute + relative·|want|. */
export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
  /** NaN equals NaN. Only where NaN is the right answer. */
  readonly nanExpected?: boolean;
}

/** The tolerance for inputs of standard deviation 1: 2e-6·(1 + |want|). */
export const WITHIN: Tolerance = { absolute: 2e-6, relative: 2e-6 };

/** The first difference in words, or undefined where there is none. */
export function difference(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  tolerance: Tolerance = WITHIN,
): string | undefined {
  if (got.length !== want.length) return `${got.length} numbers instead of ${want.length}`;
  for (let i = 0; i < want.length; i++) {
    const g = got[i] as number;
    const w = want[i] as number;
    if (Object.is(g, w) && !Number.isNaN(w)) continue;
    if (Number.isNaN(w) && Number.isNaN(g) && tolerance.nanExpected === true) continue;
    // Written so that NaN on either side, or one infinity, ends in a difference.
    const near = Number.isFinite(g) && Number.isFinite(w);
    if (near && Math.abs(g - w) <= tolerance.absolute + tolerance.relative * Math.abs(w)) continue;
    return `number ${i} is ${g}, expected ${w} (off by ${Math.abs(g - w)})`;
  }
  return undefined;
}

/** Throws unless every number is within the tolerance. */
export function expectClose(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  what: string,
  tolerance: Tolerance = WITHIN,
): void {
  const found = difference(got, want, tolerance);
  if (found !== undefined) throw new Error(`${what}: ${found}`);
}

/** The first place where the float32 bits differ, in words, or undefined. The sign of zero counts; all NaN are alike. */
export function bitDifference(got: ArrayLike<number>, want: ArrayLike<number>): string | undefined {
  if (got.length !== want.length) return `${got.length} numbers instead of ${want.length}`;
  for (let i = 0; i < want.length; i++) {
    if (!Object.is(got[i], want[i])) return `number ${i} is ${show(got[i])}, expected ${show(want[i])}, bit for bit`;
  }
  return undefined;
}

/** Throws unless all numbers are equal bit for bit. */
export function expectBits(got: ArrayLike<number>, want: ArrayLike<number>, what: string): void {
  const found = bitDifference(got, want);
  if (found !== undefined) throw new Error(`${what}: ${found}`);
}

function show(value: number | undefined): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
