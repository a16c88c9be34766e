// What must hold for any input: the 25 properties. A failing case is shrunk to a small one and printed with its seed.

import { describe, expect, test } from "vitest";
import type { AttendInput, AttendQkv, AttendX, Trace } from "../../web/core/types.ts";
import { Numbers } from "../../web/draw/numbers.ts";
import { renderScene } from "../../web/draw/static.ts";
import { attendInput, type Level, type Model } from "../../web/elements/state/index.ts";
import { stringsFor } from "../../web/strings/index.ts";
import { amount, forAllCases } from "./support/arbitrary.ts";
import type { Case } from "./support/cases.ts";
import { bitDifference, expectBits, expectClose } from "./support/compare.ts";
import { allowOf, type Flat, given, largest, reorder, scoresOf, shuffled, traced, unmasked } from "./support/given.ts";
import { loom } from "./support/loom.ts";
import { joinHeads, splitHeads } from "./support/plain.ts";
import { random } from "./support/random.ts";
import { rows } from "./support/rows.ts";
import { cases } from "./support/size.ts";

const COUNT = cases(1000, 100_000);

/** Tolerances here suit input of standard deviation 1. */
const MILD = { form: "qkv", sd: 1 } as const;
const BARE = { mask: "none", causal: "none", window: "none" } as const;
const PER_HEAD = { form: "qkv", mask: "allowPerHead" } as const;
/** Sums taken in another order differ by a few units of the last place of their largest term. */
const REORDERED = { absolute: 5e-6, relative: 5e-6 };

/** Calls `check` with each weight of a case and whether its query may look at its key. */
function eachWeight(c: Case, check: (weight: number, visible: boolean, row: number) => void): void {
  const weights = traced(c.input).stage("weights").data;
  for (let row = 0, at = 0; row < c.heads * c.nQ; row++)
    for (let j = 0; j < c.nK; j++, at++)
      check(weights[at] as number, c.visible(Math.floor(row / c.nQ), row % c.nQ, j), row);
}

