// Options that are wrong, contradict each other or do not fit: refused by name, with what was expected and what was found.

import { describe, expect, test } from "vitest";
import { attendAny, expectRefusal } from "./support/errors.ts";
import { loom } from "./support/loom.ts";
import { filled } from "./support/rows.ts";

const q = [[1, 0], [0, 1]]; // biome-ignore format: short
const good = { q, k: q, v: q };
const tokens = { x: q, wQ: q, wK: q, wV: q };
const cross = { q: [[1, 0]], k: q, v: q };
const b1 = { data: [1, 1, 1, 1], shape: [1, 2, 2] };
const b2 = { data: [1, 1, 1, 1], shape: [2, 1, 2] };

describe("options", () => {
  test.each([
    ["kvHeads that do not divide heads", { ...good, heads: 2, kvHeads: 3 }, "kvHeads", ["3", "2"]],
    ["more kvHeads than heads", { ...good, kvHeads: 2 }, "kvHeads", ["2", "1"]],
    ["k too wide for its heads", { ...good, heads: 2, kvHeads: 1 }, "k", ["[2, 2]", "needs 1 columns"]],
    ["batches of unequal length", { q: b1, k: b2, v: b2 }, /q|k/, ["[1, 2, 2]", "[2, 1, 2]"]],
    ["a batch in q alone", { ...good, q: b1 }, /q/, ["[1, 2, 2]", "[2, 2]"]],
    [
      "a batch of nothing",
      { q: { data: [], shape: [0, 1, 1] }, k: { data: [], shape: [0, 1, 1] }, v: { data: [], shape: [0, 1, 1] } },
      "the batch of q",
      ["0"],
    ],
    ["heads that the shapes contradict", { q: [[q]], k: [[q]], v: [[q]], heads: 2 }, "heads", ["2", "[1, 1, 2, 2]"]],
    ["a bias with q, k, v", { ...good, bQ: [1, 1] }, "bQ", ["x"]],
    ["a norm with q, k, v", { ...good, norm: { kind: "rms" } }, "norm", ["x"]],
    ["a bias of the wrong length", { ...tokens, bK: [1] }, "bK", ["1", "2"]],
    ["bO without wO", { ...good, bO: [1] }, "bO", ["wO"]],
    ["wO of the wrong height", { ...good, wO: [[1]] }, "wO", ["[1, 1]", "2 rows"]],
    ["biasK alone", { ...good, biasK: [1, 1] }, "biasV", ["biasK"]],
    ["biasK of the wrong length", { ...good, biasK: [1], biasV: [1, 1] }, "biasK", ["1", "2"]],
    ["past of the wrong width", { ...good, past: { k: [[1]], v: q } }, "past.k", ["[1, 1]", "[n, 2]"]],
    ["past of unequal length", { ...good, past: { k: [[1, 1]], v: q } }, "past.v", ["[2, 2]", "[1, 2]"]],
    ["past without v", { ...good, past: { k: q } }, "past.v", ["given"]],
    ["a soft cap of 0", { ...good, softCap: 0 }, "softCap", ["0"]],
    ["too many gates", { ...good, gates: [1, 2] }, "gates", ["2", "1 heads"]],
    ["key counts for a batch that is not there", { ...good, keyCounts: [1, 2] }, "keyCounts", ["2", "1"]],
    ["more real keys than there are", { ...good, keyCounts: 3 }, "keyCounts", ["3", "2"]],
    ["half a key", { ...good, keyCounts: 0.5 }, "keyCounts", ["0.5"]],
    [
      "a window without alignment",
      { ...cross, window: { before: 1, after: 1 } },
      "window",
      ["1 query", "2 keys", "align"],
    ],
    ["alibi without alignment", { ...cross, alibi: true }, "alibi", ["align"]],
    ["align beside causal", { ...cross, causal: "end", alibi: true, align: "end" }, "align", ["causal"]],
    ["align without anything to place", { ...good, align: "end" }, "align", ["window"]],
    ["align in words that mean nothing", { ...good, blocks: 1, align: "middle" }, "align", ["middle"]],
    ["half a window", { ...good, window: { before: 1 } }, "window.after", ["given"]],
    ["a negative window", { ...good, window: { before: -1, after: 0 } }, "window.before", ["-1"]],
    ["blocks of nothing", { ...good, blocks: 0 }, "blocks", ["0"]],
    ["blocks beyond the limit", { ...good, blocks: 9000 }, "blocks", ["9000", "8192"]],
    ["a global token that is not there", { ...good, global: [2] }, "global[0]", ["2"]],
    ["no random keys", { ...good, random: { count: 0, seed: 1 } }, "random.count", ["0"]],
    ["a seed beyond 32 bits", { ...good, random: { count: 1, seed: 2 ** 32 } }, "random.seed", ["4294967296"]],
    ["slopes for other heads", { ...good, alibi: [1, 2] }, "alibi", ["2", "1 heads"]],
    ["rotary without a pairing", { ...good, rotary: {} }, "rotary.pairing", ["given"]],
    [
      "rotary with another pairing",
      { ...good, rotary: { pairing: "pairs" } },
      "rotary.pairing",
      ["neighbour", "half", "pairs"],
    ],
    ["an odd rotary width", { ...good, rotary: { pairing: "half", width: 1 } }, "rotary.width", ["1", "2"]],
    ["a rotary width beyond the head", { ...good, rotary: { pairing: "half", width: 4 } }, "rotary.width", ["4", "2"]],
    ["a rotary base of 0", { ...good, rotary: { pairing: "half", base: 0 } }, "rotary.base", ["0"]],
    ["positions of the wrong shape", { ...tokens, positions: [[1, 1]] }, "positions", ["[1, 2]", "[2, 2]"]],
    ["positionsKv without xKv", { ...tokens, positionsKv: "sinusoid" }, "positionsKv", ["xKv"]],
    ["a residual that does not fit", { ...tokens, wO: [[1], [1]], residual: true }, "residual", ["1", "2"]],
    ["a norm of no kind", { ...tokens, norm: {} }, "norm.kind", ["given"]],
    ["a norm of another kind", { ...tokens, norm: { kind: "batch" } }, "norm.kind", ["batch", "layer"]],
    ["β with RMS norm", { ...tokens, norm: { kind: "rms", beta: [1, 1] } }, "norm.beta", ["rms"]],
    ["a second γ without ffn", { ...tokens, norm: { kind: "rms", gamma2: [1, 1] } }, "norm.gamma2", ["ffn"]],
    ["γ of the wrong length", { ...tokens, norm: { kind: "rms", gamma: [1] } }, "norm.gamma", ["1", "2"]],
    ["ffn without w2", { ...tokens, ffn: { w1: q } }, "ffn.w2", ["given"]],
    ["w1 of the wrong height", { ...tokens, ffn: { w1: [[1]], w2: [[1, 1]] } }, "ffn.w1", ["[1, 1]", "2"]],
    ["w2 of the wrong shape", { ...tokens, ffn: { w1: q, w2: [[1, 1]] } }, "ffn.w2", ["[1, 2]", "[2, 2]"]],
    [
      "an activation that is not known",
      { ...tokens, ffn: { w1: q, w2: q, activation: "tanh" } },
      "ffn.activation",
      ["tanh", "relu"],
    ],
    [
      "a mask that is too short",
      { ...good, k: filled(3, 2, 1), v: filled(3, 2, 1), allow: q },
      "allow",
      ["[2, 2]", "[2, 3]", "shortMasks"],
    ],
    ["shortMasks that let through", { ...good, shortMasks: "allow" }, "shortMasks", ["allow", "block"]],
    [
      "a mask over extra keys",
      {
        ...good,
        addZeroAttn: true,
        allow: [
          [1, 1, 1],
          [1, 1, 1],
        ],
      },
      "allow",
      ["[2, 3]", "[2, 2]"],
    ],
    ["an unknown option of a part", { ...good, rotary: { pairing: "half", theta: 1 } }, "theta", ["rotary"]],
  ])("%s", (_, input, parameter, inMessage) => {
    expectRefusal(() => attendAny(input), parameter, ...inMessage);
  });
});

