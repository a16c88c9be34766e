// Where a number comes from and what it feeds, as the figure says it, against the numbers of E1 worked out by hand and
// against the core's own trace.

import { describe, expect, test } from "vitest";
import type { CellRef, Operation, StageDescription } from "../../web/core/types.ts";
import { Numbers } from "../../web/draw/numbers.ts";
import {
  answerText,
  answerTo,
  askedCells,
  askedLook,
  type FeedsPicture,
  MOST_FED,
  MOST_TERMS,
  type OriginPicture,
} from "../../web/draw/origin.ts";
import type { Scene } from "../../web/draw/scene.ts";
import { cellKey, cellOfKey } from "../../web/draw/shape.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { attendInput, isSelf, type Model, tableOf } from "../../web/elements/state/index.ts";
import { stringsFor } from "../../web/strings/index.ts";
import { loom } from "./support/loom.ts";
import { indices } from "./support/rows.ts";

const house = exampleModel("house-4x5") as Model;
const maskOf = (...rows: string[]) => tableOf(rows.map((row) => [...row].map(Number)));
const masked: Model = { ...house, options: { allow: maskOf("11110", "11111", "00000", "11111") } };
const self: Model = {
  tokensQ: ["a", "b", "c"],
  tokensKv: ["a", "b", "c"],
  matrices: {
    x: tableOf([
      [1, 0, 2, 1],
      [0, 1, 1, -1],
      [2, 1, 0, 1],
    ]),
    wQ: tableOf([1, 2, 3, 4].map((i) => [i, 1, -1, 0.5])),
    wK: tableOf([1, 2, 3, 4].map((i) => [1, -i, 1, 0.25])),
    wV: tableOf([1, 2, 3, 4].map((i) => [i, i, 1, 0])),
  },
  options: { heads: 2, causal: true, temperature: 0.5 },
};
/** Twenty keys of one feature: i − 9, so that the largest product with 1 is that of the last. */
const many: Model = {
  tokensQ: ["q"],
  tokensKv: Array.from({ length: 20 }, (_, i) => `k${i}`),
  matrices: {
    q: tableOf([[1]]),
    k: tableOf(Array.from({ length: 20 }, (_, i) => [i === 9 ? 30 : i - 9])),
    v: tableOf(Array.from({ length: 20 }, () => [1])),
  },
  options: {},
};

function sceneOf(model: Model): Scene {
  const { trace } = loom.attend(attendInput(model));
  if (!trace) throw new Error("no trace");
  const { tokensQ, tokensKv } = model;
  const cursor = { level: "stage", stage: "queries", head: 0, row: 0, column: 0, term: 0 } as const;
  const editable = new Set(Object.keys(model.matrices));
  return {
    numbers: new Numbers(trace),
    cursor,
    tokensQ,
    tokensKv,
    strings: stringsFor("en"),
    self: isSelf(model),
    editable,
  };
}

const originIn = (scene: Scene, stage: string, index: number[], whole = false) =>
  answerTo(scene, { stage, index, about: "origin", whole }) as OriginPicture;
const feedsIn = (scene: Scene, stage: string, index: number[], whole = false) =>
  answerTo(scene, { stage, index, about: "feeds", whole }) as FeedsPicture;
const said = ({ how }: OriginPicture | FeedsPicture) => how.map(({ text }) => text).join("");
const rowsOf = ({ terms }: OriginPicture) =>
  terms.map(({ label, operands, value, partial }) => [label, ...operands.map(({ text }) => text), value, partial]);

