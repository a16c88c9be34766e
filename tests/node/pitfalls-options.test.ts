// Known faults of heads, caps, positions, norms and shared buffers. Each test carries the number of its kind of fault.

import { describe, expect, test } from "vitest";
import { expectBits, expectClose } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { traced } from "./support/origins.ts";
import { filled, rows } from "./support/rows.ts";

describe("heads", () => {
  test("K09 each head keeps its own weights, [h, n_q, n_k]; nothing is averaged", () => {
    const input = { q: [[40, -40]], k: [[1, 1], [-1, -1]], v: [[1, 1], [2, 2]], heads: 2, scale: 1 }; // biome-ignore format: short
    const trace = traced(input);
    const weights = trace.stage("weights");
    expect(weights.shape).toEqual([2, 1, 2]);
    expectClose(weights.data, [1, 0, 0, 1], "weights", { absolute: 1e-30, relative: 0 });
    expectClose(loom.attend(input).output.data, [1, 2], "output");
  });

  test("K13 neighbouring query heads share a key/value head: 0, 0, 1, 1", () => {
    const [q, k] = [filled(1, 4, 1), filled(1, 2, 1)];
    const input = { q, k, v: [[10, 20]], heads: 4, kvHeads: 2 };
    expect([...loom.attend(input).output.data]).toEqual([10, 10, 20, 20]);
    const first = { data: [10, 20], shape: [1, 2, 1, 1] };
    const headsFirst = {
      q: { data: [1, 1, 1, 1], shape: [1, 4, 1, 1] },
      k: { data: [1, 1], shape: [1, 2, 1, 1] },
      v: first,
    };
    expect([...loom.attend(headsFirst).output.data]).toEqual([10, 10, 20, 20]);
  });
});

test("K14 the soft cap comes before the mask: a masked key stays masked", () => {
  const input = {
    q: [[1]],
    k: [[1], [3], [2]],
    v: [[1], [2], [100]],
    scale: 1,
    softCap: 2,
    allow: [[1, 1, 0]] as const,
  };
  const trace = traced(input);
  expectClose(trace.stage("capped").data.subarray(0, 2), [0.9242343, 1.8102965], "capped");
  expect(trace.stage("masked").data[2]).toBe(-Infinity);
  expectClose(trace.stage("weights").data, [0.2919231, 0.7080769, 0], "weights");
  expect(trace.stage("weights").data[2]).toBe(0);
  expectClose(loom.attend(input).output.data, [0.2919231 + 2 * 0.7080769], "output");
});

describe("rotary positions", () => {
  const x = { data: [0, 0, 0, 0, 1, 0, 1, 0], shape: [2, 4] };

  test.each([
    ["neighbour", [0.5403023, 0.841471, 0.99995, 0.0099998]],
    ["half", [-0.3011687, 0, 1.3817733, 0]],
  ] as const)("K21 pairs are laid out as they are turned: %s", (pairing, want) => {
    expectClose(loom.rotary({ ...x, pairing }).data.subarray(4), want, "position 1");
    const trace = traced({ q: [[0, 0, 0, 0], [1, 0, 1, 0]], k: [[0, 0, 0, 0], [1, 0, 1, 0]], v: [[1], [1]], rotary: { pairing } }); // biome-ignore format: short
    expectClose(rows(trace.stage("rotatedQueries"))[1] as number[], want, "query 1");
    expectClose(rows(trace.stage("rotatedKeys"))[1] as number[], want, "key 1");
  });

  test.each([
    ["neighbour", 1.1900512],
    ["half", -3.4564292],
  ] as const)("K21 a score knows only the distance: %s", (pairing, want) => {
    for (const [query, key] of [
      [3, 1],
      [7, 5],
      [2, 0],
    ] as const) {
      // The key stands last among zeros.
      const k = { data: [...new Array<number>(4 * key).fill(0), 4, 3, 2, 1], shape: [key + 1, 4] };
      const trace = traced({ q: [[1, 2, 3, 4]], k, v: filled(key + 1, 1, 1), rotary: { pairing, offset: query }, scale: 1 }); // biome-ignore format: short
      expectClose([trace.stage("scores").data[key] as number], [want], `positions ${query} and ${key}`, { absolute: 1e-5, relative: 0 }); // biome-ignore format: short
    }
  });
});

test("K22 an odd width of position codes ends with a sine, and nothing is written behind", () => {
  const want = [0.841471, 0.5403023, 0.0251162, 0.9996845, 0.000631];
  const codes = loom.sinusoid({ positions: 2, width: 5 });
  expect(codes.shape).toEqual([2, 5]);
  expectClose(codes.data, [0, 1, 0, 1, 0, ...want], "codes");
  const trace = traced({ x: filled(2, 5, 0), wQ: filled(5, 1, 1), wK: filled(5, 1, 1), wV: filled(5, 1, 1), positions: "sinusoid" }); // biome-ignore format: short
  expectClose(rows(trace.stage("positioned"))[1] as number[], want, "positioned");
  expectClose(loom.sinusoid({ positions: 1, width: 5, first: 1 }).data, want, "from position 1 on");
});

test("K23 the variance of a norm is divided by n, ε stands under the root, and a constant row is 0", () => {
  const want = [-1.3416354, -0.4472118, 0.4472118, 1.3416354];
  const { output, mean, variance } = loom.layerNorm({ data: [1, 2, 3, 4, 7, 7, 7, 7], shape: [2, 4] });
  expectClose(output.data, [...want, 0, 0, 0, 0], "layerNorm");
  expect([...mean.data, ...variance.data]).toEqual([2.5, 7, 1.25, 0]);
  const identity = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]; // biome-ignore format: short
  const trace = traced({ x: [[1, 2, 3, 4], [7, 7, 7, 7]], wQ: identity, wK: identity, wV: identity, norm: { kind: "layer" } }); // biome-ignore format: short
  expectClose(trace.stage("normed").data, [...want, 0, 0, 0, 0], "normed");
});

test("K40 one buffer for queries, keys, values and the output", () => {
  const want = [0.6697615, 0.3302385, 0.3302385, 0.6697615];
  for (const trace of [false, true]) {
    const buffer = Float32Array.of(1, 0, 0, 1);
    const x = { data: buffer, shape: [2, 2] };
    expectClose(loom.attend({ q: x, k: x, v: x, trace }).output.data, want, "same input");
    const { output } = loom.attend({ q: x, k: x, v: x, into: buffer, trace });
    expect(output.data).toBe(buffer);
    expectClose(buffer, want, "written over the input");
  }
  // Larger than what is copied number by number.
  const large = Float32Array.from({ length: 400 }, (_, i) => Math.sin(i));
  const x = { data: large, shape: [20, 20] };
  const apart = loom.attend({ q: x, k: x, v: x }).output.data;
  expectBits(loom.attend({ q: x, k: x, v: x, into: large }).output.data, apart, "large");
});
