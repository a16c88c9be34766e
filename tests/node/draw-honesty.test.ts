// What the figure says, against what is so: temperatures, rows without a visible key, numbers out of range, the program.

import { spawnSync } from "node:child_process";
import { render } from "@lit-labs/ssr";
import { collectResultSync } from "@lit-labs/ssr/lib/render-result.js";
import type { TemplateResult } from "lit";
import { describe, expect, test } from "vitest";
import type { AttendInput } from "../../web/core/types.ts";
import { pythonNumber } from "../../web/draw/code/literal.ts";
import { linesText } from "../../web/draw/code/piece.ts";
import { codeView } from "../../web/draw/code/view.ts";
import { cornerFigure } from "../../web/draw/corner.ts";
import type { Cursor } from "../../web/draw/cursor.ts";
import { formulaView } from "../../web/draw/formula.ts";
import { Numbers } from "../../web/draw/numbers.ts";
import { pictureOf } from "../../web/draw/picture.ts";
import type { Scene } from "../../web/draw/scene.ts";
import { sentenceText } from "../../web/draw/sentence.ts";
import { pictureCss } from "../../web/draw/styles.ts";
import { rowStateOf } from "../../web/draw/view.ts";
import { workStrip } from "../../web/draw/work.ts";
import { checksOf } from "../../web/elements/checks.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { codePictureOf } from "../../web/elements/maths.ts";
import { attendInput, type Model, tableOf, withMatrices } from "../../web/elements/state/index.ts";
import { stringsFor } from "../../web/strings/index.ts";
import { loom } from "./support/loom.ts";

const house = exampleModel("house-4x5") as Model;
const LEVELS = ["row", "cell", "term"] as const;
const SHARES = ["rowmax", "shifted", "exp", "rowsum", "weights", "output"];

const rowsOf = (text: string) => text.split(";").map((row) => row.trim().split(/\s+/).map(Number));

/** A model on queries, keys and values that are given. */
function given(q: string, k: string, v: string, options: Model["options"] = {}): Model {
  const [queries, keys, values] = [q, k, v].map((text) => tableOf(rowsOf(text)));
  if (!queries || !keys || !values) throw new Error("three matrices are needed");
  const words = (count: number, letter: string) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);
  return {
    tokensQ: words(queries.rows, "q"),
    tokensKv: words(keys.rows, "k"),
    matrices: { q: queries, k: keys, v: values },
    options,
  };
}

const withBiases = (model: Model, isMixed = false): Model =>
  withMatrices(model, {
    bQ: tableOf([[1, -2, 0.5]]),
    bK: tableOf([[0, 1, -1]]),
    bV: tableOf([[3, 0, 1]]),
    ...(isMixed && { wO: tableOf(rowsOf("1 0;0 2;1 1")), bO: tableOf([[1, -1]]) }),
  });

function sceneOf(model: Model, at: Partial<Cursor>): Scene {
  const { trace } = loom.attend(attendInput(model));
  if (!trace) throw new Error("no trace");
  const cursor: Cursor = { level: "stage", stage: "weights", head: 0, row: 0, column: 0, term: 0, ...at };
  const { tokensQ, tokensKv } = model;
  const { softCap } = model.options;
  return { numbers: new Numbers(trace), cursor, tokensQ, tokensKv, strings: stringsFor("en"), self: false, softCap };
}

const markup = (template: TemplateResult) => collectResultSync(render(template)).replace(/<!--.*?-->/gs, "");
const said = (model: Model, at: Partial<Cursor>) => sentenceText(sceneOf(model, at));
const strip = (model: Model, at: Partial<Cursor>) =>
  markup(workStrip(sceneOf(model, at)))
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
const resultOf = (model: Model, stage: string) => {
  const result = pictureOf(sceneOf(model, { stage })).matrices.find(({ slot }) => slot === "result");
  if (!result) throw new Error("no result");
  return result.cells.map((line) => line.map(({ text, look }) => ({ text, look: look.split(" ") })));
};
const checks = (model: Model) => {
  const { isGood, items } = checksOf(sceneOf(model, {}).numbers, model);
  return { isGood, keys: items.map(({ key, isGood: good }) => `${good ? "" : "! "}${key}`) };
};

const withRows = (first: number): Model => ({
  ...house,
  options: { allow: tableOf(house.tokensQ.map((_, row) => house.tokensKv.map(() => (row === 0 ? first : 1)))) },
});
const empty = withRows(0);
const overflow = given("1e20 0;0 1", "-1e20 0;0 1", "1 2;3 4");
const notANumber = given("1e20 0;0 1", "1e20 0;0 1", "1 2;3 4");

