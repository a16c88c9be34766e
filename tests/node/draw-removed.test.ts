// The figure where a step of the softmax is taken out: what it shows and says is what then is so.

import { render } from "@lit-labs/ssr";
import { collectResultSync } from "@lit-labs/ssr/lib/render-result.js";
import type { TemplateResult } from "lit";
import { describe, expect, test } from "vitest";
import { CODE_LANGUAGES } from "../../web/draw/code/languages.ts";
import { linesText } from "../../web/draw/code/piece.ts";
import { cornerFigure } from "../../web/draw/corner.ts";
import type { Cursor } from "../../web/draw/cursor.ts";
import { formulaView } from "../../web/draw/formula.ts";
import { stageMap } from "../../web/draw/map.ts";
import { Numbers } from "../../web/draw/numbers.ts";
import { pictureOf } from "../../web/draw/picture.ts";
import type { Scene } from "../../web/draw/scene.ts";
import { sentenceText } from "../../web/draw/sentence.ts";
import { workStrip } from "../../web/draw/work.ts";
import { modelOf } from "../../web/elements/attributes.ts";
import { checksOf } from "../../web/elements/checks.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { codePictureOf, mathsBand } from "../../web/elements/maths.ts";
import { AttributeError } from "../../web/elements/parse.ts";
import { placeText } from "../../web/elements/place.ts";
import { attendInput, countFrames, cursorAt, LEVELS, type Model, tableOf } from "../../web/elements/state/index.ts";
import { stringsFor } from "../../web/strings/index.ts";
import { loom } from "./support/loom.ts";

const strings = stringsFor("en");
const numpyOf = (scene: Scene) => linesText(codePictureOf(scene, "numpy").lines);
const house = exampleModel("house-4x5") as Model;
const withOptions = (options: Model["options"], model = house): Model => ({ ...model, options });
/** "la" may not look at "house", nobody at the last word. */
const allow = tableOf(
  house.tokensQ.map((_, row) => house.tokensKv.map((_, key) => (key === 4 || row + key === 0 ? 0 : 1))),
);

function sceneOf(model: Model, at: Partial<Cursor> = {}): Scene {
  const { trace } = loom.attend(attendInput(model));
  if (!trace) throw new Error("no trace");
  const cursor: Cursor = { level: "stage", stage: "weights", head: 0, row: 0, column: 0, term: 0, ...at };
  const { tokensQ, tokensKv } = model;
  return { numbers: new Numbers(trace), cursor, tokensQ, tokensKv, strings, self: false };
}

const markup = (template: TemplateResult) => collectResultSync(render(template)).replace(/<!--.*?-->/gs, "");
const plain = (template: TemplateResult) =>
  markup(template)
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
const said = (model: Model, at: Partial<Cursor> = {}) => sentenceText(sceneOf(model, at));
const strip = (model: Model, at: Partial<Cursor>) => plain(workStrip(sceneOf(model, at)));
const checks = (model: Model) => checksOf(sceneOf(model).numbers, model, loom.reference(attendInput(model)));
const keysOf = (model: Model) => checks(model).items.map(({ key, isGood }) => `${isGood ? "" : "! "}${key}`);
const table = (model: Model, stage: string, slot: string) =>
  pictureOf(sceneOf(model, { stage })).matrices.find((matrix) => matrix.slot === slot);

