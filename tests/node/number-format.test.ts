// Numbers as text: the correct rounding of the float32, by comparison with exact decimal arithmetic on big integers.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalMark, formatAlone, formatFor, formatNumber } from "../../web/draw/number.ts";
import { cases } from "./support/size.ts";

const SEED = Number(process.env.LOOM_SEED ?? 20262);
const RUNS = cases(5_000, 500_000);
const checked = { seed: SEED, numRuns: RUNS };

/** Any finite float32, by its bits. */
const float32 = fc
  .integer({ min: 0, max: 0xffffffff })
  .map((bits) => new Float32Array(Uint32Array.of(bits).buffer)[0] as number)
  .filter(Number.isFinite);
const everyday = fc.oneof(
  float32,
  fc.double({ min: -12_000, max: 12_000, noNaN: true }).map(Math.fround),
  fc.double({ min: -1, max: 1, noNaN: true }).map(Math.fround),
  fc.double({ min: -0.0002, max: 0.0002, noNaN: true }).map(Math.fround),
  fc.integer({ min: -20_000, max: 20_000 }),
);

/** A float32 as numerator / 2^shift, exactly. */
function exactly(value: number): { numerator: bigint; shift: bigint } {
  let shift = 0n;
  let size = Math.abs(value);
  while (!Number.isInteger(size)) {
    size *= 2;
    shift++;
  }
  return { numerator: BigInt(size), shift };
}

/** The size of `value` rounded to `decimals`, halves away from zero, in exact arithmetic. */
function rounded(value: number, decimals: number): string {
  const { numerator, shift } = exactly(value);
  const scaled = numerator * 10n ** BigInt(decimals);
  const half = shift > 0n ? 1n << (shift - 1n) : 0n;
  const digits = ((scaled + half) >> shift).toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const plain = (text: string) => text.replace("−", "");

describe("numbers as text", () => {
  test(`K59 the text is the correct rounding of the float32 (${RUNS} numbers, seed ${SEED})`, () => {
    fc.assert(
      fc.property(everyday, fc.integer({ min: 0, max: 4 }), (value, decimals) => {
        const text = formatNumber(value, { decimals, mark: "." });
        if (text.includes("×")) {
          const size = Math.abs(value);
          expect(size >= 10_000 || size < 0.00005 || rounded(value, 4) === "10000.0000").toBe(true);
          return;
        }
        expect(plain(text)).toBe(rounded(value, decimals));
      }),
      checked,
    );
  });

  test(`10,000 and more, and below 0.00005, are in scientific form, correctly rounded (seed ${SEED})`, () => {
    fc.assert(
      fc.property(float32, (value) => {
        const size = Math.abs(value);
        const text = formatAlone(value);
        expect(text.includes("×10")).toBe((size > 0 && size < 0.00005) || size >= 10_000 || text.includes("1.00×10⁴"));
        if (!text.includes("×10")) return;
        const [mantissa, power] = plain(text).split("×10") as [string, string];
        const exponent = Number([...power].map((c) => (c === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c))).join(""));
        // |value − mantissa·10^exponent| ≤ half a unit of the second decimal, without any rounding of our own.
        const { numerator, shift } = exactly(value);
        const units = BigInt(mantissa.replace(".", ""));
        const up = BigInt(Math.max(0, exponent - 2));
        const down = BigInt(Math.max(0, 2 - exponent));
        const left = numerator * 10n ** down;
        const right = (units * 10n ** up) << shift;
        const unit = (10n ** up) << shift;
        const distance = left > right ? left - right : right - left;
        expect(2n * distance <= unit).toBe(true);
      }),
      checked,
    );
  });

  test(`never "−0", never a hyphen, one count of decimals in a matrix, none for integers (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.array(everyday, { minLength: 1, maxLength: 12 }), (values) => {
        const format = formatFor(values);
        const texts = values.map((value) => formatNumber(value, format));
        for (const [i, text] of texts.entries()) {
          expect(text).not.toMatch(/-|^−[0.]*$|NaN/);
          if (!text.includes("×")) expect((text.split(".")[1] ?? "").length).toBe(format.decimals);
          expect(text.startsWith("−")).toBe((values[i] as number) < 0 && /[1-9]/.test(text));
        }
        expect(format.decimals).toBeLessThanOrEqual(4);
        if (values.every(Number.isInteger)) expect(format.decimals).toBe(0);
      }),
      checked,
    );
  });

  test.each([
    [0, "0"],
    [-0, "0"],
    [-1, "−1"],
    [0.5, "0.5"],
    [Math.fround(0.1), "0.1"],
    [Math.fround(1 / 3), "0.3333"],
    [Math.fround(0.63879), "0.6388"],
    [Number.NEGATIVE_INFINITY, "−∞"],
    [9_999, "9999"],
    [10_000, "1.00×10⁴"],
    [-12_345, "−1.23×10⁴"],
    [Math.fround(0.00004), "4.00×10⁻⁵"],
    [Math.fround(9_999.99999), "1.00×10⁴"],
    [2 ** -149, "1.40×10⁻⁴⁵"],
  ])("%d is written %s", (value, text) => {
    expect(formatAlone(value)).toBe(text);
  });

  test("the decimal mark is that of the language", () => {
    expect(decimalMark("de")).toBe(",");
    expect(decimalMark("en")).toBe(".");
    expect(formatAlone(-0.5, decimalMark("de"))).toBe("−0,5");
  });

  test("a matrix shares its decimals", () => {
    const values = [1, Math.fround(0.25), 0];
    expect(values.map((value) => formatNumber(value, formatFor(values)))).toEqual(["1.00", "0.25", "0.00"]);
  });
});
