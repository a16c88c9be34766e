// Example E1 "house-4x5": the figure, the lesson and these tests read the same file.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Trace } from "../../web/core/types.ts";
import { expectClose, type Tolerance } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { rows } from "./support/rows.ts";

interface Example {
  tokensQ: string[];
  tokensKv: string[];
  x: number[][];
  xKv: number[][];
  wQ: number[][];
  wK: number[][];
  wV: number[][];
}

const path = new URL("../../content/examples/house-4x5.json", import.meta.url);
const example = JSON.parse(readFileSync(path, "utf8")) as Example;
const { x, xKv, wQ, wK, wV } = example;
const house = { x, xKv, wQ, wK, wV };
const query = (token: string) => example.tokensQ.indexOf(token);
const key = (token: string) => example.tokensKv.indexOf(token);

/** The published numbers have four decimals: half a unit of the last, and float32 rounding. */
const FOUR_DECIMALS: Tolerance = { absolute: 5e-5 + 1e-5, relative: 0 };

function traced(options: object = {}): Trace {
  const { trace } = loom.attend({ ...house, ...options, trace: true });
  if (trace === undefined) throw new Error("trace: true gave no trace");
  return trace;
}

describe("E1, numbers", () => {
  test("queries, keys, values and scores are the whole numbers of the table", () => {
    const t = traced();
    expect(rows(t.stage("queries"))).toEqual([
      [-1, 0, 2],
      [2, -1, -1],
      [0, 2, 2],
      [1, 1, 0],
    ]);
    expect(rows(t.stage("keys"))).toEqual([
      [-1, -1, 1],
      [2, -1, -1],
      [2, 2, 0],
      [1, 2, 1],
      [0, 1, 0],
    ]);
    expect(rows(t.stage("values"))).toEqual([
      [1, 1, 1],
      [-1, 3, 0],
      [0, 2, 2],
      [1, 2, 3],
      [0, -1, 0],
    ]);
    expect(rows(t.stage("scores"))).toEqual([
      [3, -4, -2, 1, 0],
      [-2, 6, 2, -1, -1],
      [0, -4, 4, 6, 2],
      [-2, 1, 4, 3, 1],
    ]);
  });

  test("weights are those of the table", () => {
    const want = [
      [0.6388, 0.0112, 0.0356, 0.2013, 0.113],
      [0.0086, 0.8739, 0.0868, 0.0154, 0.0154],
      [0.0216, 0.0021, 0.2175, 0.6902, 0.0685],
      [0.0161, 0.0909, 0.5137, 0.2884, 0.0909],
    ];
    expectClose(traced().stage("weights").data, want.flat(), "weights", FOUR_DECIMALS);
  });

  test("row maxima, row sums and the exp row of la are those of the table", () => {
    const t = traced();
    expectClose(t.stage("rowmax").data, [1.7321, 3.4641, 3.4641, 2.3094], "rowmax", FOUR_DECIMALS);
    expectClose(t.stage("rowsum").data, [1.5654, 1.1443, 1.4489, 1.9465], "rowsum", FOUR_DECIMALS);
    const la = rows(t.stage("exp"))[query("la")] as number[];
    expectClose(la, [1, 0.0176, 0.0558, 0.3152, 0.1769], "exp of la", FOUR_DECIMALS);
  });

  test("output is that of the table", () => {
    const want = [
      [0.8289, 1.0334, 1.314],
      [-0.8499, 2.8192, 0.2283],
      [0.7096, 1.7749, 2.5272],
      [0.2136, 1.8021, 1.9088],
    ];
    const { output } = loom.attend(house);
    expect(output.name).toBe("output");
    expect(output.shape).toEqual([4, 3]);
    expectClose(output.data, want.flat(), "output", FOUR_DECIMALS);
  });

  test("the entropy of each row of weights is that of the table", () => {
    const entropies = rows(traced().stage("weights")).map((row) => -row.reduce((sum, w) => sum + w * Math.log(w), 0));
    expectClose(entropies, [1.0246, 0.4992, 0.8675, 1.2031], "entropy in nats", FOUR_DECIMALS);
  });
});