describe("E1, by hand", () => {
  const scene = sceneOf(house);

  test("a score is three products with their running sum", () => {
    const picture = originIn(scene, "scores", [0, 0, 3]);
    expect(picture.cell).toMatchObject({ name: "scores", place: "la → house", text: "1", exact: "", role: "s" });
    expect(picture.cell.spoken).toBe("scores: query la, key house, 1");
    expect(said(picture)).toBe("The sum of 3 products, queries times keys.");
    expect(picture.columns.map(({ name, place, role }) => [name, place, role])).toEqual([
      ["queries", "la", "q"],
      ["keys", "house", "k"],
    ]);
    expect(rowsOf(picture)).toEqual([
      ["1", "−1", "1", "−1", "−1"],
      ["2", "0", "2", "0", "−1"],
      ["3", "2", "1", "2", "1"],
    ]);
    expect(picture.terms[1]?.operands.map(({ stage, index }) => [stage, index])).toEqual([
      ["queries", [0, 0, 1]],
      ["keys", [0, 3, 1]],
    ]);
    expect(picture.terms[1]?.operands.map(({ place }) => place)).toEqual(["la, number 2", "house, number 2"]);
  });

  test("a query is a row of words times a column of W_Q", () => {
    const picture = originIn(scene, "queries", [0, 0, 0]);
    expect(picture.columns.map(({ name, place }) => [name, place])).toEqual([
      ["query words", "la"],
      ["W_Q", "column 1"],
    ]);
    expect(rowsOf(picture)).toEqual([
      ["1", "1", "0", "0", "0"],
      ["2", "1", "0", "0", "0"],
      ["3", "−1", "1", "−1", "−1"],
    ]);
    expect(said(picture)).toBe("The sum of 3 products, query words times W_Q.");
    expect(picture.terms[2]?.operands[1]).toMatchObject({ name: "W_Q", place: "row 3, column 1" });
    expect(picture.terms[2]?.operands[1]?.spoken).toBe("matrix W_Q: row 3, column 1, 1");
  });

  test("an output number is a share of each value, named by its key", () => {
    const picture = originIn(scene, "output", [0, 0, 0]);
    expect(rowsOf(picture)).toEqual([
      ["the", "0.6388", "1", "0.6388", "0.6388"],
      ["small", "0.0112", "−1", "−0.0112", "0.6276"],
      ["red", "0.0356", "0", "0.0000", "0.6276"],
      ["house", "0.2013", "1", "0.2013", "0.8289"],
      [".", "0.1130", "0", "0.0000", "0.8289"],
    ]);
    expect(picture.columns.map(({ name, place }) => [name, place])).toEqual([
      ["weights", "la"],
      ["values", "number 1"],
    ]);
  });

  test("the row steps say what they do", () => {
    const largest = originIn(scene, "rowmax", [0, 1]);
    expect(largest.cell).toMatchObject({ place: "petite", text: "3.4641", exact: "3.464101552963257" });
    expect(said(largest)).toBe("The largest of the 5 numbers of its row of scaled.");
    expect(largest.hasProducts).toBe(false);
    expect(largest.terms.map(({ label, decides, partial }) => [label, decides, partial])).toEqual([
      ["the", false, "−1.1547"],
      ["small", true, "3.4641"],
      ["red", false, "3.4641"],
      ["house", false, "3.4641"],
      [".", false, "3.4641"],
    ]);
    const scaled = originIn(scene, "scaled", [0, 1, 1]);
    expect(said(scaled)).toBe("The number at the same place in scores, divided by √3, that is times 0.5774.");
    expect(scaled.expression).toEqual([0, "· 0.5774"]);
    const shifted = originIn(scene, "shifted", [0, 1, 0]);
    expect(shifted.expression).toEqual([0, "−", 1]);
    expect(shifted.terms[0]?.operands.map(({ name, text }) => [name, text])).toEqual([
      ["scaled", "−1.1547"],
      ["rowmax", "3.4641"],
    ]);
    expect(originIn(scene, "exp", [0, 1, 0]).expression).toEqual(["exp(", 0, ")"]);
    expect(said(originIn(scene, "rowsum", [0, 1]))).toBe("The sum of the 5 numbers of its row of exp.");
    const share = originIn(scene, "weights", [0, 1, 1]);
    expect(share.expression).toEqual([0, "÷", 1]);
    expect(share.terms[0]?.operands.map(({ text }) => text)).toEqual(["1.0000", "1.1443"]);
    expect(share.cell.text).toBe("0.8739");
  });

  test("what was given has nothing before it", () => {
    const picture = originIn(scene, "x", [1, 2]);
    expect(picture).toMatchObject({ count: 0, terms: [], operation: "input" });
    expect(picture.expression).toBeUndefined();
    expect(said(picture)).toBe("It was given, so nothing comes before it, and it can be edited.");
    expect(said(answerTo({ ...scene, editable: new Set() }, { stage: "x", index: [1, 2], about: "origin" }))).toBe(
      "It was given, so nothing comes before it.",
    );
    expect(picture.cell).toMatchObject({ name: "query words", place: "petite, number 3", text: "2" });
  });

  test("one number of a query feeds its whole row of scores; one of W_V a column of values; the output nothing", () => {
    const fed = feedsIn(scene, "queries", [0, 1, 2]);
    expect(said(fed)).toBe("It goes into 5 numbers: 5 of scores.");
    expect(fed.groups.map(({ name, count }) => [name, count])).toEqual([["scores", 5]]);
    expect(fed.groups[0]?.cells.map(({ place, text }) => `${place} ${text}`)).toEqual([
      "petite → the −2",
      "petite → small 6",
      "petite → red 2",
      "petite → house −1",
      "petite → . −1",
    ]);
    expect(feedsIn(scene, "wV", [0, 1]).groups[0]?.cells.map(({ stage, index }) => [stage, index])).toEqual(
      [0, 1, 2, 3, 4].map((row) => ["values", [0, row, 1]]),
    );
    expect(said(feedsIn(scene, "exp", [0, 0, 0]))).toBe("It goes into 2 numbers: 1 of rowsum, 1 of weights.");
    expect(said(feedsIn(scene, "rowsum", [0, 0]))).toBe("It goes into 5 numbers: 5 of weights.");
    const end = feedsIn(scene, "output", [0, 0, 0]);
    expect(end.groups).toEqual([]);
    expect(said(end)).toBe("It is part of the result: nothing comes after it.");
  });

  test("the answer is one plain sentence", () => {
    expect(answerText(scene, originIn(scene, "scores", [0, 0, 3]))).toBe(
      "scores: query la, key house, 1. The sum of 3 products, queries times keys.",
    );
  });

  test("the figure lights the cell and its operands, or what it feeds", () => {
    const from = askedCells(scene.numbers, { stage: "scores", index: [0, 0, 3], about: "origin" });
    expect(from).toMatchObject({ stage: "scores", at: 3 });
    expect(from.others.get("queries")).toEqual(new Set([0, 1, 2]));
    expect(from.others.get("keys")).toEqual(new Set([9, 10, 11]));
    expect(from.others.size).toBe(2);
    expect(askedLook(from, "scores", 3)).toBe("ask-here");
    expect(askedLook(from, "keys", 10)).toBe("ask-other");
    expect(askedLook(from, "keys", 8)).toBeUndefined();
    expect(askedLook(undefined, "keys", 8)).toBeUndefined();
    const to = askedCells(scene.numbers, { stage: "queries", index: [0, 1, 0], about: "feeds" });
    expect(to.others).toEqual(new Map([["scores", new Set([5, 6, 7, 8, 9])]]));
  });
});