describe("temperature", () => {
  const warm: Model = { ...house, options: { temperature: 2.5 } };
  const frozen: Model = { ...house, options: { temperature: 0 } };

  test("shifted names the temperature, not the factor", () => {
    expect(said(warm, { stage: "shifted", level: "cell" })).toMatch(/divided by the temperature 2\.5, is/);
    expect(said(warm, { stage: "shifted", level: "row" })).toContain("divided by the temperature 2.5:");
    expect(said(warm, { stage: "shifted" })).toContain("temperature 2.5");
    expect(said(warm, { stage: "scaled", level: "cell" })).toContain("0.5774");
  });

  test("nothing is divided by a temperature of 0", () => {
    for (const level of ["stage", ...LEVELS] as const) {
      expect(said(frozen, { stage: "shifted", level })).toContain("temperature 0");
      expect(said(frozen, { stage: "shifted", level })).not.toMatch(/divided|blocked/);
      expect(strip(frozen, { stage: "shifted", level })).not.toMatch(/÷|blocked/);
    }
    expect(
      resultOf(frozen, "shifted")
        .flat()
        .some(({ look }) => look.includes("bad")),
    ).toBe(false);
  });

  test("the formula shows τ exactly where it is not 1", () => {
    for (const stage of ["shifted", "exp", "weights", "scaled"]) {
      const text = (temperature: number) =>
        markup(formulaView({ stage, masked: false, cross: true, root: true, temperature, label: "a formula" }));
      expect(text(1)).not.toContain("τ");
      const [whole, part] = text(0.5).split('class="part"');
      expect(whole).toContain("<mi>τ</mi>");
      expect(part?.includes("<mi>τ</mi>")).toBe(stage === "shifted" || stage === "exp");
    }
  });
});