describe("into", () => {
  test("of the wrong type or length is refused, and nothing is written", () => {
    expectRefusal(() => attendAny({ ...good, into: new Float64Array(4) }), "into", "Float32Array");
    expectRefusal(() => attendAny({ ...good, into: [0, 0, 0, 0] }), "into", "array");
    for (const length of [3, 5]) {
      const into = new Float32Array(length);
      expectRefusal(() => attendAny({ ...good, into }), "into", `${length}`, "[2, 2]", "4");
      expect([...into].every((x) => x === 0)).toBe(true);
    }
    expectRefusal(() => loom.reference({ ...good, into: new Float32Array(4) }), "into", "reference");
  });

  test("whose buffer is gone, or goes while the numbers are read, is refused", () => {
    const gone = new Float32Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expectRefusal(() => attendAny({ ...good, into: gone }), "into", "0 numbers");
    const into = new Float32Array(4);
    const row = Object.defineProperty([0, 1], 0, {
      get: () => {
        if (into.length > 0) structuredClone(into.buffer, { transfer: [into.buffer] });
        return 1;
      },
    });
    expectRefusal(() => attendAny({ q: [row, [1, 1]], k: q, v: q, into }), "into", "0 numbers");
  });

  test("a part of a larger array is written, and nothing beside it", () => {
    const whole = new Float32Array(8).fill(9);
    loom.attend({ ...good, into: whole.subarray(2, 6) });
    const { data } = loom.attend(good).output;
    expect([...whole]).toEqual([9, 9, ...data, 9, 9]);
  });
});

test("a matrix that lies about its length writes no number beyond its place", () => {
  class Liar extends Float32Array {
    override get length(): number {
      return 100;
    }
  }
  const data = new Liar(300).fill(1);
  expect(() => attendAny({ q: { data, shape: [10, 10] }, k: filled(1, 10, 1), v: [[1]] })).toThrow();
  expect(loom.attend({ q: [[1]], k: [[1]], v: [[5]] }).output.data[0]).toBe(5);
});
