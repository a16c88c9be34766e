// What must hold for any input. A failing case is shrunk to a small one and printed with its seed.

import { describe, expect, test } from "vitest";
import type { AttendInput, AttendQkv, AttendX, Trace } from "../../web/core/types.ts";
import { amount, forAllCases } from "./support/arbitrary.ts";
import type { Case } from "./support/cases.ts";
import { bitDifference, expectBits, expectClose } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { splitHeads } from "./support/plain.ts";
import { random } from "./support/random.ts";
import { rows } from "./support/rows.ts";

const COUNT = 500;

interface Flat {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** Queries, keys and values of a case that gives them, as the flat matrices they are. */
function given(c: Case): { q: Flat; k: Flat; v: Flat } {
  const { q, k, v } = c.input as AttendQkv;
  return { q: q as Flat, k: k as Flat, v: v as Flat };
}

function traced(input: AttendInput): Trace {
  const { trace } = loom.attend({ ...input, trace: true });
  if (trace === undefined) throw new Error("trace: true gave no trace");
  return trace;
}

/** The rows of a matrix in another order. */
function reorder({ data, shape }: Flat, order: readonly number[]): Flat {
  const width = shape[1] as number;
  const moved = order.flatMap((from) => [...data.subarray(from * width, (from + 1) * width)]);
  return { data: Float32Array.from(moved), shape: [order.length, width] };
}

/** 0 … n − 1 shuffled. */
function shuffled(n: number, seed: number): number[] {
  const r = random(seed);
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = r.whole(0, i);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/** A mask of shape [n_q, n_k] that says the same as the case's own masks for head 0. */
function allowOf(c: Case, rowOrder?: readonly number[], keyOrder?: readonly number[]) {
  const data = new Uint8Array(c.nQ * c.nK);
  for (let i = 0; i < c.nQ; i++)
    for (let j = 0; j < c.nK; j++) data[i * c.nK + j] = c.visible(0, rowOrder?.[i] ?? i, keyOrder?.[j] ?? j) ? 1 : 0;
  return { data, shape: [c.nQ, c.nK] };
}

/** Tolerances here suit input of standard deviation 1 and temperature 1. */
const MILD = { form: "qkv", sd: 1, temperature: 1 } as const;
const UNMASKED = { mask: "none", causal: "none" } as const;
/** Sums taken in another order differ by a few units of the last place of their largest term. */
const REORDERED = { absolute: 5e-6, relative: 5e-6 };

describe(`properties (${amount(COUNT)})`, { timeout: 120_000 }, () => {
  test("rows of weights sum to 1 or are marked empty", () => {
    forAllCases(COUNT, {}, (c) => {
      const { trace, emptyRows } = loom.attend({ ...c.input, trace: true });
      const empty = new Set(emptyRows.map(([g, i]) => g * c.nQ + i));
      for (const [row, weights] of rows(traced(c.input).stage("weights")).entries()) {
        const sum = weights.reduce((total, weight) => total + weight, 0);
        if (empty.has(row) ? sum !== 0 : !(Math.abs(sum - 1) <= 4e-6)) throw new Error(`row ${row} sums to ${sum}`);
        const state = trace?.rowState(Math.floor(row / c.nQ), row % c.nQ);
        expect(state).toBe(empty.has(row) ? "empty" : "ok");
      }
    });
  });

  test("adding a constant to all scores of a row changes no weight", () => {
    forAllCases(COUNT, { ...MILD, ...UNMASKED }, (c) => {
      const r = random(c.seed + 1);
      const constants = Float32Array.from({ length: c.nQ }, () => r.normal() * 4);
      const data = Float32Array.from({ length: c.nQ * c.nK }, (_, at) => constants[Math.floor(at / c.nK)] as number);
      const moved = traced({ ...c.input, add: { data, shape: [c.nQ, c.nK] } });
      expectClose(moved.stage("weights").data, traced(c.input).stage("weights").data, "weights", REORDERED);
    });
  });

  test("permuting keys and values together permutes the weights and leaves the output", () => {
    forAllCases(COUNT, { ...MILD, mask: "allow" }, (c) => {
      const { q, k, v } = given(c);
      const order = shuffled(c.nK, c.seed);
      const base = { q, heads: c.heads };
      const straight = traced({ ...base, k, v, allow: allowOf(c) });
      const moved = traced({
        ...base,
        k: reorder(k, order),
        v: reorder(v, order),
        allow: allowOf(c, undefined, order),
      });
      const want = rows(straight.stage("weights")).flatMap((row) => order.map((from) => row[from] as number));
      expectClose(moved.stage("weights").data, want, "weights", REORDERED);
      expectClose(moved.stage("output").data, straight.stage("output").data, "output", REORDERED);
    });
  });

  test("permuting queries permutes the rows of the output, bit for bit", () => {
    forAllCases(COUNT, { form: "qkv", mask: "allow" }, (c) => {
      const { q, k, v } = given(c);
      const order = shuffled(c.nQ, c.seed);
      const straight = loom.attend({ q, k, v, heads: c.heads, allow: allowOf(c) }).output;
      const moved = loom.attend({ q: reorder(q, order), k, v, heads: c.heads, allow: allowOf(c, order) }).output;
      expectBits(moved.data, reorder(straight, order).data, "output");
    });
  });

  test("the output is linear in the values", () => {
    forAllCases(COUNT, MILD, (c) => {
      const { v } = given(c);
      const other = random(c.seed + 2).numbers(v.data.length);
      const sum = v.data.map((value, at) => 2 * value + (other[at] as number));
      const of = (data: Float32Array) =>
        loom.attend({ ...c.input, v: { data, shape: v.shape } } as AttendInput).output.data;
      const [first, second] = [of(v.data), of(other)];
      const want = first.map((value, at) => 2 * value + (second[at] as number));
      expectClose(of(sum), want, "output", REORDERED);
    });
  });

  test("each output lies between the smallest and the greatest visible value of its column", () => {
    forAllCases(COUNT, {}, (c) => {
      const output = splitHeads(loom.attend(c.input).output.data, c.heads, c.nQ, c.dV);
      for (let g = 0, at = 0; g < c.heads; g++) {
        for (let i = 0; i < c.nQ; i++) {
          for (let column = 0; column < c.dV; column++, at++) {
            let [low, high] = [Infinity, -Infinity];
            for (let j = 0; j < c.nK; j++) {
              if (!c.visible(g, i, j)) continue;
              const value = c.values[(g * c.nK + j) * c.dV + column] as number;
              low = Math.min(low, value);
              high = Math.max(high, value);
            }
            if (low > high) [low, high] = [0, 0];
            const slack = 4e-6 * (1 + Math.max(Math.abs(low), Math.abs(high)));
            const value = output[at] as number;
            if (!(value >= low - slack && value <= high + slack)) throw new Error(`${value} not in ${low} … ${high}`);
          }
        }
      }
    });
  });

  test("doubling every key with its value changes no output", () => {
    forAllCases(COUNT, { ...MILD, ...UNMASKED }, (c) => {
      const { q, k, v } = given(c);
      const twice = Array.from({ length: 2 * c.nK }, (_, j) => j >> 1);
      const doubled = loom.attend({ ...c.input, q, k: reorder(k, twice), v: reorder(v, twice) });
      expectClose(doubled.output.data, loom.attend(c.input).output.data, "output", REORDERED);
    });
  });

  test("with one visible key the output is its value, bit for bit", () => {
    forAllCases(COUNT, { form: "qkv", ...UNMASKED }, (c) => {
      if (c.nK === 0) return;
      const { v } = given(c);
      const r = random(c.seed + 3);
      const seen = Array.from({ length: c.nQ }, () => r.whole(0, c.nK - 1));
      const data = Uint8Array.from({ length: c.nQ * c.nK }, (_, at) =>
        seen[Math.floor(at / c.nK)] === at % c.nK ? 1 : 0,
      );
      const { output } = loom.attend({ ...c.input, allow: { data, shape: [c.nQ, c.nK] } });
      expectBits(output.data, reorder(v, seen).data, "output");
    });
  });

  test("causal: changing a later token changes no earlier row, bit for bit", () => {
    forAllCases(COUNT, { form: "x", mask: "none", causal: "start" }, (c) => {
      if (c.nQ < 2) return;
      const x = (c.input as AttendX).x as Flat;
      const width = x.shape[1] as number;
      const at = random(c.seed + 4).whole(1, c.nQ - 1);
      const data = x.data.slice();
      for (let column = 0; column < width; column++)
        data[at * width + column] = 3 - (data[at * width + column] as number);
      const before = loom.attend(c.input).output;
      const after = loom.attend({ ...c.input, x: { data, shape: x.shape } } as AttendInput).output;
      const earlier = at * c.heads * c.dV;
      expectBits(after.data.subarray(0, earlier), before.data.subarray(0, earlier), "earlier rows");
      if (width > 0 && c.dV > 0 && bitDifference(after.data, before.data) === undefined) {
        throw new Error("the changed token changed nothing at all");
      }
    });
  });

  test("causal from the end with equal lengths equals causal from the start and causal: true", () => {
    forAllCases(COUNT, { form: "x", causal: "start" }, (c) => {
      const start = loom.attend(c.input).output.data;
      expectBits(loom.attend({ ...c.input, causal: "end" }).output.data, start, "end");
      expectBits(loom.attend({ ...c.input, causal: true }).output.data, start, "true");
      expectBits(loom.attend({ ...c.input, causal: { offset: 0 } }).output.data, start, "offset 0");
    });
  });

  test("queries times 2 and scale times ½ change nothing, bit for bit", () => {
    forAllCases(COUNT, { form: "qkv" }, (c) => {
      const { q } = given(c);
      const { trace } = loom.attend({ ...c.input, trace: true });
      const doubled = { data: q.data.map((value) => value * 2), shape: q.shape };
      const got = loom.attend({ ...c.input, q: doubled, scale: (trace?.scale as number) / 2 } as AttendInput);
      expectBits(got.output.data, trace === undefined ? [] : loom.attend(c.input).output.data, "output");
    });
  });

  test("padding appended and masked changes no visible weight and no output, bit for bit", () => {
    forAllCases(COUNT, { form: "qkv", mask: "allow" }, (c) => {
      const { q, k, v } = given(c);
      const r = random(c.seed + 5);
      const extra = r.whole(1, 9);
      const longer = ({ data, shape }: Flat): Flat => {
        const width = shape[1] as number;
        return { data: Float32Array.of(...data, ...r.numbers(extra * width, 50)), shape: [c.nK + extra, width] };
      };
      const width = c.nK + extra;
      const allow = new Uint8Array(c.nQ * width);
      for (let i = 0; i < c.nQ; i++) for (let j = 0; j < c.nK; j++) allow[i * width + j] = c.visible(0, i, j) ? 1 : 0;
      const base = { q, heads: c.heads, trace: true } as const;
      const short = loom.attend({ ...base, k, v, allow: allowOf(c) });
      const padded = loom.attend({ ...base, k: longer(k), v: longer(v), allow: { data: allow, shape: [c.nQ, width] } });
      expectBits(padded.output.data, short.output.data, "output");
      const visible = rows((padded.trace as Trace).stage("weights")).flatMap((row) => row.slice(0, c.nK));
      expectBits(visible, (short.trace as Trace).stage("weights").data, "weights");
    });
  });

  test("one head of several equals the run of that head alone, bit for bit", () => {
    forAllCases(COUNT, { form: "qkv", mask: "addPerHead" }, (c) => {
      const { q, k, v } = given(c);
      const all = splitHeads(loom.attend(c.input).output.data, c.heads, c.nQ, c.dV);
      const add = c.added;
      if (add === undefined) throw new Error("the case has no additive mask");
      for (let g = 0; g < c.heads; g++) {
        const one = (m: Flat, n: number, d: number): Flat => ({
          data: splitHeads(m.data, c.heads, n, d).subarray(g * n * d, (g + 1) * n * d),
          shape: [n, d],
        });
        const mask = Float32Array.from({ length: c.nQ * c.nK }, (_, at) => add(g, Math.floor(at / c.nK), at % c.nK));
        const { heads: _, ...options } = c.input as AttendQkv;
        const alone = loom.attend({
          ...options,
          q: one(q, c.nQ, c.dK),
          k: one(k, c.nK, c.dK),
          v: one(v, c.nK, c.dV),
          add: { data: mask, shape: [c.nQ, c.nK] },
        });
        expectBits(alone.output.data, all.subarray(g * c.nQ * c.dV, (g + 1) * c.nQ * c.dV), `head ${g}`);
      }
    });
  });

  test("temperature 1 equals none, bit for bit", () => {
    forAllCases(COUNT, { temperature: 1 }, (c) => {
      const { output } = loom.attend({ ...c.input, temperature: 1 });
      expectBits(output.data, loom.attend(c.input).output.data, "output");
    });
  });

  test("temperature τ equals the scale and the additive mask divided by τ, for τ = 2, bit for bit", () => {
    forAllCases(COUNT, { temperature: 2, mask: "allow" }, (c) => {
      const { trace, output } = loom.attend({ ...c.input, trace: true });
      const { temperature: _, ...rest } = c.input;
      const other = loom.attend({ ...rest, scale: (trace?.scale as number) / 2 } as AttendInput);
      expectBits(other.output.data, output.data, "output");
    });
  });

  test("temperature 0 gives the largest scores equal shares and the others exactly 0", () => {
    forAllCases(COUNT, { form: "qkv", mask: "allow" }, (c) => {
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

  test("offset, strided, double and nested input equals copied input, bit for bit", () => {
    forAllCases(COUNT, { form: "qkv" }, (c) => {
      const want = loom.attend(c.input).output.data;
      const each = (change: (m: Flat) => unknown) =>
        ({
          ...c.input,
          ...Object.fromEntries(Object.entries(given(c)).map(([name, m]) => [name, change(m)])),
        }) as AttendInput;
      const offset = ({ data, shape }: Flat) => {
        const buffer = new Float32Array(data.length + 3).fill(Number.NaN);
        buffer.set(data, 1);
        return { data: buffer.subarray(1, 1 + data.length), shape };
      };
      expectBits(loom.attend(each(offset)).output.data, want, "offset");
      expectBits(
        loom.attend(each((m) => ({ data: Float64Array.from(m.data), shape: m.shape }))).output.data,
        want,
        "double",
      );
      expectBits(loom.attend(each((m) => ({ data: [...m.data], shape: m.shape }))).output.data, want, "array");
      // Nested rows cannot say how wide an empty matrix is.
      if (c.nQ > 0 && c.nK > 0) {
        const nested = ({ data, shape: [n, width] }: Flat) =>
          Array.from({ length: n as number }, (_, i) => [
            ...data.subarray(i * (width as number), (i + 1) * (width as number)),
          ]);
        expectBits(loom.attend(each(nested)).output.data, want, "nested");
      }
    });
  });

  test("the softmax of an array equals the weights of a row with these scores, bit for bit", () => {
    forAllCases(COUNT, { heads: 1 }, (c) => {
      const trace = traced({ ...c.input, temperature: 1 });
      const scores = trace.stage(c.hasMask ? "masked" : "scaled");
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
