// Where a table and its cells stand, in CSS pixels.

import type { Role } from "../tokens.ts";

/** Where a table stands, and how large its parts are, in CSS pixels. */
export interface TablePlace {
  /** Left and upper edge of its first cell. */
  readonly x: number;
  readonly y: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly gap: number;
  /** From the headings of the rows to the first cell, and from those of the columns. */
  readonly before: number;
  readonly above: number;
  readonly numberSize: number;
  /** Which headings are written. */
  readonly rows: boolean;
  readonly columns: boolean;
  readonly captionAbove: boolean;
  /** The roles of the threads; none where there is no thread. */
  readonly weft: Role | undefined;
  readonly warp: Role | undefined;
  /** How far the threads reach beyond the table, to the left of it and above. */
  readonly reachLeft: number;
  readonly reachAbove: number;
}

/** Left edge of a column, upper edge of a row. */
export const leftOf = (place: TablePlace, column: number) => place.x + column * (place.cellWidth + place.gap);
export const topOf = (place: TablePlace, row: number) => place.y + row * (place.cellHeight + place.gap);
