// Biases: one term more in every sum of their stage, in frames, figure, work, sentence, program and formula.

import { render } from "@lit-labs/ssr";
import { collectResultSync } from "@lit-labs/ssr/lib/render-result.js";
import { describe, expect, test } from "vitest";
import type { Cursor } from "../../web/draw/cursor.ts";
import { formulaView } from "../../web/draw/formula.ts";
import { Numbers } from "../../web/draw/numbers.ts";
import { inputPicture, pictureOf } from "../../web/draw/picture.ts";
import type { Scene } from "../../web/draw/scene.ts";
import { sentenceText } from "../../web/draw/sentence.ts";
import { workStrip } from "../../web/draw/work.ts";
import { modelOf } from "../../web/elements/attributes.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import {
  attendInput,
  countFrames,
  cursorAt,
  frameIndex,
  initialState,
  LEVELS,
  type Model,
  readLink,
  tableOf,
  withMatrices,
  writeLink,
} from "../../web/elements/state/index.ts";
import { stringsFor } from "../../web/strings/index.ts";
import { loom } from "./support/loom.ts";

const house = exampleModel("house-4x5") as Model;
const strings = stringsFor("en");
/** With b_Q the queries of "petite" are 2 + 1, −1 − 2, −1 + 3. */
const biased = withMatrices(house, { bQ: tableOf([[1, -2, 3]]), wO: tableOf([[1, 0], [0, 2], [1, 1]]), bO: tableOf([[1, -1]]) }); // biome-ignore format: short

function sceneOf(model: Model, at: Partial<Cursor>): Scene {
  const { trace } = loom.attend(attendInput(model));
  if (!trace) throw new Error("no trace");
  const cursor: Cursor = { level: "stage", stage: "queries", head: 0, row: 0, column: 0, term: 0, ...at };
  const { tokensQ, tokensKv } = model;
  return { numbers: new Numbers(trace), cursor, tokensQ, tokensKv, strings };
}

const markup = (template: ReturnType<typeof workStrip>) =>
  collectResultSync(render(template)).replace(/<!--.*?-->/gs, "");
const textOf = (template: ReturnType<typeof workStrip>) =>
  markup(template)
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
const said = (at: Partial<Cursor>) => sentenceText(sceneOf(biased, at));
const atBias: Partial<Cursor> = { level: "term", row: 1, column: 1, term: 3 };

describe("frames", () => {
  const { stages } = sceneOf(biased, {}).numbers;

  test("a bias is one multiply-add frame more for each cell, and nothing at the other levels", () => {
    const plain = sceneOf(withMatrices(biased, { bQ: undefined, bO: undefined }), {}).numbers.stages;
    for (const level of LEVELS) {
      // 12 cells of the queries, 8 of the projected output
      expect(countFrames(stages, level) - countFrames(plain, level), level).toBe(level === "term" ? 20 : 0);
    }
  });

  test("every frame has its own place", () => {
    const total = countFrames(stages, "term");
    for (let i = 0; i < total; i++) expect(frameIndex(cursorAt(stages, "term", i), stages)).toBe(i);
  });
});

describe("the figure", () => {
  test("the bias is a row of its own, lit at its own term", () => {
    const { matrices } = pictureOf(sceneOf(biased, atBias));
    const addend = matrices.find(({ slot }) => slot === "addend");
    expect(addend?.cells.map((line) => line.map(({ text }) => text))).toEqual([["1", "−2", "3"]]);
    expect(addend?.cells[0]?.map(({ look }) => look.split(" ").includes("op"))).toEqual([false, true, false]);
    expect(addend?.cells[0]?.[1]?.spoken).toBe("number 2, −2");
    expect(addend?.caption).toBe("bias b_Q, 3 numbers, added to every row.");
    const before = pictureOf(sceneOf(biased, { ...atBias, term: 2 })).matrices;
    const op = (slot: string) =>
      before
        .find((matrix) => matrix.slot === slot)
        ?.cells.flat()
        .filter(({ look }) => / op\b/.test(look));
    expect([op("left")?.length, op("top")?.length, op("addend")?.length]).toEqual([1, 1, 0]);
  });

  test("without a bias there is no such row", () => {
    expect(pictureOf(sceneOf(house, {})).matrices.map(({ slot }) => slot)).toEqual(["left", "top", "result"]);
  });

  test("a bias of several heads shows the part of the head on view", () => {
    const heads = { ...biased, options: { heads: 3 } };
    const parts = [0, 1, 2].map((head) => {
      const { matrices } = pictureOf(sceneOf(heads, { head }));
      return matrices
        .find(({ slot }) => slot === "addend")
        ?.cells.flat()
        .map(({ text }) => text);
    });
    expect(parts).toEqual([["1"], ["−2"], ["3"]]);
  });

  test("it can be edited as a row", () => {
    const scene: Scene = { ...sceneOf(biased, {}), editable: new Set(["bQ"]) };
    const { cells, editable } = inputPicture(scene, "bQ");
    expect([cells.length, cells[0]?.length, editable]).toEqual([1, 3, true]);
    expect(cells[0]?.[2]?.index).toEqual([2]);
  });
});