describe("a query that may look at nothing", () => {
  test.each(SHARES)("%s: one sentence at every level, and no arithmetic", (stage) => {
    for (const level of LEVELS) {
      expect(said(empty, { stage, level, term: 1 })).toBe(
        "la may look at no word at all, so it has no shares to give: its weights are all 0, and so is its output.",
      );
      expect(strip(empty, { stage, level, term: 1 })).toBe("");
      expect(said(empty, { stage, level, row: 1 })).not.toContain("no shares to give");
      expect(strip(empty, { stage, level: "cell", row: 1 })).not.toBe("");
    }
  });

  test("its row has no “= 1”, the others have", () => {
    expect(resultOf(empty, "weights").map((line) => line.every(({ look }) => look.includes("no-sum")))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(pictureCss).not.toMatch(/tr:not\(:has\(\.todo\)\)::after/);
    expect(pictureCss).toMatch(/tr:has\(td\):not\(:has\(\.todo,\.no-sum\)\)::after\{content:"= 1"/);
    expect(markup(cornerFigure(pictureOf(sceneOf(empty, {})), stringsFor("en")))).toContain("no-sum");
    expect(said(empty, { stage: "weights" })).not.toContain("every row sums to 1");
    expect(said(house, { stage: "weights" })).toContain("every row sums to 1");
    expect(checks(empty)).toEqual({
      isGood: true,
      keys: ["checks.empty", "checks.rowSumsOther", "checks.shapes"],
    });
    expect(checks(house).keys[0]).toBe("checks.rowSums");
  });

  test("a blocked key is passed over in a maximum, and left out of a sum", () => {
    const model: Model = {
      ...house,
      options: { allow: tableOf(house.tokensQ.map(() => [0, 1, 0, 1, 1])) },
    };
    const at = (stage: string, term: number) => said(model, { stage, level: "term", term });
    expect(at("rowmax", 0)).toContain("passed over. There is no largest so far.");
    expect(at("rowmax", 2)).toMatch(/passed over\. The largest so far is −?\d/);
    expect(at("rowsum", 2)).toContain("so nothing is added");
  });
});

describe("numbers out of range", () => {
  test("the state of a row is what the core says", () => {
    const removed: Model["options"][] = [{ softmax: "columns" }, { softmax: "none" }, { shift: false }];
    const without = [empty, overflow].flatMap((model) =>
      removed.map((options) => ({ ...model, options: { ...model.options, ...options } })),
    );
    for (const model of [house, empty, overflow, notANumber, given("1 0", "1 1", "2 3", { heads: 2 }), ...without]) {
      const { numbers } = sceneOf(model, {});
      const { trace } = loom.attend(attendInput(model));
      const { heads, rows } = numbers.of("weights").grid;
      for (let head = 0; head < heads; head++)
        for (let row = 0; row < rows; row++) {
          expect(rowStateOf(numbers, head, row)).toBe(trace?.rowState(head, row));
        }
    }
  });

  test("−∞ from an overflow is not blocked, with a mask or without", () => {
    const open: Model = {
      ...overflow,
      options: {
        allow: tableOf([
          [1, 0],
          [1, 1],
        ]),
      },
    };
    for (const stage of ["scores", "scaled", "rowmax", "shifted", "exp", "weights", "output"]) {
      expect(
        resultOf(overflow, stage)
          .flat()
          .filter(({ look }) => look.includes("blocked")),
      ).toEqual([]);
      for (const level of LEVELS) {
        expect(said(overflow, { stage, level })).not.toMatch(/blocked|must not/);
        expect(strip(overflow, { stage, level })).not.toContain("blocked");
      }
    }
    expect(said(open, { stage: "masked", level: "cell" })).toBe("q1 may look at k1: −∞ stays.");
    expect(said(open, { stage: "masked", level: "cell", column: 1 })).toBe("q1 must not look at k2: blocked.");
    expect(said(open, { stage: "masked", level: "row" })).toContain("−∞, blocked");
    expect(resultOf(open, "masked")[0]?.map(({ look }) => look.includes("blocked"))).toEqual([false, true]);
    expect(strip(open, { stage: "masked", level: "cell" })).toBe("−∞→−∞");
  });

  test("what left the range is marked, and no row of it is said to sum to 1", () => {
    const bad = (model: Model, stage: string) =>
      resultOf(model, stage).map((line) => line.map(({ look }) => look.includes("bad")));
    expect(bad(notANumber, "scores")).toEqual([
      [true, false],
      [false, false],
    ]);
    expect(bad(notANumber, "weights")).toEqual([
      [true, false],
      [false, false],
    ]);
    expect(bad(notANumber, "output")).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(bad(overflow, "shifted")).toEqual([
      [true, false],
      [false, false],
    ]);
    for (const stage of [...SHARES, "masked"]) expect(bad(empty, stage).flat()).not.toContain(true);
    for (const model of [overflow, notANumber]) {
      expect(said(model, { stage: "weights", level: "row" })).not.toContain("Together that is 1");
      expect(said(model, { stage: "weights", level: "row", row: 1 })).toContain("Together that is 1");
      expect(resultOf(model, "weights").map((line) => line[0]?.look.includes("no-sum"))).toEqual([true, false]);
      expect(checks(model)).toEqual({
        isGood: false,
        keys: ["! checks.rowSumsNotFinite", "checks.rowSumsOther", "! checks.notFinite", "checks.shapes"],
      });
    }
    const lost = given("1e20 1e20", "1e20 -1e20", "1", { allow: tableOf([[1]]) });
    expect(said(lost, { stage: "scores", level: "cell" })).toMatch(/= NaN\. ?$/);
    expect(said(lost, { stage: "masked", level: "cell" })).toBe("q1 may look at k1: NaN stays.");
    expect(pictureCss).toContain("td.bad{");
    const [, forced] = pictureCss.split("@media (forced-colors:active){");
    expect(forced).toContain("td.bad{border:");
  });
});

describe("signs and digits", () => {
  const minus = given("2 -1;1 1", "-1 3;1 -1", "1 0;0 1");

  test("a negative number behind a sign stands in brackets", () => {
    expect(said(minus, { stage: "scores", level: "cell" })).toContain("2·(−1) + (−1)·3 = −5");
    expect(said(minus, { stage: "scores", level: "term" })).toContain("2 · (−1) = −2");
    expect(strip(minus, { stage: "scores", level: "cell" })).toContain("2 · (−1)+(−1) · 3=−5");
    expect(strip(minus, { stage: "shifted", level: "cell" })).toMatch(/^−3\.5355 − 2\.1213=/);
  });

  test("in full only where digits were cut off", () => {
    expect(strip(given("0.5", "0.5", "1"), { stage: "scores", level: "cell" })).not.toContain("in full");
    expect(strip(house, { stage: "scaled", level: "cell" })).toContain("in full");
    expect(strip(given("123", "457", "1"), { stage: "scores", level: "cell" })).toContain("in full 56211");
  });

  test("a product has as many decimals as the sum beside it", () => {
    const [, product, sum] =
      said(house, { stage: "output", level: "term", term: 1 }).match(
        / = −?([\d.]+), and the sum so far is −?([\d.]+)\.$/,
      ) ?? [];
    expect(product?.split(".")[1]).toHaveLength(4);
    expect(sum?.split(".")[1]).toHaveLength(4);
    const quarters = given("0.5 1", "0.5 1", "1");
    expect(said(quarters, { stage: "scores", level: "term", term: 1 })).toContain(
      "= 1.00, and the sum so far is 1.25.",
    );
  });
});

describe("the program in NumPy", () => {
  test.each([
    [1e-5, "0.00001"],
    [Math.fround(0.3), "0.3"],
    [Math.fround(1 / Math.sqrt(3)), "0.57735026"],
    [-2, "-2"],
    [1e21, "1e+21"],
  ])("%d is %s", (value, text) => {
    expect(pythonNumber(value)).toBe(text);
    expect(Math.fround(Number(text))).toBe(Math.fround(value));
  });

  const python = ["/usr/bin/python3", "python3"].find(
    (program) => spawnSync(program, ["-c", "import numpy"], { stdio: "ignore" }).status === 0,
  );
  if (python === undefined) console.log("printed program not run: no python3 with NumPy (package python3-numpy)");

  const two: Model = given("1 2 0 1;0 1 1 -1;1 1 0 2", "-1 0 1 2;0 1 1 1", "1 2 3 4;0 1 -1 2");
  const unseen: Model = { ...house, options: { allow: tableOf(house.tokensQ.map(() => [1, 0, 1, 1, 1])) } };
  const models: [string, Model][] = [
    ["E1", house],
    ["a small factor and a temperature", { ...house, options: { scale: 1e-5, temperature: 0.7 } }],
    ["a negative factor", { ...house, options: { scale: -0.3 } }],
    ["temperature 0", { ...house, options: { temperature: 0 } }],
    ["a row that sees nothing", empty],
    ["a row that sees nothing, temperature 0", { ...empty, options: { ...empty.options, temperature: 0 } }],
    ["two heads", { ...two, options: { heads: 2 } }],
    ["a soft cap", { ...house, options: { softCap: 2 } }],
    ["biases", withBiases(house)],
    ["biases, W_O, three heads", withBiases({ ...house, options: { heads: 3 } }, true)],
    ["two heads, temperature 2", { ...two, options: { heads: 2, temperature: 2 } }],
    ["shares of columns", { ...house, options: { softmax: "columns", temperature: 0.7 } }],
    [
      "shares of columns, two heads, temperature 0",
      { ...two, options: { heads: 2, softmax: "columns", temperature: 0 } },
    ],
    ["shares of columns, a key that nobody sees", { ...unseen, options: { ...unseen.options, softmax: "columns" } }],
    ["no softmax", { ...house, options: { softmax: "none" } }],
    ["no softmax, a row that sees nothing", { ...empty, options: { ...empty.options, softmax: "none" } }],
    ["no softmax, two heads", { ...two, options: { heads: 2, softmax: "none" } }],
    ["no shift", { ...house, options: { shift: false } }],
    [
      "no shift, temperature 2, a row that sees nothing",
      { ...empty, options: { ...empty.options, shift: false, temperature: 2 } },
    ],
  ];
  test.skipIf(python === undefined).each(models)("%s: prints what the core computes", (_, model) => {
    const input = attendInput(model);
    const scene = sceneOf(model, {});
    const result = run(linesText(codePictureOf(scene, "numpy").lines), model, input, python as string);
    const { output } = loom.attend(input);
    expect(result).toHaveLength(output.data.length);
    output.data.forEach((value, i) => {
      expect(result[i]).toBeCloseTo(value, 4);
    });
  });

  test("with several heads the last line joins them, and is the one lit for concat", () => {
    const picture = codePictureOf(sceneOf({ ...two, options: { heads: 2 } }, { stage: "concat" }), "numpy");
    const code = linesText(picture.lines);
    expect(markup(codeView(picture)).match(/<span class="line here"[^>]*>.*?<mark[^>]*>/g)).toEqual([
      expect.stringMatching(/concat = <mark data-stages="concat">$/),
    ]);
    expect(code.split("\n").at(-1)).toContain("concat = ");
    expect(code.split("\n")).toHaveLength(6);
  });
});

/** The last line's value of the program, run on the matrices of the model. */
function run(program: string, model: Model, input: AttendInput, python: string): number[] {
  const names = {
    ...{ x: "X", xKv: "X_kv", wQ: "W_Q", wK: "W_K", wV: "W_V", q: "Q", k: "K", v: "V" },
    ...{ wO: "W_O", bQ: "b_Q", bK: "b_K", bV: "b_V", bO: "b_O" },
  } as const;
  const given = Object.entries(names).flatMap(([key, name]) => {
    const table = model.matrices[key as keyof typeof names];
    return table ? [`${name} = np.array(${JSON.stringify(table.data)}).reshape(${table.rows}, ${table.columns})`] : [];
  });
  const { allow } = model.options;
  if (allow) given.push(`allow = np.array(${JSON.stringify(allow.data)}).reshape(${allow.rows}, ${allow.columns}) > 0`);
  const last = model.matrices.wO ? "projected" : (input.heads ?? 1) > 1 ? "concat" : "output";
  const text = ["import json", "import numpy as np", ...given, program, `print(json.dumps(${last}.ravel().tolist()))`];
  const done = spawnSync(python, ["-W", "ignore", "-c", text.join("\n")], { encoding: "utf8" });
  expect(done.stderr).toBe("");
  return JSON.parse(done.stdout) as number[];
}