describe("masks, heads, long lists", () => {
  test("a blocked score says why, a maximum passes it over, an empty row is so by rule", () => {
    const scene = sceneOf(masked);
    const blocked = originIn(scene, "masked", [0, 0, 4]);
    expect(blocked.cell.text).toBe("blocked");
    expect(said(blocked)).toBe("The query must not look at this key (the mask says so): minus infinity.");
    expect(blocked.terms[0]?.operands.map(({ name, text }) => [name, text])).toEqual([
      ["scaled", "0.0000"],
      ["mask", "0"],
    ]);
    expect(said(originIn(scene, "masked", [0, 0, 0]))).toBe(
      "The query may look at this key, so the number of scaled stays.",
    );
    expect(originIn(scene, "rowmax", [0, 0]).terms.map(({ leftOut }) => leftOut)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    for (const stage of ["rowmax", "rowsum"]) {
      expect(said(originIn(scene, stage, [0, 2]))).toBe(
        "The query may look at no key at all, so this number is so by rule.",
      );
    }
    expect(originIn(scene, "rowmax", [0, 2]).terms.some(({ decides }) => decides)).toBe(false);
    expect(said(feedsIn(scene, "allow", [0, 4]))).toBe("It goes into 1 number: 1 of masked.");
  });

  test("with several heads the head is named, and a word feeds queries, keys and values", () => {
    const scene = sceneOf(self);
    expect(originIn(scene, "weights", [1, 2, 0]).cell).toMatchObject({ place: "head 2, c → a" });
    expect(originIn(scene, "weights", [1, 2, 0]).cell.spoken).toMatch(/^weights: head 2, query c, key a, /);
    expect(said(originIn(scene, "shifted", [0, 1, 0]))).toBe(
      "The number at the same place in masked, minus the largest of its row, divided by the temperature 0.5.",
    );
    expect(said(originIn(scene, "masked", [0, 0, 2]))).toContain("(it comes later)");
    expect(said(feedsIn(scene, "x", [1, 0]))).toBe("It goes into 12 numbers: 4 of queries, 4 of keys, 4 of values.");
    expect(said(originIn(scene, "concat", [1, 3]))).toBe("The same number as in output, put beside the other heads.");
  });

  test("a long list shows the first, the last and the largest, and all when asked", () => {
    const scene = sceneOf(many);
    const cut = originIn(scene, "rowmax", [0, 0]);
    expect(cut.count).toBe(20);
    expect(cut.terms.map(({ term }) => term)).toEqual([0, 1, 2, 3, 4, 5, 9, 19]);
    expect(cut.terms).toHaveLength(MOST_TERMS);
    expect(cut.terms.find(({ decides }) => decides)?.label).toBe("k9");
    const whole = originIn(scene, "rowmax", [0, 0], true);
    expect(whole.terms.map(({ term }) => term)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    const fed = feedsIn(scene, "rowmax", [0, 0]);
    expect(fed.groups.map(({ cells, count }) => [cells.length, count])).toEqual([[MOST_FED, 20]]);
    expect(feedsIn(scene, "rowmax", [0, 0], true).groups[0]?.cells).toHaveLength(20);
  });
});

describe("every number of every stage", () => {
  test.each([
    ["E1", house],
    ["E1 with a mask", masked],
    ["two heads, causal, temperature 0.5", self],
    ["E1 at temperature 0", { ...house, options: { temperature: 0 } }],
    ["twenty keys", many],
  ])(
    "is made of what the trace says, goes back to what was given, and is among what its operands feed: %s",
    (_, model) => {
      const scene = sceneOf(model);
      const { numbers } = scene;
      const { trace } = numbers;
      let cells = 0;
      for (const stage of trace.stages) {
        for (const index of indices(numbers.of(stage).description.shape)) {
          const picture = originIn(scene, stage, index, true);
          const origin = trace.origin(stage, index);
          expect(picture.terms.map(({ operands }) => operands.map(cellKey))).toEqual(
            origin.terms.map(({ operands }) => operands.map(cellKey)),
          );
          expect(said(picture), stage).toMatch(/^[^{}]+\.$/);
          expect(picture.cell.text).toMatch(/./);
          const last = picture.terms.at(-1);
          // The running result ends in the number itself, to the digits that are shown of it.
          if (last && !picture.expression && Number.isFinite(origin.value))
            expect(Number(last.partial.replace("−", "-"))).toBeCloseTo(Number(picture.cell.text.replace("−", "-")), 4);
          for (const operand of origin.terms.flatMap(({ operands }) => operands)) {
            const fed = feedsIn(scene, operand.stage, [...operand.index], true).groups.flatMap((group) => group.cells);
            expect(fed.map(cellKey)).toContain(cellKey({ stage, index }));
          }
          cells++;
        }
      }
      expect(cells).toBeGreaterThan(50);
      for (const start of trace.stages.at(-1) ? [trace.stages.at(-1) as string] : []) {
        const seen = new Set<string>();
        const back = (cell: CellRef): void => {
          if (seen.has(cellKey(cell))) return;
          seen.add(cellKey(cell));
          const picture = originIn(scene, cell.stage, [...cell.index], true);
          if (picture.count === 0) expect(trace.inputs).toContain(cell.stage);
          for (const operand of picture.terms.flatMap(({ operands }) => operands)) back(operand);
        };
        back({ stage: start, index: numbers.of(start).description.shape.map(() => 0) });
        expect([...seen].some((key) => trace.inputs.includes(cellOfKey(key).stage))).toBe(true);
      }
    },
  );

  test("every operation of the core has its words", () => {
    const variants: Readonly<Record<Operation, readonly string[]>> = {
      input: ["input", "inputEditable"],
      dot: ["dot", "dotAdd"],
      scale: ["scale", "scaleRoot"],
      cap: ["cap"],
      alibi: ["alibi"],
      mask: ["maskOpen", "maskAdd", "maskBlocked"],
      unmask: ["unmask", "unmaskBlocked"],
      max: ["max", "maxColumns"],
      shift: ["shift", "shiftTau", "shiftZero", "shiftColumns", "shiftTauColumns", "shiftZeroColumns", "unshifted"],
      exp: ["exp"],
      sum: ["sum", "sumColumns"],
      divide: ["divide", "divideColumns"],
      copy: ["copy"],
      zero: ["zero"],
      multiply: ["multiply"],
      add: ["add"],
      rotate: ["rotate"],
      mean: ["mean"],
      variance: ["variance"],
      meanSquare: ["meanSquare"],
      layerNorm: ["layerNorm"],
      rmsNorm: ["rmsNorm"],
      gelu: ["gelu"],
      geluTanh: ["geluTanh"],
      relu: ["relu"],
      sinusoid: ["sinusoid"],
      cosine: ["cosine"],
      sine: ["sine"],
      slope: ["slope"],
      draw: ["draw"],
    };
    const strings = stringsFor("en");
    for (const key of Object.values(variants).flat()) expect(strings.has(`origin.${key}`), key).toBe(true);
  });

  test("stages that the figure has no picture of yet are answered too: bias, cap, projection, norms, feed-forward", () => {
    const eye = (n: number) =>
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));
    const { trace } = loom.attend({
      x: [
        [1, 2, 0, 1],
        [0, 1, 1, 2],
        [1, 0, -1, 1],
      ],
      wQ: eye(4),
      wK: eye(4),
      wV: eye(4),
      bQ: [1, 2, 3, 4],
      wO: eye(4),
      bO: [0, 1, 0, 1],
      heads: 2,
      softCap: 3,
      causal: true,
      alibi: true,
      rotary: { pairing: "half" },
      norm: { kind: "layer" },
      residual: true,
      positions: "sinusoid",
      ffn: { w1: eye(4), w2: eye(4) },
      trace: true,
    });
    if (!trace) throw new Error("no trace");
    const numbers = new Numbers(trace);
    const scene: Scene = { ...sceneOf(house), numbers, tokensQ: ["a", "b", "c"], tokensKv: ["a", "b", "c"] };
    const operations = new Set<StageDescription["operation"]>();
    for (const stage of [...trace.stages, ...trace.inputs]) {
      const { shape, operation } = numbers.of(stage).description;
      operations.add(operation);
      for (const index of indices(shape)) {
        for (const about of ["origin", "feeds"] as const) {
          const picture = answerTo(scene, { stage, index, about });
          expect(said(picture), stage).toMatch(/^[^{}]+\.$/);
          expect(picture.cell.place, stage).toMatch(/./);
        }
      }
    }
    expect(operations.size).toBeGreaterThan(18);
    const query = answerTo(scene, { stage: "queries", index: [0, 0, 0], about: "origin" }) as OriginPicture;
    expect(said(query)).toMatch(/and b_Q on top\.$/);
    expect(query.terms.at(-1)).toMatchObject({ label: "bias", partial: query.cell.text });
  });
});
