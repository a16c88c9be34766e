// The build with relaxed SIMD beside the one that everybody sees. Its last digits are the machine's choice.

import { describe, expect, test } from "vitest";
import { loadLoom } from "../../web/core/node.ts";
import type { AttendInput } from "../../web/core/types.ts";
import { formatNumber } from "../../web/draw/number.ts";
import { exampleModel, exampleNames } from "../../web/elements/examples.ts";
import { attendInput } from "../../web/elements/state/model.ts";
import { expectClose } from "../node/support/compare.ts";
import { random } from "../node/support/random.ts";

const relaxed = await loadLoom({ simd: "relaxed" });
const baseline = await loadLoom();
const COUNT = 1000;

const weightsOf = (loom: typeof relaxed, input: AttendInput) =>
  loom.attend({ ...input, trace: true }).trace.stage("weights").data;

describe("relaxed SIMD", () => {
  test("P15, K37 it runs where it is asked for, and only there", () => {
    expect(relaxed.buildInfo()).toMatchObject({ simd: "relaxed", reason: "asked for" });
    expect(baseline.buildInfo()).toMatchObject({ simd: "simd128", reason: "default" });
  });

  test(`K37 ${COUNT} computations up to 64 tokens of width 64: weights within 1e-6 of the baseline`, () => {
    for (let seed = 0; seed < COUNT; seed++) {
      const r = random(seed);
      const [n, d] = [r.whole(1, 64), r.whole(1, 64)];
      const matrix = () => ({ data: r.numbers(n * d), shape: [n, d] });
      const input = { q: matrix(), k: matrix(), v: matrix(), causal: r.chance(0.5) };
      const [got, want] = [weightsOf(relaxed, input), weightsOf(baseline, input)];
      expectClose(got, want, `seed ${seed}: ${n} tokens of width ${d}`, { absolute: 1e-6, relative: 0 });
    }
  });

  test.each(exampleNames)("K37 every label of the lesson example %s at 4 decimals is equal", (name) => {
    const model = exampleModel(name);
    if (model === undefined) throw new Error(`there is no example ${name}`);
    for (const causal of [false, true]) {
      const input = { ...attendInput(model), ...(causal ? { causal: "end" as const } : {}) };
      const [got, want] = [relaxed, baseline].map((loom) => loom.attend({ ...input, trace: true }).trace);
      expect(want?.stages).toContain("weights");
      for (const stage of want?.stages ?? []) {
        const labels = (data: ArrayLike<number>) =>
          Array.from(data, (value) => formatNumber(value, { decimals: 4, mark: "." }));
        expect(labels(got?.stage(stage).data ?? []), stage).toEqual(labels(want?.stage(stage).data ?? []));
      }
    }
  });
});
