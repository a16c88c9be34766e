// Statements that hold exactly: equality, no tolerance.

import { describe, expect, test } from "vitest";
import type { AttendInput } from "../../web/core/types.ts";
import { amount, forAllCases } from "./support/arbitrary.ts";
import { expectBits } from "./support/compare.ts";
import { given, reorder, traced } from "./support/given.ts";
import { loom } from "./support/loom.ts";
import { cases } from "./support/size.ts";

const COUNT = cases(1000, 100_000);

describe(`exact statements (${amount(COUNT)})`, { timeout: cases(120_000, 3_600_000) }, () => {
  test("R03 a masked weight is +0, no weight is below 0, a row with one visible key has the weight 1", () => {
    forAllCases(COUNT, {}, (c) => {
      const weights = traced(c.input).stage("weights").data;
      for (let g = 0, cell = 0; g < c.heads; g++) {
        for (let i = 0; i < c.nQ; i++) {
          let seen = 0;
          let last = -1;
          for (let j = 0; j < c.nK; j++, cell++) {
            const weight = weights[cell] as number;
            if (!(weight >= 0) || Object.is(weight, -0)) throw new Error(`weights[${g},${i},${j}] is ${weight}`);
            if (c.visible(g, i, j)) {
              seen++;
              last = cell;
            } else if (weight !== 0) throw new Error(`masked weights[${g},${i},${j}] is ${weight}`);
          }
          if (seen === 1 && weights[last] !== 1)
            throw new Error(`the only visible key of row ${i} has ${weights[last]}`);
        }
      }
    });
  });

  test("R03 with one token the output is the value", () => {
    forAllCases(COUNT, { nQ: 1, nK: 1, mask: "none", causal: "start" }, (c) => {
      const { output, trace } = loom.attend({ ...c.input, trace: true });
      expectBits(output.data, c.values, "output");
      expectBits(trace?.stage("weights").data ?? [], new Array(c.heads).fill(1), "weights");
    });
  });

  test("R03 equal keys give equal weights", () => {
    forAllCases(COUNT, { form: "qkv", mask: "none", causal: "none", window: "none" }, (c) => {
      if (c.nK === 0) return;
      const equal = reorder(given(c).k, new Array(c.nK).fill(0));
      const weights = traced({ ...c.input, k: equal } as AttendInput).stage("weights").data;
      expectBits(weights, new Array(c.heads * c.nQ * c.nK).fill(Math.fround(1 / c.nK)), "weights");
    });
  });

  test("R03 the output with a trace has the bits of the output without", () => {
    forAllCases(COUNT, {}, (c) => {
      const plain = loom.attend(c.input);
      const kept = loom.attend({ ...c.input, trace: true });
      expectBits(kept.output.data, plain.output.data, "output");
      expect(plain.trace).toBeUndefined();
      expect(kept.emptyRows).toEqual(plain.emptyRows);
      expect(kept.notFiniteRows).toEqual(plain.notFiniteRows);
    });
  });

  test("R03 the same call twice has the same bits, whatever ran in between", () => {
    forAllCases(COUNT, {}, (c) => {
      const first = loom.attend(c.input).output.data;
      loom.softmax({ data: [1, 2, 3] });
      loom.attend({
        q: [[5, 5]],
        k: [
          [1, 2],
          [3, 4],
        ],
        v: [[9], [8]],
        trace: true,
      });
      expectBits(loom.attend(c.input).output.data, first, "output");
    });
  });

  test("R03 a row with nothing to see is listed, has output +0, and is the only kind listed", () => {
    forAllCases(COUNT, { mask: "allowAndAdd" }, (c) => {
      const { output, emptyRows, notFiniteRows } = loom.attend(c.input);
      const want: number[][] = [];
      for (let g = 0; g < c.heads; g++) {
        for (let i = 0; i < c.nQ; i++) {
          if (Array.from({ length: c.nK }, (_, j) => c.visible(g, i, j)).some(Boolean)) continue;
          want.push([g, i]);
          for (let column = 0; column < c.dV; column++) {
            const value = output.data[i * c.heads * c.dV + g * c.dV + column];
            if (!Object.is(value, 0)) throw new Error(`output of the empty row [${g}, ${i}] is ${value}`);
          }
        }
      }
      expect(emptyRows).toEqual(want);
      expect(notFiniteRows).toEqual([]);
    });
  });
});
