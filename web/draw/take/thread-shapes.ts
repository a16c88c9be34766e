// The threads of a table: one for each row that asks, one for each column that answers, behind the cells.

import { mixed, type Palette } from "../palette.ts";
import type { CellPicture, MatrixPicture } from "../picture.ts";
import type { Role } from "../tokens.ts";
import type { Shape } from "./shapes.ts";
import { leftOf, type TablePlace, topOf } from "./table-place.ts";

const THREAD = 3;
/** A thread that is not the subject of the frame. */
const FAINT = 0.4;

/** The last position that passes; −1 for none. */
const lastWhere = <T>(list: readonly T[], passes: (item: T) => boolean): number =>
  list.reduce((last, item, i) => (passes(item) ? i : last), -1);

/** As far as the frame has come. */
export function threadShapes(matrix: MatrixPicture, place: TablePlace, palette: Palette, level: string): Shape[] {
  const { cells, rowLabels, columnLabels } = matrix;
  const { cellWidth, cellHeight, gap } = place;
  const shapes: Shape[] = [];
  const colour = (role: Role, isFaint: boolean) =>
    isFaint ? mixed(palette[role], FAINT, palette.card) : palette[role];
  const has = (cell: CellPicture | undefined, look: string) => cell?.look.split(" ").includes(look) ?? false;
  if (place.weft) {
    const stroke = colour(place.weft, level === "stage");
    cells.forEach((line, row) => {
      const last = lastWhere(line, (cell) => has(cell, "weft"));
      if (last < 0 || !rowLabels[row]?.thread) return;
      const y = topOf(place, row) + cellHeight / 2;
      const end = leftOf(place, last) + (has(line[last], "now") ? cellWidth / 2 : cellWidth + gap);
      shapes.push({ kind: "line", from: [place.x - place.reachLeft, y], to: [end, y], stroke, width: THREAD });
    });
  }
  if (place.warp) {
    const stroke = colour(place.warp, level === "stage" || level === "row");
    columnLabels.forEach((label, column) => {
      const last = lastWhere(cells, (line) => has(line[column], "warp"));
      if (last < 0 || !label.thread) return;
      const x = leftOf(place, column) + cellWidth / 2;
      const end = topOf(place, last) + (has(cells[last]?.[column], "now") ? cellHeight / 2 : cellHeight + gap);
      shapes.push({ kind: "line", from: [x, place.y - place.reachAbove], to: [x, end], stroke, width: THREAD });
    });
  }
  return shapes;
}
