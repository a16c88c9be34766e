// Long sequences: which part of a side is on view, what the heat map of the whole shows, what undo remembers of them.

import { describe, expect, test } from "vitest";
import type { Cursor } from "../../web/draw/cursor.ts";
import { heatOf } from "../../web/draw/heat.ts";
import { Numbers } from "../../web/draw/numbers.ts";
import { cursorPlaces, fitOf, isLong, partText, spanOf } from "../../web/draw/pages.ts";
import type { Scene } from "../../web/draw/scene.ts";
import { initialState, type Model, reduce, tableOf } from "../../web/elements/state/index.ts";
import { stringsFor } from "../../web/strings/index.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";

const SEED = Number(process.env.LOOM_SEED ?? 20461);

describe("the part of a side that is on view", () => {
  const wide = fitOf(40, 40);

  test.each([
    // [cells, place, first on view]; of each page 8 are
    [16, 15, 8], // of a long figure every side is cut to a page
    [8, 7, 0],
    [40, 0, 0],
    [40, 7, 0],
    [40, 8, 8],
    [20, 19, 12], // the last page is full
    [20, 99, 12],
    [20, -3, 0],
  ])("of %i cells place %i", (of, at, from) => {
    expect(spanOf(of, at, wide)).toEqual({ from, count: 8, of });
  });

  test("up to 16 words all is on view, and a page is smaller where there is little room", () => {
    expect(isLong(16, 16)).toBe(false);
    expect(isLong(16, 17)).toBe(true);
    expect(spanOf(16, 12, fitOf(16, 16))).toEqual({ from: 0, count: 16, of: 16 });
    expect(spanOf(40, 12, fitOf(40, 40, true))).toEqual({ from: 10, count: 5, of: 40 });
  });

  test("what is said of it", () => {
    const strings = stringsFor("en");
    expect(partText(strings, spanOf(40, 9, wide), spanOf(30, 0, wide))).toBe(
      "On view: rows 9 to 16 of 40, columns 1 to 8 of 30.",
    );
    expect(partText(strings, spanOf(8, 0, wide), spanOf(3, 0, wide))).toBe("");
  });
});