describe("the softmax along the wrong axis", () => {
  const model = withOptions({ softmax: "columns" });

  test.each(["rowmax", "rowsum"])("%s is a row under the numbers it is made of, one for each key", (stage) => {
    const picture = pictureOf(sceneOf(model, { stage, level: "cell", column: 2 }));
    expect(picture.layout).toBe("corner");
    expect(picture.matrices.map(({ slot }) => slot)).toEqual(["top", "result"]);
    const [top, result] = picture.matrices;
    expect(top?.rowLabels.map(({ text }) => text)).toEqual(house.tokensQ);
    expect(top?.columnLabels.map(({ text }) => text)).toEqual(house.tokensKv);
    expect(result?.cells).toHaveLength(1);
    expect(result?.title).toBe(stage === "rowmax" ? "colmax" : "colsum");
    expect(result?.cells[0]?.[1]?.spoken).toMatch(new RegExp(`^key ${house.tokensKv[1]}, `));
    // The cells of the column take part, and no others.
    const taking = top?.cells.map((row) => row.map(({ look }) => look.split(" ").includes("src")));
    expect(taking).toEqual(house.tokensQ.map(() => [false, false, true, false, false]));
  });

  test("what a key's number is taken from stands left, the number above its column", () => {
    for (const [stage, from, above] of [
      ["shifted", "scaled", "rowmax"],
      ["weights", "exp", "rowsum"],
    ] as const) {
      expect(table(model, stage, "left")?.name).toBe(from);
      expect(table(model, stage, "top")?.name).toBe(above);
      expect(table(model, stage, "top")?.cells).toHaveLength(1);
      expect(markup(cornerFigure(pictureOf(sceneOf(model, { stage })), strings))).toMatch(
        /class="corner through by-key /,
      );
    }
  });

  test("frames go from key to key", () => {
    const { numbers } = sceneOf(model);
    const rowmax = numbers.stages.filter(({ name }) => name === "rowmax");
    expect(LEVELS.map((level) => countFrames(rowmax, level))).toEqual([1, 1, 5, 20]);
    expect(placeText(sceneOf(model, { stage: "rowmax", level: "row" }))).toBe("colmax");
    expect(placeText(sceneOf(model, { stage: "rowmax", level: "cell", column: 1 }))).toBe(
      `colmax · ${house.tokensKv[1]}`,
    );
    expect(plain(stageMap(sceneOf(model)))).toMatch(/colmax.*colsum/);
  });

  test("nothing says that rows sum to 1", () => {
    const picture = pictureOf(sceneOf(model));
    const figure = cornerFigure(picture, strings);
    expect(plain(figure)).toContain("each column sums to 1");
    expect(plain(figure)).not.toContain("each row sums to 1");
    expect(markup(figure)).not.toContain("sums-result");
    for (const level of LEVELS) expect(said(model, { level })).not.toMatch(/every row sums to 1|Together that is 1/);
    expect(said(model)).toContain("every column sums to 1");
    expect(said(model, { stage: "output" })).toContain("no mixture");
    expect(keysOf(model)).toEqual(["checks.columnSums", "checks.shapes", "checks.twin"]);
  });

  test("sentences name the key", () => {
    const [, key] = house.tokensKv;
    expect(said(model, { stage: "rowmax", level: "cell", column: 1 })).toContain(`in the column of ${key} is`);
    expect(said(model, { stage: "rowsum", level: "term", column: 1, term: 1 })).toMatch(
      new RegExp(`^The column of ${key}, term 2 of 4: `),
    );
    expect(said(model, { level: "cell", column: 1 })).toMatch(
      new RegExp(`^The share of ${key} that la gets is .* ÷ .* = `),
    );
  });

  test("a key that nobody sees has −∞ and 0, which is nothing bad; a query that does not see a key is left out", () => {
    const masked = withOptions({ softmax: "columns", allow });
    const looks = (stage: string) =>
      table(masked, stage, "result")
        ?.cells.flat()
        .map(({ look }) => look);
    for (const stage of ["rowmax", "shifted", "exp", "rowsum", "weights"])
      expect(looks(stage)?.join(" ")).not.toMatch(/\bbad\b/);
    expect(said(masked, { stage: "rowmax", level: "cell", column: 4 })).toContain("is −∞");
    expect(said(masked, { stage: "rowmax", level: "term", column: 0 })).toContain("no largest so far");
    expect(said(masked, { stage: "rowsum", level: "term", column: 0 })).toContain("must not look here");
    expect(numpyOf(sceneOf(masked))).toContain("A = np.nan_to_num(E / E.sum(0, keepdims=True))");
    expect(keysOf(masked)).toEqual(["checks.columnSums", "checks.shapes", "checks.twin"]);
  });

  test("with a temperature the sentences speak of columns, too", () => {
    const at = { stage: "shifted", level: "row" } as const;
    expect(said(withOptions({ softmax: "columns", temperature: 2 }), at)).toMatch(/of its column, then divided .* 2: /);
    expect(said(withOptions({ softmax: "columns", temperature: 0 }), at)).toContain(
      "the largest of its column becomes 0",
    );
  });
});

describe("no softmax", () => {
  const model = withOptions({ softmax: "none", temperature: 3, shift: false });

  test("temperature and shift say nothing then", () => {
    const input = attendInput(model);
    expect([input.softmax, input.temperature, input.shift]).toEqual(["none", undefined, undefined]);
  });

  test("the weights are said to be the scores, and no row to sum to 1", () => {
    expect(sceneOf(model).numbers.trace.stages).toEqual([
      "queries",
      "keys",
      "values",
      "scores",
      "scaled",
      "weights",
      "output",
    ]);
    expect(said(model)).toMatch(/^No softmax/);
    expect(said(model, { level: "row" })).toMatch(/^The scores of la are its weights/);
    expect(said(model, { level: "cell" })).toContain("the score itself");
    expect(markup(cornerFigure(pictureOf(sceneOf(model)), strings))).not.toContain("sums-result");
    expect(keysOf(model)).toEqual(["checks.noSums", "checks.shapes", "checks.twin"]);
  });

  test("a blocked score counts as 0", () => {
    const masked = withOptions({ softmax: "none", allow });
    expect(said(masked, { level: "cell" })).toBe(`la must not look at ${house.tokensKv[0]}: its weight counts as 0.`);
    expect(strip(masked, { level: "cell" })).toBe("−∞→0.0000");
    expect(numpyOf(sceneOf(masked))).toContain("A = np.where(allow, M, 0)");
  });
});

