// The corner: a left factor, one above, and the result where they cross.

import type { Role } from "../tokens.ts";
import {
  ABOVE,
  BRIDGE,
  CAPTION,
  captionWidth,
  type FigureScene,
  GAP,
  type Layout,
  labelWidth,
  MARGIN,
  measures,
  noteShapes,
  type Placed,
  type TablesBySlot,
  widthOf,
} from "./layout.ts";
import type { TablePlace } from "./table-place.ts";

/** Below `top0`. */
export function cornerLayout(scene: FigureScene, by: TablesBySlot, top0: number): Layout {
  const { picture, palette } = scene;
  const { numberSize, cellHeight, cellWidth } = measures(picture);
  const [left, top, result] = [by("left"), by("top"), by("result")];
  const tables: Placed[] = [];
  const common = { cellHeight, gap: GAP, numberSize, above: ABOVE };
  const leftCell = cellWidth(left?.halfDigits ?? 2);
  const rightCell = cellWidth(Math.max(top?.halfDigits ?? 2, result?.halfDigits ?? 2));
  const leftX = MARGIN + (left ? labelWidth(left) : 0) + 10;
  const leftEnd = leftX + (left ? widthOf(left, leftCell) : 0);
  // The rows of the values have words of their own, which stand in the corner.
  const hasNames = top?.rowLabels[0]?.kind !== "f";
  const bridge = Math.max(BRIDGE, left ? captionWidth(left, palette) + 2 - (leftEnd - leftX) + 12 : 0);
  const rightX = leftEnd + bridge;
  const topY = top0 + CAPTION + ABOVE;
  const topHeight = (top?.cells.length ?? 0) * (cellHeight + GAP) - GAP;
  const rowsY = topY + topHeight + BRIDGE;
  const weft = left?.role as Role | undefined;
  const warp = (top ?? left)?.role as Role | undefined;
  if (left) {
    const place: TablePlace = {
      ...common,
      x: leftX,
      y: rowsY,
      cellWidth: leftCell,
      before: 10,
      rows: true,
      columns: left.columnLabels[0]?.kind !== "f",
      captionAbove: false,
      weft,
      warp: undefined,
      reachLeft: 6,
      reachAbove: 0,
    };
    tables.push({ matrix: left, place });
  }
  if (top) {
    const place: TablePlace = {
      ...common,
      x: rightX,
      y: topY,
      cellWidth: rightCell,
      before: 10,
      rows: hasNames,
      columns: true,
      captionAbove: true,
      weft: undefined,
      warp,
      reachLeft: 0,
      reachAbove: 6,
    };
    tables.push({ matrix: top, place });
  }
  if (result) {
    const place: TablePlace = {
      ...common,
      x: rightX,
      y: rowsY,
      cellWidth: rightCell,
      before: 10,
      rows: false,
      columns: false,
      captionAbove: false,
      weft,
      warp,
      reachLeft: bridge,
      reachAbove: BRIDGE,
    };
    tables.push({ matrix: result, place });
  }
  const rows = Math.max(left?.cells.length ?? 0, result?.cells.length ?? 0);
  const namesWidth = hasNames && top ? labelWidth(top) + 14 : 0;
  const notesEnd = rightX - 14 - namesWidth;
  const columns = left && left.columnLabels[0]?.kind !== "f" ? ABOVE : 0;
  const widest = Math.max(
    0,
    ...[top, result].map((matrix) =>
      matrix ? Math.max(widthOf(matrix, rightCell), captionWidth(matrix, palette)) : 0,
    ),
  );
  return {
    tables,
    extras: noteShapes(scene, notesEnd, rowsY - 14 - columns, false),
    right: rightX + widest + (result?.name === "weights" ? 34 : 0),
    bottom: rowsY + rows * (cellHeight + GAP) - GAP + CAPTION,
  };
}
