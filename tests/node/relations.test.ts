// Relations between options and functions, beside the 25 of properties.test.ts.

import { describe, test } from "vitest";
import type { AttendInput } from "../../web/core/types.ts";
import { amount, forAllCases } from "./support/arbitrary.ts";
import { expectBits } from "./support/compare.ts";
import { type Flat, given, scoresOf, traced } from "./support/given.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";
import { rows } from "./support/rows.ts";
import { cases } from "./support/size.ts";

const COUNT = cases(500, 20_000);

describe(`relations (${amount(COUNT)})`, { timeout: cases(120_000, 3_600_000) }, () => {
  test("temperature τ equals the scale and the additive mask divided by τ, for τ = 2, bit for bit", () => {
    forAllCases(COUNT, { temperature: 2, mask: "allow", softCap: 0 }, (c) => {
      const { trace, output } = loom.attend({ ...c.input, trace: true });
      const { temperature: _, ...rest } = c.input;
      const other = loom.attend({ ...rest, scale: (trace?.scale as number) / 2 } as AttendInput);
      expectBits(other.output.data, output.data, "output");
    });
  });

  test("temperature 0 gives the largest scores equal shares and the others exactly 0", () => {
    forAllCases(COUNT, { form: "qkv", mask: "allow", softCap: 0 }, (c) => {
      const { q, k } = given(c);
      // Whole numbers, so that ties come up.
      const whole = (m: Flat): Flat => ({ data: m.data.map((value) => Math.round(value / c.sd)), shape: m.shape });
      const input = { ...c.input, q: whole(q), k: whole(k), scale: 1, temperature: 0 } as AttendInput;
      const trace = traced(input);
      const masked = rows(trace.stage("masked"));
      for (const [row, weights] of rows(trace.stage("weights")).entries()) {
        const scores = masked[row] as number[];
        const most = Math.max(...scores);
        const ties = scores.filter((score) => score === most && score !== -Infinity).length;
        const share = Math.fround(1 / ties);
        expectBits(
          weights,
          scores.map((score) => (score === most && score !== -Infinity ? share : 0)),
          `row ${row}`,
        );
      }
      for (const name of trace.stages) {
        if (trace.stage(name).data.some(Number.isNaN)) throw new Error(`NaN in ${name}`);
      }
    });
  });

  test("the softmax of an array equals the weights of a row with these scores, bit for bit", () => {
    forAllCases(COUNT, { heads: 1 }, (c) => {
      const trace = traced({ ...c.input, temperature: 1 });
      const scores = trace.stage(scoresOf(c));
      const soft = loom.softmax({ data: scores.data, shape: scores.shape, axis: -1 });
      expectBits(soft.data, trace.stage("weights").data, "softmax");
    });
  });

  test("softmax along another axis equals softmax of the transposed array, bit for bit", () => {
    forAllCases(COUNT, { heads: 1 }, (c) => {
      const data = random(c.seed).numbers(c.nQ * c.nK, c.sd);
      const turned = Float32Array.from(data, (_, at) => data[(at % c.nQ) * c.nK + Math.floor(at / c.nQ)] as number);
      for (const log of [false, true]) {
        const down = loom.softmax({ data, shape: [c.nQ, c.nK], axis: 0, log }).data;
        const across = loom.softmax({ data: turned, shape: [c.nK, c.nQ], axis: 1, log }).data;
        expectBits(
          across,
          Float32Array.from(down, (_, at) => down[(at % c.nQ) * c.nK + Math.floor(at / c.nQ)] as number),
          "softmax",
        );
      }
    });
  });
});
