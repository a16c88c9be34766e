// A whole matrix at a glance: one spot for each cell, or for several where there are more cells than spots.

import type { Scene } from "./scene.ts";
import { flatIndex, indexIn } from "./shape.ts";
import { blockable, isHiddenAt, isOutOfRange } from "./view.ts";

/** What a spot stands for where it is no number: no cell of it may be looked at, or one left the range of float32. */
export const COVERED = Number.NaN;
export const OUT_OF_RANGE = Number.POSITIVE_INFINITY;

/** The stage on view, of the head on view, in spots. */
export interface Heat {
  readonly rows: number;
  readonly columns: number;
  /** Spots across and down; at most one for each cell. */
  readonly width: number;
  readonly height: number;
  /**
   * For each spot, row by row, how strong it is: −1 … 1, the root of the cell's share of {@link StageNumbers.full} with
   * the sign of the cell, so that small shares can be told apart; of several cells the one of the largest size.
   */
  readonly spots: Float32Array;
  /** For each row its largest size, for each column its mean size, as shares of the largest of them: 0 … 1. */
  readonly rowSizes: Float32Array;
  readonly columnSizes: Float32Array;
}

/** The heat map of the scene's stage, in at most so many spots across and down. */
export function heatOf({ numbers, cursor }: Scene, mostAcross: number, mostDown: number): Heat {
  const { stage, head } = cursor;
  const { description, grid, data, full } = numbers.of(stage);
  const { rows, columns } = grid;
  const width = Math.min(columns, mostAcross);
  const height = Math.min(rows, mostDown);
  const spots = new Float32Array(width * height).fill(COVERED);
  const rowSizes = new Float32Array(rows);
  const columnSizes = new Float32Array(columns);
  const isBlockable = blockable.has(stage) && numbers.has("masked");
  // Cells of a head lie row by row, one beside the other, whatever the rank of the stage.
  const first = flatIndex(description.shape, indexIn(description, head, 0, 0));
  for (let row = 0; row < rows; row++) {
    const line = Math.floor((row * height) / rows) * width;
    for (let column = 0; column < columns; column++) {
      // These stages have one shape, so that a place in the flat data is the same cell in all of them.
      const flat = first + row * columns + column;
      if (isBlockable && isHiddenAt(numbers, flat)) continue;
      const value = data[flat] as number;
      const at = line + Math.floor((column * width) / columns);
      const size = Math.abs(value);
      if (!Number.isFinite(value)) {
        if (isOutOfRange(numbers, stage, indexIn(description, head, row, column))) spots[at] = OUT_OF_RANGE;
        continue;
      }
      rowSizes[row] = Math.max(rowSizes[row] as number, size);
      columnSizes[column] = (columnSizes[column] as number) + size / rows;
      const strength = full > 0 ? Math.sqrt(Math.min(1, size / full)) : 0;
      const known = spots[at] as number;
      if (!(Math.abs(known) >= strength)) spots[at] = value < 0 ? -strength : strength;
    }
  }
  return {
    rows,
    columns,
    width,
    height,
    spots,
    rowSizes: sharesOfLargest(rowSizes),
    columnSizes: sharesOfLargest(columnSizes),
  };
}

function sharesOfLargest(sizes: Float32Array): Float32Array {
  const most = sizes.reduce((largest, size) => Math.max(largest, size), 0);
  return most > 0 ? sizes.map((size) => size / most) : sizes;
}
