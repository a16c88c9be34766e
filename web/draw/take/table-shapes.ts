// One table of a frame as shapes: threads behind, cells on them, headings beside, its name above or below.

import type { Palette } from "../palette.ts";
import type { LabelPicture, MatrixPicture } from "../picture.ts";
import { cellShapes } from "./cell-shapes.ts";
import { shortened } from "./measure.ts";
import { captionRuns, plainText } from "./runs.ts";
import type { Run, Shape } from "./shapes.ts";
import { leftOf, type TablePlace, topOf } from "./table-place.ts";
import { threadShapes } from "./thread-shapes.ts";

export const LABEL_SIZE = 14;
export const CAPTION_SIZE = 13;

function label(
  text: LabelPicture,
  palette: Palette,
  most: number,
): { runs: Run[]; fill: string; weight: number; size: number } {
  const role = text.kind === "q" ? palette.q : text.kind === "kv" ? palette.k : palette.ink;
  const size = text.kind === "f" ? 12 : LABEL_SIZE;
  return {
    runs: [{ text: shortened(plainText(text.text), size, most) }],
    fill: text.current ? role : palette.soft,
    weight: text.current ? 650 : text.kind === "f" ? 400 : 500,
    size,
  };
}

/** The table, the threads first. `most` is the room for the words in front of its rows. */
export function tableShapes(
  matrix: MatrixPicture,
  place: TablePlace,
  palette: Palette,
  level: string,
  most: number,
): { readonly threads: Shape[]; readonly shapes: Shape[] } {
  const { cells, rowLabels, columnLabels, role, name, slot } = matrix;
  const shapes: Shape[] = [];
  const columns = columnLabels.length;
  if (place.columns) {
    columnLabels.forEach((heading, column) => {
      const { runs, fill, weight, size } = label(heading, palette, place.cellWidth + place.gap);
      const x = leftOf(place, column) + place.cellWidth / 2;
      const y = place.y - place.above + size;
      shapes.push({ kind: "text", x, y, size, family: "ui", weight, fill, anchor: "middle", runs });
    });
  }
  if (place.rows) {
    rowLabels.forEach((heading, row) => {
      const { runs, fill, weight, size } = label(heading, palette, most);
      const y = topOf(place, row) + place.cellHeight / 2 + size * 0.36;
      shapes.push({
        kind: "text",
        x: place.x - place.before,
        y,
        size,
        family: "ui",
        weight,
        fill,
        anchor: "end",
        runs,
      });
    });
  }
  cells.forEach((line, row) => {
    line.forEach((cell, column) => {
      shapes.push(...cellShapes(cell, role, place, row, column, palette));
    });
    const looks = line.map(({ look }) => look.split(" "));
    const sums =
      name === "weights" &&
      slot === "result" &&
      line.length > 0 &&
      !looks.some((look) => look.includes("todo") || look.includes("no-sum"));
    if (!sums) return;
    const y = topOf(place, row) + place.cellHeight / 2 + CAPTION_SIZE * 0.36;
    const x = leftOf(place, columns) + 4;
    const runs = [{ text: "= 1" }];
    shapes.push({
      kind: "text",
      x,
      y,
      size: CAPTION_SIZE,
      family: "ui",
      weight: 600,
      fill: palette.w,
      anchor: "start",
      runs,
    });
  });
  shapes.push({
    kind: "text",
    x: place.x + 2,
    y: place.captionAbove ? place.y - place.above - 8 : topOf(place, cells.length) - place.gap + CAPTION_SIZE + 8,
    size: CAPTION_SIZE,
    family: "ui",
    weight: 400,
    fill: palette.soft,
    anchor: "start",
    runs: captionRuns(matrix, palette),
  });
  return { threads: threadShapes(matrix, place, palette, level), shapes };
}