describe("words and work", () => {
  test("the last term is the bias alone, and the sum with it", () => {
    // petite: 2·(−1) + 1·1 + 2·0 − 2
    expect(said(atBias)).toBe("petite, number 2, term 4 of 4: the bias −2 is added, and that makes −3.");
    expect(said({ ...atBias, term: 2 })).toContain("term 3 of 4");
    expect(textOf(workStrip(sceneOf(biased, atBias)))).toMatch(
      /^2 · \(−1\)\+1 · 1\+2 · 0\+\(−2\)=−3 running sum −2 → −1 → −1 → −3$/,
    );
  });

  test("a cell, a row and a stage name it", () => {
    expect(said({ level: "cell", row: 1, column: 1 })).toBe(
      "petite, number 2 of its queries: 2·(−1) + 1·1 + 2·0 + (−2) = −3.",
    );
    expect(said({ level: "row", row: 1 })).toBe(
      "The row of petite meets every column of W_Q, b_Q is added, and that gives its queries: 3, −3, 2.",
    );
    expect(said({})).toContain("Then every row has the same numbers added to it, the bias b_Q.");
    expect(said({ stage: "keys" })).not.toContain("bias");
    expect(said({ stage: "projected", level: "row" })).toContain("W_O, and b_O is added");
    expect(textOf(workStrip(sceneOf(biased, {})))).toBe(
      "4 rows of 3 numbers, 36 multiply-adds and 12 additions in all",
    );
  });

  test("the formula of a stage shows its own bias, and no other", () => {
    const part = (stage: string, biases: string[]) =>
      markup(
        formulaView({ stage, masked: false, cross: true, root: true, biases: new Set(biases), label: "a formula" }),
      ).split('class="part"')[1] ?? "";
    for (const [stage, letter] of [
      ["queries", "Q"],
      ["keys", "K"],
      ["values", "V"],
      ["projected", "O"],
    ] as const) {
      // biome-ignore format: short
      expect(part(stage, [`b${letter}`])).toContain(">b</mi>");
      expect(part(stage, [])).not.toContain(">b</mi>");
    }
    expect(part("queries", ["bK"])).not.toContain(">b</mi>");
  });
});

describe("from outside", () => {
  test.each(["1 -2 3", "[1, -2, 3]", "[[1, -2, 3]]", [1, -2, 3], [[1, -2, 3]]])("b-q as %j", (bQ) => {
    expect(modelOf(strings, { bQ }).matrices.bQ).toEqual(tableOf([[1, -2, 3]]));
  });

  test.each([
    [{ bQ: "1 2" }, "b-q: “1 2” is not allowed. Give 3 numbers, one for each column of w-q."],
    [{ bV: "1 2 3; 4 5 6" }, "b-v: “1 2 3; 4 5 6” is not allowed. Give 3 numbers, one for each column of w-v."],
    [{ bO: "1 2 3" }, "b-o: “1 2 3” is not allowed. Give w-o as well."],
    [{ q: "1", k: "1", v: "1", bK: "1" }, "b-k: “1” is not allowed. Give w-k as well."],
    [{ bK: "one" }, "b-k: “one” cannot be read."],
  ])("%j is refused with a sentence", (given, message) => {
    expect(() => modelOf(strings, given)).toThrow(message);
  });

  test("in a link they travel, as one row only", () => {
    const examples = { names: ["house-4x5"], model: () => house };
    const link = writeLink({ ...initialState(house), model: biased }, examples);
    expect(link).toContain("~bQ=1x3:1,-2,3");
    expect(readLink(link, examples).state.model).toEqual(biased);
    expect(() => readLink("1~stage.queries~e=house-4x5~bQ=3x1:1,2,3", examples)).toThrow(/bQ: .* where one row/);
  });
});
