// The parts of a transformer on their own: hand-worked values, shapes, and what they refuse.

import { describe, expect, test } from "vitest";
import { expectClose } from "./support/compare.ts";
import { expectRefusal } from "./support/errors.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";

const any = loom as unknown as Record<string, (input: unknown) => unknown>;

describe("norms", () => {
  test("axes from the given one on are evened out together", () => {
    const data = [1, 2, 3, 4, 5, 6, 7, 8];
    const { output, mean, variance } = loom.layerNorm({ data, shape: [2, 2, 2], axis: 1, epsilon: 0 });
    expect([mean.shape, variance.shape, output.shape]).toEqual([[2, 1, 1], [2, 1, 1], [2, 2, 2]]); // biome-ignore format: short
    expect([...mean.data, ...variance.data]).toEqual([2.5, 6.5, 1.25, 1.25]);
    const half = [-1.5, -0.5, 0.5, 1.5].map((x) => x / Math.sqrt(1.25));
    expectClose(output.data, [...half, ...half], "output");
  });

  test("γ and β are one number for each cell; RMS norm has no mean", () => {
    const layer = loom.layerNorm({ data: [1, 3], gamma: [2, 3], beta: [10, 20], epsilon: 3 });
    expectClose(layer.output.data, [10 - 1, 20 + 1.5], "layer");
    const rms = loom.rmsNorm({ data: [1, 7], gamma: [5, 10], epsilon: 0 });
    expect([...rms.meanSquare.data]).toEqual([25]);
    expectClose(rms.output.data, [1, 14], "rms");
  });

  test("nothing gives nothing", () => {
    expect(loom.layerNorm({ data: [], shape: [0, 3] }).mean).toEqual({ name: "mean", shape: [0, 1], data: new Float32Array() }); // biome-ignore format: short
    expect(loom.gelu({ data: [] }).data).toHaveLength(0);
    expect(loom.rotary({ data: [], shape: [0, 4], pairing: "half" }).data).toHaveLength(0);
    expect(loom.sinusoid({ positions: 0, width: 4 })).toMatchObject({ shape: [0, 4] });
  });
});

test("activations", () => {
  const data = [-3, -1, -0, 0, 0.5, 2];
  expectClose(loom.gelu({ data }).data, [-0.0040497, -0.1586553, 0, 0, 0.3457312, 1.9544997], "gelu");
  expectClose(loom.gelu({ data, approximate: "tanh" }).data, [-0.0036374, -0.158808, 0, 0, 0.3457140, 1.9545977], "tanh"); // biome-ignore format: short
  const relu = loom.relu({ data, shape: [2, 3] });
  expect([...relu.data]).toEqual([0, 0, 0, 0, 0.5, 2]);
  expect(relu.shape).toEqual([2, 3]);
});

test("rotary turns by positions, or by given cosines and sines for each place or each row", () => {
  const r = random(3);
  const data = r.numbers(24);
  const shape = [2, 3, 4];
  const positions = [5, 0, 7];
  const table = (f: (x: number) => number) => positions.flatMap((at) => [f(at), f(at / 100)]);
  const byPosition = loom.rotary({ data, shape, pairing: "half", positions }).data;
  const [cosines, sines] = [table(Math.cos), table(Math.sin)];
  for (const times of [1, 2]) {
    const repeat = (numbers: number[]) => ({ data: times === 1 ? numbers : [...numbers, ...numbers], shape: [3 * times, 2] }); // biome-ignore format: short
    const got = loom.rotary({ data, shape, pairing: "half", cosines: repeat(cosines), sines: repeat(sines) });
    expectClose(got.data, byPosition, `${times}`);
  }
  const [x, y] = [data[0] as number, data[2] as number];
  expectClose(byPosition.subarray(0, 1), [x * Math.cos(5) - y * Math.sin(5)], "by hand");
});

describe("refusals", () => {
  test.each([
    ["layerNorm", { data: [1, Number.NaN] }, "data[1]", "NaN"],
    ["layerNorm", { data: [1, 2], gamma: [1] }, "gamma", "2"],
    ["layerNorm", { data: [1, 2], epsilon: -1 }, "epsilon", "-1"],
    ["layerNorm", { data: [1, 2], shape: [3] }, "data", "3"],
    ["layerNorm", { data: [1, 2], axis: 1 }, "axis", "1"],
    ["rmsNorm", { data: [1, 2], beta: [1, 2] }, "beta", "rmsNorm"],
    ["gelu", { data: [-Infinity] }, "data[0]", "-Infinity"],
    ["gelu", { data: [1], approximate: "erf" }, "approximate", "erf"],
    ["relu", { data: ["1"] }, "data[0]", "1"],
    ["rotary", { data: [1, 2], shape: [2], pairing: "half" }, "shape", "2"],
    ["rotary", { data: [1, 2], shape: [1, 2], pairing: "both" }, "pairing", "both"],
    ["rotary", { data: [1, 2], shape: [1, 2], pairing: "half", width: 1 }, "width", "1"],
    ["rotary", { data: [1, 2], shape: [1, 2], pairing: "half", positions: [1, 2] }, "positions", "1 rows"],
    [
      "rotary",
      { data: [1, 2], shape: [1, 2], pairing: "half", cosines: { data: [1], shape: [1, 1] } },
      "sines",
      "undefined",
    ],
    ["rotary", { data: [1, 2], shape: [1, 2], pairing: "half", base: 0 }, "base", "0"],
    ["sinusoid", { positions: -1, width: 2 }, "positions", "-1"],
    ["sinusoid", { positions: 1e6, width: 1e6 }, /totalBytes/, "192"],
    ["sinusoid", { positions: 1, width: 2, step: 1 }, "step", "sinusoid"],
  ])("%s(%j)", (name, input, parameter, inMessage) => {
    expectRefusal(() => any[name]?.(input), parameter, inMessage);
  });
});
