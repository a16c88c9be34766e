// Numbers that leave the range of float32 are reported, row by row, and never hidden; the other rows stay right.

import { describe, expect, test } from "vitest";
import type { Trace } from "../../web/core/types.ts";
import { amount, forAllCases } from "./support/arbitrary.ts";
import { expectBits } from "./support/compare.ts";
import { cappedOf, scoresOf } from "./support/given.ts";
import { loom } from "./support/loom.ts";
import { plainAttention } from "./support/plain.ts";

describe("beyond the range of float32", () => {
  // Products of two such numbers lie around 10^38, where float32 ends.
  for (const sd of [4e18, 1e19, 1e20]) {
    test(`a row is reported exactly where a visible score or its output leaves the range, sd ${sd} (${amount(300)})`, {
      timeout: 60_000,
    }, () => {
      forAllCases(300, { form: "qkv", sd, temperature: 1 }, (c) => {
        const plain = loom.attend(c.input);
        const traced = loom.attend({ ...c.input, trace: true });
        expectBits(traced.output.data, plain.output.data, "output");
        expect(traced.notFiniteRows).toEqual(plain.notFiniteRows);
        const trace = traced.trace as Trace;
        const scaled = trace.stage("scaled").data;
        const masked = trace.stage(scoresOf(c)).data;
        const output = trace.stage("output").data;
        const want: number[][] = [];
        for (let g = 0; g < c.heads; g++) {
          for (let i = 0; i < c.nQ; i++) {
            const row = g * c.nQ + i;
            let finite = true;
            for (let j = 0; j < c.nK; j++) {
              if (!c.visible(g, i, j)) continue;
              // A cap would hide that the score has left the range.
              finite &&= Number.isFinite(scaled[row * c.nK + j]) && Number.isFinite(masked[row * c.nK + j]);
            }
            for (let column = 0; column < c.dV; column++) finite &&= Number.isFinite(output[row * c.dV + column]);
            if (!finite) want.push([g, i]);
          }
        }
        expect(plain.notFiniteRows).toEqual(want);
        for (const [g, i] of plain.notFiniteRows) expect(trace.rowState(g, i)).toBe("notFinite");
      });
    });
  }

  test(`rows that are not reported equal the plain sequential loop bit for bit (${amount(300)})`, {
    timeout: 60_000,
  }, () => {
    forAllCases(300, { form: "qkv", sd: 4e18, temperature: 1 }, (c) => {
      const { trace, notFiniteRows } = loom.attend({ ...c.input, trace: true });
      if (trace === undefined) throw new Error("trace: true gave no trace");
      const bad = new Set(notFiniteRows.map(([g, i]) => g * c.nQ + i));
      const plain = plainAttention({ ...c, scale: trace.scale, exp: trace.stage("exp").data, capped: cappedOf(trace) });
      for (const [name, width] of [
        ["weights", c.nK],
        ["output", c.dV],
      ] as const) {
        for (let row = 0; row < c.heads * c.nQ; row++) {
          if (bad.has(row)) continue;
          const at = [row * width, (row + 1) * width] as const;
          expectBits(trace.stage(name).data.subarray(...at), plain[name].subarray(...at), `${name}, row ${row}`);
        }
      }
    });
  });

  test("overflow in a projection is reported", () => {
    const big = [[3e38, 3e38]];
    const one = [[1], [1]];
    for (const weights of [
      { wQ: [[1], [1]], wK: [[0], [0]], wV: one },
      { wQ: [[0], [0]], wK: [[0], [0]], wV: one },
    ]) {
      const { notFiniteRows, output } = loom.attend({ x: big, ...weights });
      expect(notFiniteRows).toEqual([[0, 0]]);
      expect(Number.isFinite(output.data[0])).toBe(false);
    }
  });

  test("an infinite value of a key that is masked spoils nothing", () => {
    const { notFiniteRows, output } = loom.attend({
      x: [
        [3e38, 3e38],
        [1, 2],
      ],
      wQ: [[0], [0]],
      wK: [[0], [0]],
      wV: [[1], [1]],
      allow: [
        [0, 1],
        [0, 1],
      ],
    });
    expect([...output.data]).toEqual([3, 3]);
    expect(notFiniteRows).toEqual([]);
  });

  test("the largest float32 numbers pass through where nothing overflows", () => {
    const most = 3.4028234663852886e38;
    expect([...loom.attend({ q: [[1]], k: [[most]], v: [[most, -most]], scale: 1 }).output.data]).toEqual([
      most,
      -most,
    ]);
    expect([...loom.softmax({ data: [most, -most, 0] }).data]).toEqual([1, 0, 0]);
    expect([...loom.softmax({ data: [-most, -most] }).data]).toEqual([0.5, 0.5]);
  });
});