describe("no shift", () => {
  const hot = withOptions({ shift: false, scale: 20 });

  test("∞ and what comes of it are marked, said, and fail the checks", () => {
    const looks = (stage: string) =>
      table(hot, stage, "result")?.cells.map((row) => row.map(({ look, text }) => [text, look.includes("bad")]));
    // e to the power of 6 · 20 = 120.
    expect(looks("exp")?.[1]?.[1]).toEqual(["∞", true]);
    expect(looks("weights")?.[1]?.[1]).toEqual(["NaN", true]);
    expect(said(hot, { stage: "exp" })).toContain("∞");
    expect(said(hot, { stage: "weights", level: "row", row: 1 })).toContain("left the range of 32 bits");
    const { isGood, items } = checks(hot);
    expect(isGood).toBe(false);
    expect(items.map(({ key }) => key)).toContain("checks.rowSumsNotFinite");
  });

  test("in range all is well, and formula and program do without the largest", () => {
    const model = withOptions({ shift: false });
    expect(keysOf(model)).toEqual(["checks.rowSums", "checks.shapes", "checks.twin"]);
    expect(numpyOf(sceneOf(model))).toContain("E = np.exp(S)\nA = E / E.sum(1, keepdims=True)");
    const part = (temperature: number) =>
      markup(
        formulaView({ stage: "exp", masked: false, cross: true, root: true, shift: false, temperature, label: "" }),
      ).split('class="part"')[1];
    expect(part(1)).not.toContain("<mi>m</mi>");
    expect(part(2)).not.toContain("<mi>m</mi>");
    expect(part(2)).toContain("<mi>τ</mi>");
    const warm = withOptions({ shift: false, temperature: 2 });
    expect(strip(warm, { stage: "shifted", level: "cell" })).toMatch(/^1\.7321 ÷ 2=0\.8660/);
    expect(said(warm, { stage: "shifted", level: "row" })).toContain("divided by the temperature 2");
    expect(plain(stageMap(sceneOf(warm)))).toContain("÷2");
  });
});

const given: Model = {
  tokensQ: ["a", "b", "c"],
  tokensKv: ["d", "e"],
  matrices: {
    q: tableOf([[1, 2, 0, 1], [0, 1, 1, -1], [1, 1, 0, 2]]), // biome-ignore format: short
    k: tableOf([[-1, 0, 1, 2], [0, 1, 1, 1]]), // biome-ignore format: short
    v: tableOf([[1, 2, 3, 4], [0, 1, -1, 2]]), // biome-ignore format: short
  },
  options: { heads: 2, allow: tableOf([[1, 0], [0, 0], [1, 0]]) }, // biome-ignore format: short
};
const kinds: [string, Model["options"]][] = (["rows", "columns", "none"] as const).flatMap((softmax) =>
  [true, false].flatMap((shift) =>
    [1, 2, ...(shift ? [0] : [])].map((temperature): [string, Model["options"]] => [
      `${softmax}, shift ${shift}, τ ${temperature}`,
      { softmax, shift, temperature },
    ]),
  ),
);

test.each(kinds)("%s: frames of every size have their pictures, their work and one whole sentence", (_, options) => {
  for (const model of [
    withOptions({ ...options, allow }),
    withOptions(options),
    withOptions({ ...given.options, ...options }, given),
  ]) {
    const scene = sceneOf(model);
    const { stages } = scene.numbers;
    for (const level of LEVELS) {
      const total = countFrames(stages, level);
      for (let at = 0; at < total; at += Math.ceil(total / 150)) {
        const frame = { ...scene, cursor: cursorAt(stages, level, at) };
        const sentence = sentenceText(frame);
        const where = `${level} ${at}: ${sentence}`;
        expect(sentence, where).toMatch(/^\S.*[.?]$/s);
        expect(sentence, where).not.toMatch(/[{}]|undefined|^(why|row|cell|term)\./);
        const picture = pictureOf(frame);
        const result = picture.matrices.at(-1);
        const { grid } = scene.numbers.of(frame.cursor.stage);
        expect([result?.cells.length, result?.cells[0]?.length ?? 0], where).toEqual([grid.rows, grid.columns]);
        expect(plain(workStrip(frame)), where).not.toMatch(/undefined/);
        expect(placeText(frame), where).not.toMatch(/undefined|· ·/);
      }
    }
    for (const { name } of stages) {
      const frame = { ...scene, cursor: { ...scene.cursor, stage: name } };
      for (const language of CODE_LANGUAGES) markup(mathsBand(frame, language));
    }
  }
});

describe("as attributes", () => {
  test("softmax and shift are read", () => {
    expect(modelOf(strings, { softmax: "columns", shift: "off" }).options).toEqual({
      softmax: "columns",
      shift: false,
    });
    expect(modelOf(strings, { softmax: "none", shift: true }).options).toEqual({ softmax: "none", shift: true });
    expect(modelOf(strings, { shift: "on" }).options).toEqual({ shift: true });
  });

  test.each([
    [{ softmax: "rowwise" }, "softmax"],
    [{ shift: "maybe" }, "shift"],
    [{ shift: "off", temperature: "0" }, "temperature"],
  ])("%o is refused by name", (attributes, name) => {
    let found: unknown;
    try {
      modelOf(strings, attributes);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(AttributeError);
    expect((found as AttributeError).parameter).toBe(name);
  });
});