describe(`R01 properties (${amount(COUNT)})`, { timeout: cases(120_000, 3_600_000) }, () => {
  test("rows sum to 1 or the row is marked empty", () => {
    forAllCases(COUNT, {}, (c) => {
      const { trace, emptyRows } = loom.attend({ ...c.input, trace: true });
      const empty = new Set(emptyRows.map((row) => (row[0] as number) * c.nQ + (row[1] as number)));
      for (const [row, weights] of rows((trace as Trace).stage("weights")).entries()) {
        const sum = weights.reduce((total, weight) => total + weight, 0);
        if (empty.has(row) ? sum !== 0 : !(Math.abs(sum - 1) <= 4e-6)) throw new Error(`row ${row} sums to ${sum}`);
        const state = trace?.rowState(Math.floor(row / c.nQ), row % c.nQ);
        if (state !== (empty.has(row) ? "empty" : "ok")) throw new Error(`row ${row} is marked ${state}`);
      }
    });
  });

  test("no weight negative", () => {
    forAllCases(COUNT, {}, (c) =>
      eachWeight(c, (weight, _, row) => {
        if (!(weight >= 0) || Object.is(weight, -0)) throw new Error(`row ${row} has the weight ${weight}`);
      }),
    );
  });

  test("masked weight exactly 0", () => {
    forAllCases(COUNT, {}, (c) =>
      eachWeight(c, (weight, visible, row) => {
        if (!visible && !Object.is(weight, 0)) throw new Error(`row ${row} has the masked weight ${weight}`);
      }),
    );
  });

  test("adding a constant to all scores of a row changes no weight", () => {
    forAllCases(COUNT, { ...MILD, mask: "none" }, (c) => {
      const r = random(c.seed + 1);
      const constants = Float32Array.from({ length: c.nQ }, () => r.normal() * 4);
      const data = Float32Array.from({ length: c.nQ * c.nK }, (_, at) => constants[Math.floor(at / c.nK)] as number);
      const moved = traced({ ...c.input, add: { data, shape: [c.nQ, c.nK] } });
      expectClose(moved.stage("weights").data, traced(c.input).stage("weights").data, "weights", REORDERED);
    });
  });

  test("permuting keys and values together permutes weights, leaves output", () => {
    forAllCases(COUNT, { ...MILD, ...PER_HEAD }, (c) => {
      const { q, k, v } = given(c);
      const order = shuffled(c.nK, c.seed);
      const straight = traced(c.input);
      const moved = traced({
        ...unmasked(c),
        q,
        k: reorder(k, order),
        v: reorder(v, order),
        allow: allowOf(c, undefined, order),
      });
      const want = rows(straight.stage("weights")).flatMap((row) => order.map((from) => row[from] as number));
      expectClose(moved.stage("weights").data, want, "weights", REORDERED);
      expectClose(moved.stage("output").data, straight.stage("output").data, "output", REORDERED);
    });
  });

  test("permuting queries permutes rows", () => {
    forAllCases(COUNT, PER_HEAD, (c) => {
      const { q, k, v } = given(c);
      const order = shuffled(c.nQ, c.seed);
      const moved = loom.attend({ ...unmasked(c), q: reorder(q, order), k, v, allow: allowOf(c, order) });
      expectBits(moved.output.data, reorder(loom.attend(c.input).output, order).data, "output");
    });
  });

  test("output is linear in V", () => {
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

  test("each output lies between the smallest and greatest visible value of its column", () => {
    forAllCases(COUNT, {}, (c) => {
      const output = splitHeads(loom.attend(c.input).output.data, c.heads, c.nQ, c.dV);
      for (let row = 0; row < c.heads * c.nQ; row++) {
        const g = Math.floor(row / c.nQ);
        const keys = Array.from({ length: c.nK }, (_, j) => j).filter((j) => c.visible(g, row % c.nQ, j));
        for (let column = 0; column < c.dV; column++) {
          let [low, high] = keys.length > 0 ? [Infinity, -Infinity] : [0, 0];
          for (const j of keys) {
            const value = c.values[(g * c.nK + j) * c.dV + column] as number;
            low = Math.min(low, value);
            high = Math.max(high, value);
          }
          const slack = 4e-6 * (1 + Math.max(Math.abs(low), Math.abs(high)));
          const value = output[row * c.dV + column] as number;
          if (!(value >= low - slack && value <= high + slack)) throw new Error(`${value} not in ${low} … ${high}`);
        }
      }
    });
  });

  test("equal keys give equal weights", () => {
    forAllCases(COUNT, PER_HEAD, (c) => {
      const { k } = given(c);
      const equal = reorder(k, new Array(c.nK).fill(0));
      const weights = rows(traced({ ...c.input, k: equal } as AttendInput).stage("weights"));
      for (const [row, got] of weights.entries()) {
        const sight = got.map((_, j) => c.visible(Math.floor(row / c.nQ), row % c.nQ, j));
        const share = Math.fround(1 / sight.filter(Boolean).length);
        expectBits(
          got,
          sight.map((visible) => (visible ? share : 0)),
          `row ${row}`,
        );
      }
    });
  });

  test("doubling every key with its value changes no output", () => {
    forAllCases(COUNT, { ...MILD, ...PER_HEAD }, (c) => {
      const { q, k, v } = given(c);
      const twice = Array.from({ length: 2 * c.nK }, (_, j) => j >> 1);
      const doubled = loom.attend({
        ...unmasked(c),
        q,
        k: reorder(k, twice),
        v: reorder(v, twice),
        allow: allowOf(c, undefined, twice),
      });
      expectClose(doubled.output.data, loom.attend(c.input).output.data, "output", REORDERED);
    });
  });

  test("T=1 gives O=V", () => {
    forAllCases(COUNT, { nQ: 1, nK: 1, mask: "none", causal: "start" }, (c) => {
      expectBits(loom.attend(c.input).output.data, c.values, "output");
    });
  });

  test("one visible key gives O=that value", () => {
    forAllCases(COUNT, { form: "qkv", ...BARE }, (c) => {
      if (c.nK === 0) return;
      const r = random(c.seed + 3);
      const seen = Array.from({ length: c.heads * c.nQ }, () => r.whole(0, c.nK - 1));
      const data = new Uint8Array(c.heads * c.nQ * c.nK);
      const want = new Float32Array(c.heads * c.nQ * c.dV);
      for (const [row, j] of seen.entries()) {
        data[row * c.nK + j] = 1;
        const from = (Math.floor(row / c.nQ) * c.nK + j) * c.dV;
        want.set(c.values.subarray(from, from + c.dV), row * c.dV);
      }
      const { output } = loom.attend({ ...c.input, allow: { data, shape: [c.heads, c.nQ, c.nK] } });
      expectBits(output.data, joinHeads(want, c.heads, c.nQ, c.dV), "output");
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
      if (bitDifference(after.data, before.data) === undefined)
        throw new Error("the changed token changed nothing at all");
    });
  });

  test("causal end-aligned with Tq=Tk equals start-aligned", () => {
    forAllCases(COUNT, { form: "x", causal: "start" }, (c) => {
      const start = loom.attend(c.input).output.data;
      expectBits(loom.attend({ ...c.input, causal: "end" }).output.data, start, "end");
      expectBits(loom.attend({ ...c.input, causal: true }).output.data, start, "true");
      expectBits(loom.attend({ ...c.input, causal: { offset: 0 } }).output.data, start, "offset 0");
    });
  });

  test("Q times 2 and scale times ½ changes nothing, bit for bit", () => {
    forAllCases(COUNT, { form: "qkv" }, (c) => {
      const { q } = given(c);
      const { trace, output } = loom.attend({ ...c.input, trace: true });
      const doubled = { data: q.data.map((value) => value * 2), shape: q.shape };
      const got = loom.attend({ ...c.input, q: doubled, scale: (trace as Trace).scale / 2 } as AttendInput);
      expectBits(got.output.data, output.data, "output");
    });
  });

  test("padding appended and masked changes no visible weight", () => {
    forAllCases(COUNT, PER_HEAD, (c) => {
      const { q, k, v } = given(c);
      const r = random(c.seed + 5);
      const extra = r.whole(1, 9);
      const width = c.nK + extra;
      const longer = ({ data, shape: [, d] }: Flat): Flat => {
        const padded = new Float32Array(width * (d as number));
        padded.set(data);
        padded.set(r.numbers(extra * (d as number), 50), data.length);
        return { data: padded, shape: [width, d as number] };
      };
      const short = loom.attend({ ...c.input, trace: true });
      const { data } = allowOf(c);
      const allow = new Uint8Array(c.heads * c.nQ * width);
      for (let row = 0; row < c.heads * c.nQ; row++)
        allow.set(data.subarray(row * c.nK, (row + 1) * c.nK), row * width);
      const input = { ...unmasked(c), q, k: longer(k), v: longer(v), trace: true } as const;
      const padded = loom.attend({ ...input, allow: { data: allow, shape: [c.heads, c.nQ, width] } });
      expectBits(padded.output.data, short.output.data, "output");
      const visible = rows((padded.trace as Trace).stage("weights")).flatMap((row) => row.slice(0, c.nK));
      expectBits(visible, (short.trace as Trace).stage("weights").data, "weights");
      // The same by counting the real keys; patterns and masks stay as they are.
      const counted = loom.attend({ ...input, allow: { data: allow, shape: [c.heads, c.nQ, width] }, keyCounts: c.nK });
      expectBits(counted.output.data, short.output.data, "output with keyCounts");
    });
  });

  test("one head of H heads equals the run of that head alone", () => {
    forAllCases(COUNT, { form: "qkv", mask: "addPerHead" }, (c) => {
      const all = splitHeads(loom.attend(c.input).output.data, c.heads, c.nQ, c.dV);
      const { heads: _, kvHeads: _kv, ...options } = c.input as AttendQkv;
      for (let g = 0; g < c.heads; g++) {
        const one = (stage: Float32Array, n: number, d: number): Flat => ({
          data: stage.subarray(g * n * d, (g + 1) * n * d),
          shape: [n, d],
        });
        const mask = Float32Array.from({ length: c.nQ * c.nK }, (_, at) =>
          (c.added as NonNullable<Case["added"]>)(g, Math.floor(at / c.nK), at % c.nK),
        );
        const alone = loom.attend({
          ...options,
          q: one(c.queries, c.nQ, c.dK),
          k: one(c.keys, c.nK, c.dK),
          v: one(c.values, c.nK, c.dV),
          add: { data: mask, shape: [c.nQ, c.nK] },
        });
        expectBits(alone.output.data, all.subarray(g * c.nQ * c.dV, (g + 1) * c.nQ * c.dV), `head ${g}`);
      }
    });
  });

  test("shared key heads equal repeated heads, bit for bit", () => {
    for (const [sharing, heads] of [
      ["all", undefined],
      ["pairs", 4],
    ] as const) {
      forAllCases(COUNT / 2, { form: "qkv", sharing, ...(heads !== undefined && { heads }) }, (c) => {
        const { kvHeads: _, ...rest } = c.input;
        const repeated = loom.attend({
          ...rest,
          k: { data: joinHeads(c.keys, c.heads, c.nK, c.dK), shape: [c.nK, c.heads * c.dK] },
          v: { data: joinHeads(c.values, c.heads, c.nK, c.dV), shape: [c.nK, c.heads * c.dV] },
        } as AttendInput);
        expectBits(loom.attend(c.input).output.data, repeated.output.data, "output");
      });
    }
  });

  test("a very great soft-cap approaches none", () => {
    forAllCases(COUNT, { softCap: 0 }, (c) => {
      const plain = traced(c.input);
      const most = largest(plain.stage("scaled").data);
      // c·tanh(x/c) is less than x by x³/(3c²) at most: here by a millionth of the largest score.
      const near = traced({ ...c.input, softCap: 600 * Math.max(most, 1) });
      const off = (2e-6 * Math.max(most, 1)) / Math.min(c.temperature, 1);
      const within = { absolute: 5e-6 + off, relative: 5e-6 + off };
      expectClose(near.stage("weights").data, plain.stage("weights").data, "weights", within);
      const huge = traced({ ...c.input, softCap: 1e5 * Math.max(most, 1) });
      expectBits(huge.stage("output").data, plain.stage("output").data, "output");
    });
  });

  test("temperature 1 = none", () => {
    forAllCases(COUNT, { temperature: 1 }, (c) => {
      const { output } = loom.attend({ ...c.input, temperature: 1 });
      expectBits(output.data, loom.attend(c.input).output.data, "output");
    });
  });

  test("trace on = trace off, bit for bit", () => {
    forAllCases(COUNT, {}, (c) => {
      const plain = loom.attend(c.input);
      const kept = loom.attend({ ...c.input, trace: true });
      expectBits(kept.output.data, plain.output.data, "output");
      expect([kept.emptyRows, kept.notFiniteRows]).toEqual([plain.emptyRows, plain.notFiniteRows]);
    });
  });

  test("S, A, O of the trace satisfy A = softmax(S) and O = A·V recomputed", () => {
    forAllCases(COUNT, {}, (c) => {
      const trace = traced(c.input);
      const scores = trace.stage(scoresOf(c)).data;
      const weights = trace.stage("weights").data;
      const output = trace.stage("output").data;
      // Half a unit in the last place of the largest score, twice and sharpened by τ, is what exp multiplies.
      const bound = 5e-6 + (1.2e-7 * largest(scores)) / c.temperature;
      const row = new Float64Array(c.nK);
      for (let r = 0; r < c.heads * c.nQ; r++) {
        let [most, total] = [-Infinity, 0];
        for (let j = 0; j < c.nK; j++) most = Math.max(most, scores[r * c.nK + j] as number);
        for (let j = 0; j < c.nK; j++) {
          row[j] = most === -Infinity ? 0 : Math.exp(((scores[r * c.nK + j] as number) - most) / c.temperature);
          total += row[j] as number;
        }
        for (let j = 0; j < c.nK; j++) {
          const [got, want] = [weights[r * c.nK + j] as number, total === 0 ? 0 : (row[j] as number) / total];
          if (!(Math.abs(got - want) <= bound)) throw new Error(`weight ${j} of row ${r} is ${got}, not ${want}`);
        }
        for (let column = 0; column < c.dV; column++) {
          let [want, size] = [0, 0];
          for (let j = 0; j < c.nK; j++) {
            const value = c.values[(Math.floor(r / c.nQ) * c.nK + j) * c.dV + column] as number;
            want += (weights[r * c.nK + j] as number) * value;
            size = Math.max(size, Math.abs(value));
          }
          const got = output[r * c.dV + column] as number;
          if (!(Math.abs(got - want) <= 4e-6 * size)) throw new Error(`output ${r}, ${column} is ${got}, not ${want}`);
        }
      }
    });
  });

  test("offset or strided input = copied input, bit for bit", () => {
    forAllCases(COUNT, { form: "qkv" }, (c) => {
      const want = loom.attend(c.input).output.data;
      const check = (what: string, change: (m: Flat) => unknown) => {
        const changed = Object.entries(given(c)).map(([name, m]) => [name, change(m)]);
        expectBits(loom.attend({ ...c.input, ...Object.fromEntries(changed) } as AttendInput).output.data, want, what);
      };
      check("offset", ({ data, shape }) => {
        const buffer = new Float32Array(data.length + 3).fill(Number.NaN);
        buffer.set(data, 1);
        return { data: buffer.subarray(1, 1 + data.length), shape };
      });
      check("double", ({ data, shape }) => ({ data: Float64Array.from(data), shape }));
      check("array", ({ data, shape }) => ({ data: [...data], shape }));
      // Nested rows cannot say how wide an empty matrix is.
      if (c.nQ === 0 || c.nK === 0) return;
      check("strided", ({ data, shape: [n, width] }) => {
        const stride = (width as number) + 2;
        const buffer = new Float32Array((n as number) * stride).fill(Number.NaN);
        return Array.from({ length: n as number }, (_, i) => {
          const row = buffer.subarray(i * stride + 1, i * stride + 1 + (width as number));
          row.set(data.subarray(i * (width as number), (i + 1) * (width as number)));
          return row;
        });
      });
    });
  });

  test("results do not change when the engine is called again", () => {
    forAllCases(COUNT, {}, (c) => {
      const kept = loom.attend({ ...c.input, trace: true });
      const first = kept.output.data.slice();
      const weights = (kept.trace as Trace).stage("weights").data;
      const before = weights.slice();
      loom.attend({ q: [[5, 5]], k: [[1, 2]], v: [[9]], trace: true });
      loom.softmax({ data: [1, 2, 3] });
      expectBits(loom.attend(c.input).output.data, first, "the same call again");
      expectBits(kept.output.data, first, "the result of before");
      expectBits(weights, before, "the stage of before");
      expectBits((kept.trace as Trace).stage("weights").data, before, "the stage asked for again");
    });
  });

  test("save and load of state gives the same picture and numbers", () => {
    forAllCases(
      COUNT,
      { form: "qkv", nQ: 2, nK: 3, mask: "allow", window: "none", softCap: 0, sharing: "none" },
      (c) => {
        const { q, k, v } = given(c);
        const table = ({ data, shape: [height, columns] }: Flat) => ({
          rows: height as number,
          columns: columns as number,
          data: [...data],
        });
        const { heads, scale, causal, temperature } = c.input;
        const allow = allowOf({ ...c, heads: 1 }).data;
        const model: Model = {
          tokensQ: ["la", "maison"],
          tokensKv: ["the", "<house>", "."],
          matrices: { q: table(q), k: table(k), v: table(v) },
          options: {
            allow: { rows: c.nQ, columns: c.nK, data: [...allow] },
            ...(heads !== undefined && { heads }),
            ...(scale !== undefined && { scale }),
            ...(causal !== undefined && { causal }),
            ...(temperature !== undefined && { temperature }),
          },
        };
        const level = random(c.seed + 6).pick<Level>(["stage", "row", "cell", "term"]);
        const show = (state: Model) => {
          const { output, trace } = loom.attend(attendInput(state));
          const numbers = new Numbers(trace as Trace);
          const cursor = { level, stage: "weights", head: 0, row: 1, column: 2, term: 0 };
          const { tokensQ, tokensKv } = state;
          return { output, picture: renderScene({ numbers, cursor, tokensQ, tokensKv, strings: stringsFor("en") }) };
        };
        const [saved, loaded] = [show(model), show(JSON.parse(JSON.stringify(model)))];
        expectBits(loaded.output.data, saved.output.data, "output");
        if (loaded.picture !== saved.picture) throw new Error("another picture");
      },
    );
  });
});
