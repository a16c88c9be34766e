// Grouped heads, heads that come first, a batch, gates and the output projection.

import { describe, expect, test } from "vitest";
import type { AttendInput, FlatArray } from "../../web/core/types.ts";
import { expectBits } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { traced } from "./support/origins.ts";
import { type Random, random } from "./support/random.ts";

const SEED = 401;
const flat = (r: Random, ...shape: number[]): FlatArray => ({
  data: r.numbers(shape.reduce((all, size) => all * size, 1)),
  shape,
});

/** [n, h·d] with each head's columns `times` over. */
function repeated({ data, shape }: FlatArray, heads: number, times: number): FlatArray {
  const [n, width] = shape as [number, number];
  const d = width / heads;
  const numbers: number[] = [];
  for (let i = 0; i < n; i++)
    for (let g = 0; g < heads * times; g++)
      for (let c = 0; c < d; c++) numbers.push(data[i * width + Math.floor(g / times) * d + c] as number);
  return { data: numbers, shape: [n, width * times] };
}

/** [n, h·d] → [1, h, n, d] */
function headsFirst({ data, shape }: FlatArray, heads: number): FlatArray {
  const [n, width] = shape as [number, number];
  const d = width / heads;
  const numbers: number[] = [];
  for (let g = 0; g < heads; g++)
    for (let i = 0; i < n; i++) for (let c = 0; c < d; c++) numbers.push(data[i * width + g * d + c] as number);
  return { data: numbers, shape: [1, heads, n, d] };
}

describe(`heads (seed ${SEED})`, () => {
  test("grouped heads have the bits of heads that are repeated, traced or not", () => {
    for (let i = 0; i < 60; i++) {
      const r = random(SEED + i);
      const [kvHeads, group, nQ, nK, dK, dV] = [r.whole(1, 3), r.whole(1, 4), r.whole(1, 20), r.whole(1, 20), r.whole(1, 9), r.whole(1, 9)]; // biome-ignore format: short
      const heads = kvHeads * group;
      const [q, k, v] = [flat(r, nQ, heads * dK), flat(r, nK, kvHeads * dK), flat(r, nK, kvHeads * dV)];
      const grouped: AttendInput = { q, k, v, heads, kvHeads };
      const spread: AttendInput = { q, k: repeated(k, kvHeads, group), v: repeated(v, kvHeads, group), heads };
      expectBits(loom.attend(grouped).output.data, loom.attend(spread).output.data, `seed ${r.seed}, output`);
      expectBits(
        traced(grouped).stage("weights").data,
        traced(spread).stage("weights").data,
        `seed ${r.seed}, weights`,
      );
    }
  });

  test("heads that come first have the bits of heads side by side", () => {
    for (let i = 0; i < 40; i++) {
      const r = random(SEED + 1000 + i);
      const [heads, nQ, nK, dK, dV] = [r.whole(1, 4), r.whole(1, 9), r.whole(1, 9), r.whole(1, 6), r.whole(1, 6)];
      const [q, k, v] = [flat(r, nQ, heads * dK), flat(r, nK, heads * dK), flat(r, nK, heads * dV)];
      const { output } = loom.attend({ q: headsFirst(q, heads), k: headsFirst(k, heads), v: headsFirst(v, heads) });
      expect(output.shape).toEqual([1, nQ, heads * dV]);
      expectBits(output.data, loom.attend({ q, k, v, heads }).output.data, `seed ${r.seed}`);
    }
  });

  test("nested arrays of three and four axes are read as flat ones", () => {
    const q = [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]; // biome-ignore format: short
    const trace = traced({ q, k: q, v: q });
    expect(trace.stage("queries").shape).toEqual([1, 2, 2, 2]);
    expect([...trace.stage("queries").data]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const x = [[[1, 2]], [[3, 4]], [[5, 6]]];
    const identity = [[1, 0], [0, 1]]; // biome-ignore format: short
    const { output } = loom.attend({ x, wQ: identity, wK: identity, wV: identity });
    expect(output.shape).toEqual([3, 1, 2]);
    expect([...output.data]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

test("a gate is a factor on its head's output", () => {
  const input = { q: [[1, 1]], k: [[1, 1]], v: [[3, 5]], heads: 2, gates: [2, -0.5] };
  expect([...loom.attend(input).output.data]).toEqual([6, -2.5]);
  expect([...traced(input).stage("gated").data]).toEqual([6, -2.5]);
});

test("wO mixes the heads, and bO is added", () => {
  const input = { q: [[1, 1]], k: [[1, 1]], v: [[3, 5]], heads: 2, wO: [[1, 0, 2], [0, 1, 1]], bO: [10, 20, 30] }; // biome-ignore format: short
  const { output } = loom.attend(input);
  expect(output.shape).toEqual([1, 3]);
  expect([...output.data]).toEqual([13, 25, 41]);
  expect(
    traced(input)
      .origin("projected", [0, 2])
      .terms.map((term) => term.partial),
  ).toEqual([6, 11, 41]);
});

test("biases are added behind each projection", () => {
  const trace = traced({ x: [[1, 2]], wQ: [[1], [1]], wK: [[2], [0]], wV: [[0], [3]], bQ: [0.5], bK: [-1], bV: [4] });
  expect(["queries", "keys", "values"].map((stage) => trace.stage(stage).data[0])).toEqual([3.5, 1, 10]);
});

test("rows of a batch are named with their entry", () => {
  const q = { data: [1, 1, 1, 1], shape: [2, 2, 1] };
  const allow = { data: [1, 1, 1, 1, 1, 1, 0, 0], shape: [2, 1, 2, 2] };
  const { emptyRows, trace } = loom.attend({ q, k: q, v: q, allow, trace: true });
  expect(emptyRows).toEqual([[1, 0, 1]]);
  expect([trace.rowState(0, 1), trace.rowState(0, 1, 1), trace.rowState(0, 0, 1)]).toEqual(["ok", "empty", "ok"]);
});
