// Positions, norms, residuals and the feed-forward part of a transformer block, by hand-worked numbers.

import { describe, expect, test } from "vitest";
import type { AttendX } from "../../web/core/types.ts";
import { expectClose } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { traced } from "./support/origins.ts";
import { rows } from "./support/rows.ts";

const identity = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]; // biome-ignore format: short
/** One token: attention hands its value on as it is. */
const one: AttendX = { x: [[1, 2, 3, 4]], wQ: identity, wK: identity, wV: identity };
const NORMED = [-1.3416354, -0.4472118, 0.4472118, 1.3416354];

describe("a transformer block", () => {
  test("residual: x is added", () => {
    expect([...loom.attend({ ...one, residual: true }).output.data]).toEqual([2, 4, 6, 8]);
    const trace = traced({ ...one, residual: true });
    expect(trace.stages.slice(-3)).toEqual(["output", "concat", "residual"]);
  });

  test("norm first: the tokens are evened out, x itself is added", () => {
    const trace = traced({ ...one, norm: { kind: "layer" }, residual: true });
    expectClose(trace.stage("queries").data, NORMED, "queries");
    expectClose(trace.stage("residual").data, [-0.3416354, 1.5527882, 3.4472118, 5.3416354], "residual");
  });

  test("norm behind: what comes out of the residual is evened out", () => {
    const input: AttendX = { ...one, norm: { kind: "layer", first: false }, residual: true };
    // 2, 4, 6, 8 by mean 5 and variance 5.
    const root = Math.sqrt(5 + 1e-5);
    expectClose(
      loom.attend(input).output.data,
      [-3, -1, 1, 3].map((x) => x / root),
      "output",
    );
    expect(traced(input).stages.slice(-3)).toEqual(["mean", "variance", "normed"]);
  });

  test("RMS norm, γ and β", () => {
    const root = Math.sqrt(7.5 + 0.5);
    const rms = traced({ ...one, norm: { kind: "rms", epsilon: 0.5, gamma: [1, 2, -1, 0] } });
    expectClose(rms.stage("normed").data, [1 / root, 4 / root, -3 / root, 0], "rms");
    expect(rms.stages).not.toContain("mean");
    expect(rms.origin("variance", [0])).toMatchObject({ operation: "meanSquare", value: 7.5 });
    const layer = traced({ ...one, norm: { kind: "layer", gamma: [1, 2, -1, 0], beta: [1, 0, 0, 5] } });
    expectClose(layer.stage("normed").data, [1 - 1.3416354, -0.8944236, -0.4472118, 5], "layer");
    expect(layer.origin("normed", [0, 0]).constant).toBe(Math.fround(1e-5));
  });

  test("feed-forward: activation(x·w1 + b1)·w2 + b2, with its own norm and residual", () => {
    const ffn = { w1: [[1, -1], [0, 0], [0, 0], [0, 0]], b1: [1, 1], w2: [[1, 0, 0, 0], [0, 1, 0, 0]], b2: [0, 0, 0, 7] }; // biome-ignore format: short
    const relu = traced({ ...one, ffn: { ...ffn, activation: "relu" } });
    expect([...relu.stage("hidden").data]).toEqual([2, 0]);
    expect([...relu.stage("expanded").data]).toEqual([2, 0, 0, 7]);
    // gelu(2) = 2·Φ(2), gelu(0) = 0.
    expectClose(loom.attend({ ...one, ffn }).output.data, [1.9544997, 0, 0, 7], "gelu");
    const tanh = loom.attend({ ...one, ffn: { ...ffn, activation: "geluTanh" } });
    expectClose(tanh.output.data, [1.9545977, 0, 0, 7], "gelu by tanh");
    const whole = loom.attend({
      ...one,
      norm: { kind: "layer" },
      residual: true,
      ffn: { w1: identity, w2: identity, activation: "relu" },
    });
    expectClose(whole.output.data, [-0.3416354, 1.5527882, 3.8944249, 6.6832747], "whole block");
  });

  test("feed-forward with norms behind: each comes after its residual", () => {
    const input: AttendX = { ...one, norm: { kind: "layer", first: false, gamma2: [2, 2, 2, 2] }, residual: true, ffn: { w1: identity, w2: identity, activation: "relu" } }; // biome-ignore format: short
    const first = [-3, -1, 1, 3].map((x) => x / Math.sqrt(5 + 1e-5));
    const sum = first.map((x) => x + Math.max(x, 0));
    const mean = sum.reduce((a, b) => a + b) / 4;
    const variance = sum.reduce((all, x) => all + (x - mean) ** 2, 0) / 4;
    expectClose(
      loom.attend(input).output.data,
      sum.map((x) => (2 * (x - mean)) / Math.sqrt(variance + 1e-5)),
      "output",
    );
  });
});

describe("positions", () => {
  test("sine and cosine codes, or given ones, are added to the tokens of each side", () => {
    const small = { wQ: [[1], [1]], wK: [[1], [1]], wV: [[1], [1]] };
    const x = [[10, 20], [30, 40]]; // biome-ignore format: short
    const codes = traced({ ...small, x, positions: "sinusoid" });
    expectClose(codes.stage("positioned").data, [10, 21, 30 + Math.sin(1), 40 + Math.cos(1)], "codes");
    expect(codes.stages).toContain("positions");
    const given = traced({ ...small, x, xKv: [[1, 1]], positions: [[1, 2], [3, 4]], positionsKv: [[5, 6]] }); // biome-ignore format: short
    expect([...given.stage("positioned").data]).toEqual([11, 22, 33, 44]);
    expect([...given.stage("positionedKv").data]).toEqual([6, 7]);
    expect(given.inputs).toContain("positionsKv");
    const batch = traced({ ...small, x: [x, x], positions: [[1, 2], [3, 4]] }); // biome-ignore format: short
    expect(rows(batch.stage("positioned"))).toEqual([[11, 22], [33, 44], [11, 22], [33, 44]]); // biome-ignore format: short
  });

  test("rotary: only the given width turns, by the given base, from the given position", () => {
    const q = [[1, 0, 1, 0, 9], [1, 0, 1, 0, 9]]; // biome-ignore format: short
    const trace = traced({ q, k: q, v: [[1], [1]], rotary: { pairing: "neighbour", width: 2, offset: 3 } });
    const want = [3, 4].flatMap((at) => [Math.cos(at), Math.sin(at), 1, 0, 9]);
    expectClose(trace.stage("rotatedQueries").data, want, "queries");
    expectClose(trace.stage("rotatedKeys").data, [1, 0, 1, 0, 9, Math.cos(1), Math.sin(1), 1, 0, 9], "keys");
    const base = traced({ q, k: q, v: [[1], [1]], rotary: { pairing: "half", base: 4 } });
    // The width is 4 of 5; the second pair turns by 4^(−2/4) = 1/2.
    const turned = [Math.cos(1) - Math.sin(1), 0, Math.sin(1) + Math.cos(1), 0, 9];
    expectClose(rows(base.stage("rotatedKeys"))[1] as number[], turned, "base");
    for (const width of [0, 2, 4]) {
      const still = { pairing: "half" as const, width };
      expect(loom.reference({ q, k: q, v: [[1], [1]], rotary: still }).output.shape).toEqual([2, 1]);
    }
  });
});
