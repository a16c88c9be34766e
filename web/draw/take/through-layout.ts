// A step on rows: what goes in, what is done to it, what comes out, side by side.

import type { MatrixPicture } from "../picture.ts";
import type { Role } from "../tokens.ts";
import {
  ABOVE,
  CAPTION,
  captionWidth,
  type FigureScene,
  GAP,
  type Layout,
  LINE,
  labelWidth,
  MARGIN,
  measures,
  noteShapes,
  type Placed,
  type TablesBySlot,
  widthOf,
} from "./layout.ts";
import { textWidth } from "./measure.ts";
import type { Shape } from "./shapes.ts";
import type { TablePlace } from "./table-place.ts";
import { CAPTION_SIZE } from "./table-shapes.ts";

/** Below `top0`. */
export function throughLayout(scene: FigureScene, by: TablesBySlot, top0: number): Layout {
  const { picture, palette } = scene;
  const { numberSize, cellHeight, cellWidth } = measures(picture);
  const [left, middle, result] = [by("left"), by("through"), by("result")];
  const tables: Placed[] = [];
  const extras: Shape[] = [];
  const rowsY = top0 + CAPTION_SIZE * LINE + ABOVE + 4;
  const weft = left?.role as Role | undefined;
  const common = { cellHeight, gap: GAP, numberSize, above: ABOVE, y: rowsY, before: 10, captionAbove: false };
  const words = left ?? result;
  const firstX = MARGIN + (words ? labelWidth(words) : 0) + 10;
  const cell = cellWidth(Math.max(left?.halfDigits ?? 0, result?.halfDigits ?? 0));
  let x = firstX;
  const end = (matrix: MatrixPicture, width: number) =>
    x + Math.max(widthOf(matrix, width), captionWidth(matrix, palette) + 8);
  if (left) {
    const place: TablePlace = {
      ...common,
      x,
      cellWidth: cell,
      rows: true,
      columns: left.columnLabels[0]?.kind !== "f",
      weft,
      warp: undefined,
      reachLeft: 6,
      reachAbove: 0,
    };
    tables.push({ matrix: left, place });
    const size = CAPTION_SIZE + 1;
    const pill = textWidth(picture.operator, size) + 22;
    const from = end(left, cell) + 10;
    const row = picture.level === "stage" || picture.row < 0 ? (left.cells.length - 1) / 2 : picture.row;
    const y = rowsY + row * (cellHeight + GAP) + cellHeight / 2;
    if (picture.level !== "stage" && weft) {
      extras.push({
        kind: "line",
        from: [x + widthOf(left, cell), y],
        to: [from + pill + 10, y],
        stroke: palette[weft],
        width: 3,
      });
    }
    extras.push(
      {
        kind: "rect",
        x: from,
        y: y - 13,
        width: pill,
        height: 26,
        radius: 13,
        fill: palette.card,
        stroke: palette.line,
        strokeWidth: 1,
      },
      {
        kind: "text",
        x: from + pill / 2,
        y: y + size * 0.36,
        size,
        family: "ui",
        weight: 600,
        fill: palette.ink,
        anchor: "middle",
        runs: [{ text: picture.operator }],
      },
    );
    x = from + pill + 14;
  }
  let before = left ? 14 : 6;
  for (const matrix of [middle, result]) {
    if (!matrix) continue;
    const own = matrix === middle ? cellWidth(matrix.halfDigits) : cell;
    const place: TablePlace = {
      ...common,
      x,
      cellWidth: own,
      rows: !left && matrix === result,
      columns: matrix.columnLabels[0]?.kind !== "f" || !left,
      weft,
      warp: undefined,
      reachLeft: before,
      reachAbove: 0,
    };
    tables.push({ matrix, place });
    const edge = x + widthOf(matrix, own);
    x = end(matrix, own) + 18;
    before = x - edge;
  }
  const rows = Math.max(0, ...tables.map(({ matrix }) => matrix.cells.length));
  return {
    tables,
    extras: [...noteShapes(scene, firstX, top0 + CAPTION_SIZE - 4, true), ...extras],
    right: x - 18 + (result?.name === "weights" ? 34 : 0),
    bottom: rowsY + rows * (cellHeight + GAP) - GAP + CAPTION,
  };
}