describe("E1, variants", () => {
  const rowMaxima = (t: Trace) => rows(t.stage("weights")).map((row) => Math.max(...row));

  test("divided by 3 instead of its root, the weights are flatter", () => {
    expectClose(rowMaxima(traced({ scale: 1 / 3 })), [0.4614, 0.6549, 0.5133, 0.3865], "maxima", FOUR_DECIMALS);
  });

  test("without a division the weights are sharper", () => {
    expectClose(rowMaxima(traced({ scale: 1 })), [0.8384, 0.9799, 0.8649, 0.6803], "maxima", FOUR_DECIMALS);
  });

  test("with scale 0 every output row is the mean of the values", () => {
    for (const row of rows(loom.attend({ ...house, scale: 0 }).output)) expectClose(row, [0.2, 1.4, 1.2], "row");
  });

  test("with the full stop masked its weight is exactly 0 and the others grow", () => {
    const allow = example.tokensQ.map(() => example.tokensKv.map((token) => token !== "."));
    const t = traced({ allow });
    const la = rows(t.stage("weights"))[query("la")] as number[];
    expectClose(la, [0.7202, 0.0127, 0.0402, 0.227, 0], "weights of la", FOUR_DECIMALS);
    for (const row of rows(t.stage("weights"))) expect(Object.is(row[key(".")], 0)).toBe(true);
    const output = rows(t.stage("output"))[query("la")] as number[];
    expectClose(output, [0.9345, 1.2924, 1.4815], "output of la", FOUR_DECIMALS);
  });

  test("an additive mask that raises la–house before the division by 1 gives the published row", () => {
    const add = example.tokensQ.map(() => example.tokensKv.map(() => 0));
    (add[query("la")] as number[])[key("house")] = 1 / Math.sqrt(3);
    const la = rows(traced({ add }).stage("weights"))[query("la")] as number[];
    expectClose(la, [0.552, 0.0097, 0.0308, 0.3099, 0.0977], "weights of la", FOUR_DECIMALS);
  });
});

describe("E1, what the frames of the figure show", () => {
  const partials = (stage: string, index: number[]) =>
    traced()
      .origin(stage, index)
      .terms.map((term) => term.partial);

  test("scores[la][house] sums up as -1, -1, 1", () => {
    expect(partials("scores", [0, query("la"), key("house")])).toEqual([-1, -1, 1]);
  });

  test("scores[petite][small] sums up as 4, 5, 6", () => {
    expect(partials("scores", [0, query("petite"), key("small")])).toEqual([4, 5, 6]);
  });

  test("output[la][0] sums up as .6388, .6276, .6276, .8289, .8289", () => {
    const sums = partials("output", [0, query("la"), 0]);
    expectClose(sums, [0.6388, 0.6276, 0.6276, 0.8289, 0.8289], "partial sums", FOUR_DECIMALS);
    expect(sums.at(-1)).toBe(loom.attend(house).output.data[0]);
  });

  test("there are eleven stages, in order, and twelve with a mask", () => {
    const plain = "queries keys values scores scaled rowmax shifted exp rowsum weights output".split(" ");
    expect(traced().stages).toEqual(plain);
    const allow = example.tokensQ.map(() => example.tokensKv.map(() => true));
    expect(traced({ allow }).stages).toEqual([...plain.slice(0, 5), "masked", ...plain.slice(5)]);
  });

  test("the trace has what 11, 46, 162 and 366 frames need, and 12, 50, 182 and 386 with a mask", () => {
    const frames = (t: Trace) => {
      const counts = t.stages.map((name) => {
        const { shape, terms } = t.describe(name);
        const cells = shape.reduce((product, size) => product * size, 1);
        return { rows: (shape[0] as number) * (shape[1] as number), cells, terms: cells * terms };
      });
      const total = (what: "rows" | "cells" | "terms") => counts.reduce((sum, count) => sum + count[what], 0);
      return [counts.length, total("rows"), total("cells"), total("terms")];
    };
    expect(frames(traced())).toEqual([11, 46, 162, 366]);
    const allow = example.tokensQ.map(() => example.tokensKv.map(() => true));
    expect(frames(traced({ allow }))).toEqual([12, 50, 182, 386]);
  });
});
