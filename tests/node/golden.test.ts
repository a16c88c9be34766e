// The core against cases computed in double precision by an independent program, stage by stage.

import { describe, expect, test } from "vitest";
import { expectClose } from "./support/compare.ts";
import { attendInput, type GoldenSoftmax, golden, goldenNames, numbers } from "./support/golden.ts";
import { loom } from "./support/loom.ts";
import { joinHeads } from "./support/plain.ts";

for (const file of goldenNames().filter((name) => name !== "softmax")) {
  const { cases, tolerance } = golden(file);
  describe(`golden cases "${file}"`, () => {
    test.each(cases)("every stage is right: $name", (c) => {
      const result = loom.attend({ ...attendInput(c), trace: true });
      const trace = result.trace;
      if (trace === undefined) throw new Error("trace: true gave no trace");
      for (const [name, want] of Object.entries(c.stages)) {
        const got = trace.stage(name);
        expect(got.shape, `shape of ${name}`).toEqual(want.shape);
        expectClose(got.data, numbers(want), name, tolerance);
      }
      const output = c.stages.output;
      if (output === undefined) throw new Error(`golden case "${c.name}" has no output`);
      const [heads, nQ, dV] = output.shape as [number, number, number];
      expect(result.output.shape).toEqual([nQ, heads * dV]);
      expectClose(result.output.data, joinHeads(numbers(output), heads, nQ, dV), "result.output", tolerance);
      expect(result.emptyRows).toEqual(c.emptyRows);
      expect(result.notFiniteRows).toEqual([]);
    });

    test.each(cases)("the double-precision twin agrees to 1e-9: $name", (c) => {
      const twin = loom.reference(attendInput(c));
      for (const [name, want] of Object.entries(c.stages)) {
        expect(twin.stage(name).shape, `shape of ${name}`).toEqual(want.shape);
        // The files keep 10 digits; the input is exact in both.
        expectClose(twin.stage(name).data, numbers(want), name, { absolute: 1e-9, relative: 1e-9 });
      }
    });
  });
}

describe('golden cases "softmax"', () => {
  const { cases, tolerance } = golden<GoldenSoftmax>("softmax");
  test.each(cases)("softmax is right: $name", (c) => {
    const got = loom.softmax({ ...c.input, data: numbers(c.input) });
    expect(got.shape).toEqual(c.output.shape);
    expectClose(got.data, numbers(c.output), "softmax", tolerance);
  });
});
