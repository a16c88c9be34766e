// The helper that all other tests lean on must itself be able to fail.

import { describe, expect, test } from "vitest";
import { bitDifference, difference, expectBits, expectClose, WITHIN } from "./support/compare.ts";

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

describe("comparing numbers", () => {
  test.each([
    [[nan], [5]],
    [[1], [nan]],
    [[], [1]],
    [[1], [1, 2]],
    [[1, 2], [1]],
    [[nan], [nan]],
    [[inf], [-inf]],
    [[inf], [3e38]],
    [[3e38], [inf]],
    [
      [0, nan, 0],
      [0, 0, 0],
    ],
    [[1.00001], [1]],
    [[0], [-1e-5]],
  ])("K19 %j is not taken for %j", (got, want) => {
    expect(difference(got, want)).toBeDefined();
    expect(() => expectClose(got, want, "numbers")).toThrow(/numbers: /);
    // However wide the tolerance, NaN, infinity and a wrong length stay wrong.
    const wide = { absolute: 1e9, relative: 1e9 };
    const hopeless = got.length !== want.length || [...got, ...want].some((value) => !Number.isFinite(value));
    expect(difference(got, want, wide) === undefined).toBe(!hopeless);
  });

  test.each([
    [[], []],
    [[1], [1]],
    [[1.000001], [1]],
    [
      [inf, -inf],
      [inf, -inf],
    ],
    [[-0], [0]],
  ])("K19 %j passes for %j", (got, want) => {
    expect(difference(got, want)).toBeUndefined();
  });

  test("K19 NaN equals NaN only where NaN is named as expected", () => {
    expect(difference([nan], [nan], { ...WITHIN, nanExpected: true })).toBeUndefined();
    expect(difference([1], [nan], { ...WITHIN, nanExpected: true })).toBeDefined();
    expect(difference([nan], [1], { ...WITHIN, nanExpected: true })).toBeDefined();
  });

  test("K19 bit for bit means the sign of zero and the last digit too", () => {
    expect(bitDifference([0], [-0])).toBeDefined();
    expect(bitDifference([1], [1 + 2 ** -23])).toBeDefined();
    expect(bitDifference([1], [1, 2])).toBeDefined();
    expect(bitDifference([nan], [nan])).toBeUndefined();
    expect(bitDifference([-0, 1, inf], [-0, 1, inf])).toBeUndefined();
    expect(() => expectBits([1], [2], "numbers")).toThrow("numbers: number 0 is 1, expected 2");
  });
});
