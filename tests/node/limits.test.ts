// The limits of the core: what is beyond them is refused by name, before anything is allocated.

import { describe, expect, test } from "vitest";
import { attendAny, expectRefusal } from "./support/errors.ts";
import { loom } from "./support/loom.ts";
import { filled } from "./support/rows.ts";

/** Refused, and neither the wasm memory nor the number of live buffers has moved. */
function refusedBeforeAllocation(input: object, parameter: string | RegExp, ...numbers: (string | RegExp)[]): void {
  // The first call of a test file may make the memory grow for reasons of its own.
  loom.attend({ q: [[1]], k: [[1]], v: [[1]] });
  const before = loom.memory();
  expectRefusal(() => attendAny(input), parameter, ...numbers);
  expect(loom.memory()).toEqual(before);
}

/** The number as a message may show it, but not with a sign or inside a longer one. */
const number = (value: number) => new RegExp(`(?<![-\\d])(${value}|${value.toLocaleString("en")})(?!\\d)`);

describe("limits", () => {
  test("8,193 queries or keys are refused, naming 8,192", () => {
    const [one, many] = [filled(1, 1, 1), filled(8193, 1, 1)];
    refusedBeforeAllocation({ q: many, k: one, v: one }, /q/, number(8193), number(8192));
    refusedBeforeAllocation({ q: one, k: many, v: many }, /k|v/, number(8193), number(8192));
    refusedBeforeAllocation({ x: many, wQ: one, wK: one, wV: one }, /x|queries/, number(8193), number(8192));
  });

  test("65 heads are refused, naming 64", () => {
    const wide = filled(1, 65, 1);
    refusedBeforeAllocation({ q: wide, k: wide, v: wide, heads: 65 }, "heads", "65", "64");
  });

  test("a head 1,025 wide is refused, naming 1,024", () => {
    const [one, wide] = [filled(1, 1, 1), filled(1, 1025, 1)];
    refusedBeforeAllocation({ q: wide, k: wide, v: one }, /q|k|d_?k/i, number(1025), number(1024));
    refusedBeforeAllocation({ q: one, k: one, v: wide }, /v/i, number(1025), number(1024));
  });

  test("a trace beyond 192 MB is refused, naming the limit and the size; without a trace the call works", {
    timeout: 60_000,
  }, () => {
    const long = filled(4096, 1, 1);
    refusedBeforeAllocation({ q: long, k: long, v: long, trace: true }, /trace|memory|size|bytes/i, "192");
    const { output } = loom.attend({ q: long, k: long, v: long });
    expect(output.data.every((value) => Math.abs(value - 1) <= 4e-6)).toBe(true);
  });

  // 64 · 8,192 · 8,192 cells are 2^32, which an address of wasm counts as 0.
  test.each([64, 63, 48, 16, 2])(
    "a trace of %d heads of 8,192 tokens is refused with its size, not modulo 2^32",
    (heads) => {
      const matrix = filled(8192, heads, 1);
      refusedBeforeAllocation({ q: matrix, k: matrix, v: matrix, heads, trace: true }, /totalBytes/, "192 MB");
    },
  );

  test("just inside each limit the call works", { timeout: 60_000 }, () => {
    const one = filled(1, 1, 1);
    expect(loom.attend({ q: one, k: filled(8192, 1, 1), v: filled(8192, 1, 3) }).output.data[0]).toBe(3);
    expect(loom.attend({ q: filled(8192, 1, 1), k: one, v: one }).output.data.every((value) => value === 1)).toBe(true);
    const heads = filled(1, 64, 2);
    expect([...loom.attend({ q: heads, k: heads, v: heads, heads: 64 }).output.data]).toEqual(new Array(64).fill(2));
    const wide = filled(1, 1024, 1);
    expect([...loom.attend({ q: wide, k: wide, v: wide }).output.data]).toEqual(new Array(1024).fill(1));
  });

  // 2³² + 4 is 4 where only 32 bits are kept, and a matrix without cells can claim any number of rows or columns.
  test.each([2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 4])(
    "%d rows or columns are refused with that number, not modulo 2^32",
    (many) => {
      const [long, wide] = [
        { data: [], shape: [many, 0] },
        { data: [], shape: [0, many] },
      ];
      const none = { data: [], shape: [1, 0] };
      const empty = { data: [], shape: [0, 0] };
      const inputs = [
        [{ q: long, k: none, v: none }, /q/],
        [{ q: none, k: long, v: long }, /k|v/],
        [{ q: wide, k: wide, v: empty }, /q|k/],
        [{ q: empty, k: empty, v: wide }, /v/],
        [{ x: long, wQ: empty, wK: empty, wV: empty }, /x|queries/],
        [{ x: none, xKv: long, wQ: empty, wK: empty, wV: empty }, /xKv|keys/],
        [{ x: empty, wQ: wide, wK: wide, wV: empty }, /wQ|wK/],
        [{ x: empty, wQ: empty, wK: empty, wV: wide }, /wV/],
      ] as const;
      for (const [input, parameter] of inputs) refusedBeforeAllocation(input, parameter, number(many));
    },
  );

  test("the declared memory of the module has a maximum of 256 MiB", () => {
    expect(loom.memory().wasmBytes).toBeLessThanOrEqual(256 * 2 ** 20);
  });
});