/** Random queries, keys and values of two heads with a mask, as a scene of one stage and head. */
function sceneOf(stage: string, head: number): Scene {
  const r = random(SEED);
  const [queries, keys] = [21, 34];
  const matrix = (rows: number) => ({ data: r.numbers(rows * 6), shape: [rows, 6] as const });
  const allow = {
    data: Array.from({ length: queries * keys }, (_, i) => i % keys === 0 || r.chance(0.7)),
    shape: [queries, keys] as const,
  };
  const { trace } = loom.attend({
    q: matrix(queries),
    k: matrix(keys),
    v: matrix(keys),
    heads: 2,
    allow,
    trace: true,
  });
  if (!trace) throw new Error("no trace");
  const cursor: Cursor = { level: "stage", stage, head, row: 0, column: 0, term: 0 };
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`);
  return {
    numbers: new Numbers(trace),
    cursor,
    tokensQ: words(queries),
    tokensKv: words(keys),
    strings: stringsFor("en"),
  };
}

describe(`the heat map (seed ${SEED})`, () => {
  test.each(["queries", "scores", "masked", "exp", "weights", "output", "rowsum"])(
    "%s: one spot for each cell says its size and sign, or that the mask covers it",
    (stage) => {
      for (const head of [0, 1]) {
        const scene = sceneOf(stage, head);
        const { trace } = scene.numbers;
        const { shape, data } = trace.stage(stage);
        const [, rows = 0, columns = 1] = shape;
        const heat = heatOf(scene, 1000, 1000);
        expect([heat.width, heat.height, heat.spots.length]).toEqual([columns, rows, rows * columns]);
        const masked = trace.stage("masked").data;
        const covers = ["masked", "exp", "weights"].includes(stage);
        const isCovered = (i: number) => covers && masked[head * rows * columns + i] === Number.NEGATIVE_INFINITY;
        const own = data.slice(head * rows * columns, (head + 1) * rows * columns);
        const seen = [...data].filter(Number.isFinite).map(Math.abs);
        const full = stage === "weights" || stage === "exp" ? 1 : Math.max(...seen);
        own.forEach((value, i) => {
          const spot = heat.spots[i] as number;
          if (isCovered(i)) expect(spot).toBeNaN();
          else expect(spot).toBe(Math.fround(Math.sign(value) * Math.sqrt(Math.abs(value) / full)) + 0);
        });
        if (covers) expect(heat.spots.some(Number.isNaN)).toBe(true);
        // Bars: the largest size of each row, the mean size of each column, as shares of the largest.
        const sizeAt = (row: number, column: number) => {
          const i = row * columns + column;
          return isCovered(i) ? 0 : Math.abs(own[i] as number);
        };
        const list = (n: number) => Array.from({ length: n }, (_, i) => i);
        const largest = list(rows).map((row) => Math.max(...list(columns).map((column) => sizeAt(row, column))));
        const means = list(columns).map(
          (column) => list(rows).reduce((sum, row) => sum + sizeAt(row, column), 0) / rows,
        );
        const top = (values: number[]) => values.map((value) => value / Math.max(...values));
        // Sums of 21 float32: half a unit in the last place each.
        top(largest).forEach((share, row) => {
          expect(heat.rowSizes[row]).toBeCloseTo(share, 6);
        });
        top(means).forEach((share, column) => {
          expect(heat.columnSizes[column]).toBeCloseTo(share, 5);
        });
      }
    },
  );

  test("where there are fewer spots than cells the largest size is the one that is seen", () => {
    const scene = sceneOf("scores", 1);
    const all = heatOf(scene, 1000, 1000);
    const few = heatOf(scene, 10, 7);
    expect([few.width, few.height]).toEqual([10, 7]);
    const wanted = new Float32Array(70);
    for (let row = 0; row < 21; row++)
      for (let column = 0; column < 34; column++) {
        const at = Math.floor(row / 3) * 10 + Math.floor((column * 10) / 34);
        const spot = all.spots[row * 34 + column] as number;
        if (Math.abs(spot) > Math.abs(wanted[at] as number)) wanted[at] = spot;
      }
    expect(few.spots).toEqual(wanted);
  });
});

test("the cursor turns the pages of the sides that it stands on, and of no other", () => {
  const { numbers } = sceneOf("weights", 0);
  const at = (level: Cursor["level"], stage: string) =>
    Object.fromEntries(cursorPlaces(numbers, { level, stage, head: 0, row: 20, column: 2, term: 30 }));
  expect(at("stage", "weights")).toEqual({});
  expect(at("row", "weights")).toEqual({ q: 20 });
  expect(at("cell", "weights")).toEqual({ q: 20, kv: 2 });
  // The terms of an output are the keys, those of a score the numbers of the vectors.
  expect(at("term", "output")).toEqual({ q: 20, "f:column": 2, kv: 30 });
  expect(at("term", "scores")).toEqual({ q: 20, kv: 2, "f:term": 30 });
});

test("undo forgets the oldest masks of a long sequence rather than fill the memory, and always keeps the last", () => {
  const LENGTH = 512;
  const words = Array.from({ length: LENGTH }, (_, i) => `w${i}`);
  const ones = tableOf(words.map(() => [1]));
  const model: Model = { tokensQ: words, tokensKv: words, matrices: { q: ones, k: ones, v: ones }, options: {} };
  let state = initialState(model);
  for (let row = 0; row < 20; row++)
    state = reduce(state, { type: "mask", area: { rows: [row, row], columns: [1, 1] }, isOpen: false }, []);
  // 4,000,000 numbers, of 262,144 in each mask and 1,536 in the matrices that all share: 15 masks.
  const masks = state.past.filter(({ options }) => options.allow).length;
  expect(masks).toBe(15);
  expect(state.past).toHaveLength(15);
  const before = state.past.at(-1);
  expect(reduce(state, { type: "undo" }, []).model).toBe(before);
});
