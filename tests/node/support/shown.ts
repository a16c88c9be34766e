// Is what a frame shows so? Every text against the core's float32, which number stands where, and what is covered.

import type { Trace } from "../../../web/core/types.ts";
import { shownWord } from "../../../web/draw/names.ts";
import { isPaged } from "../../../web/draw/pages.ts";
import { inputPicture, type MatrixPicture, type Picture, pictureOf } from "../../../web/draw/picture.ts";
import type { Scene } from "../../../web/draw/scene.ts";
import { sentenceText } from "../../../web/draw/sentence.ts";
import { stepsOf } from "../../../web/draw/shape.ts";
import { allowOf, type Model } from "../../../web/elements/state/index.ts";
import { isExactly, isRounding, written } from "./rounding.ts";

/** Stages that say "blocked" where a key must not be looked at. */
const COVERED: ReadonlySet<string> = new Set(["masked", "shifted", "exp", "weights"]);

function valueAt(trace: Trace, name: string, index: readonly number[]): number {
  const { shape, data } = trace.stage(name);
  if (index.length !== shape.length || index.some((at, axis) => !(at >= 0 && at < (shape[axis] as number))))
    throw new Error(`${name} of ${shape.join(" by ")} has no cell ${index.join(", ")}`);
  return data[index.reduce((flat, at, axis) => flat * (shape[axis] as number) + at, 0)] as number;
}

/** What a cell of the result is still to show: nothing, a running result, or its number. */
function progress(scene: Scene, matrix: MatrixPicture, row: number, column: number): "todo" | "running" | "done" {
  const { cursor } = scene;
  if (matrix.slot !== "result" || cursor.level === "stage") return "done";
  if (row !== cursor.row) return row > cursor.row ? "todo" : "done";
  if (cursor.level === "row") return "done";
  if (column !== cursor.column) return column > cursor.column ? "todo" : "done";
  return cursor.level === "term" && stepsOf(scene.numbers.of(cursor.stage).description) > 1 ? "running" : "done";
}

/** The texts of one table. Returns how many numbers it showed. */
function checkTable(scene: Scene, model: Model, trace: Trace, matrix: MatrixPicture): number {
  const { mark } = scene.numbers;
  const allow = allowOf(model);
  const decimals = new Set<number>();
  let count = 0;
  const { down, across } = matrix;
  matrix.cells.forEach((line, i) => {
    line.forEach((cell, j) => {
      const [row, column] = [down.from + i, across.from + j];
      const fail = (why: string): never => {
        throw new Error(`${matrix.slot} ${matrix.name} [${row}, ${column}] shows “${cell.text}”: ${why}`);
      };
      const state = progress(scene, matrix, row, column);
      if (state === "todo") {
        if (cell.text !== "" || cell.exact !== "") fail("it is not made yet");
        return;
      }
      const [, query = 0, key = 0] = cell.index;
      const isCovered = COVERED.has(matrix.name) && allow.data[query * allow.columns + key] === 0;
      if (isCovered) {
        if (cell.text !== scene.strings.text("blocked.short") || cell.exact !== "") fail("the mask blocks it");
        return;
      }
      const { head, row: r, column: c, term } = scene.cursor;
      const partial = () => {
        const { shape } = trace.stage(matrix.name);
        const index = shape.length === 3 ? [head, r, c] : cell.index;
        return trace.origin(matrix.name, index).terms[term]?.partial ?? Number.NaN;
      };
      const value = state === "running" ? partial() : valueAt(trace, matrix.name, cell.index);
      if (!isRounding(cell.text, value, mark)) fail(`the float32 is ${value}`);
      count++;
      const said = written(cell.text, mark);
      if (said && !said.isScientific && state === "done") decimals.add(said.decimals);
      if (said && said.decimals > (scene.compact ? 2 : 4)) fail("too many decimals");
      if (!Number.isFinite(value)) {
        if (cell.exact !== "") fail(`in full “${cell.exact}”`);
      } else if (cell.exact === "") {
        if (!isExactly(cell.text, value, mark)) fail(`digits of ${value} are cut off, and nothing says it in full`);
      } else if (Number(cell.exact.replaceAll("−", "-").replace(mark, ".")) !== value)
        fail(`the float32 is ${value}, in full “${cell.exact}”`);
    });
  });
  if (decimals.size > 1) throw new Error(`${matrix.name} has cells of ${[...decimals].join(" and ")} decimals`);
  return count;
}

/** The words beside a table are those of the model. */
function checkLabels(model: Model, matrix: MatrixPicture): void {
  for (const [labels, { from }] of [
    [matrix.rowLabels, matrix.down],
    [matrix.columnLabels, matrix.across],
  ] as const) {
    labels.forEach(({ kind, text }, i) => {
      if (kind === "f" || text === "") return;
      const word = shownWord((kind === "q" ? model.tokensQ : model.tokensKv)[from + i] ?? "");
      if (text !== word) throw new Error(`${matrix.name}: label ${i} is “${text}”, the word is “${word}”`);
    });
  }
  if (matrix.rowLabels.length !== matrix.cells.length) throw new Error(`${matrix.name}: a row without its label`);
}

/** What stands left and above makes what stands where they cross, in float32 and in natural order. */
function checkCrossing(trace: Trace, { matrices, layout }: Picture, head: number): void {
  const [left, top] = [matrices.find(({ slot }) => slot === "left"), matrices.find(({ slot }) => slot === "top")];
  const result = matrices.find(({ slot }) => slot === "result");
  // Where only some of the terms are on view, what is shown does not make the result.
  if (layout !== "corner" || !left || !top || !result || isPaged(left.across)) return;
  const addend = matrices.find(({ slot }) => slot === "addend");
  const values = (matrix: MatrixPicture) =>
    matrix.cells.map((line) => line.map(({ index }) => valueAt(trace, matrix.name, index)));
  const [a, b] = [values(left), values(top)];
  if (![a, b].flat(2).every(Number.isFinite)) return;
  const { shape } = trace.stage(result.name);
  result.cells.forEach((line, row) => {
    line.forEach((_, column) => {
      const sum = (a[row] ?? []).reduce(
        (total, one, term) => Math.fround(total + Math.fround(one * (b[term]?.[column] ?? Number.NaN))),
        0,
      );
      const bias = addend && valueAt(trace, addend.name, addend.cells[0]?.[column]?.index ?? []);
      const total = bias === undefined ? sum : Math.fround(sum + bias);
      const place = [result.down.from + row, result.across.from + column];
      const value = valueAt(trace, result.name, shape.length === 3 ? [head, ...place] : place);
      if (!Object.is(total, value) && !(Number.isNaN(total) && Number.isNaN(value)))
        throw new Error(`${result.name} [${row}, ${column}] is ${value}; the row and the column shown make ${total}`);
    });
  });
}

/** The whole frame, and all inputs as the panel for editing shows them. Returns how many numbers were shown. */
export function checkShown(scene: Scene, model: Model, trace: Trace): number {
  const picture = pictureOf(scene);
  let count = 0;
  for (const matrix of picture.matrices) {
    checkLabels(model, matrix);
    count += checkTable(scene, model, trace, matrix);
  }
  checkCrossing(trace, picture, scene.cursor.head);
  const whole: Scene = { ...scene, compact: false, cursor: { ...scene.cursor, level: "stage" } };
  for (const name of scene.editable ?? []) count += checkTable(whole, model, trace, inputPicture(scene, name));
  const sentence = sentenceText(scene);
  if (/undefined|null|\[object/.test(sentence)) throw new Error(`the sentence is “${sentence}”`);
  return count;
}
